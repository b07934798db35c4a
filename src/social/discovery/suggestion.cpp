// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/suggestion.hpp"

#include "social/accounts/account.hpp"

#include <algorithm>

namespace discovery {

namespace {

struct Candidate {
    AccountId account;
    std::int64_t version = 0;
    std::string domain;
    Source source = Source::featured;
};
DESCRIBE(Candidate, account, version, domain, source)

bool suits(const Candidate& candidate, const statuses::Audience& viewer) {
    const auto& relations = *viewer.relations;
    return candidate.account != viewer.viewer && !relations.follows(candidate.account) &&
           !viewer.hides(candidate.account) && !relations.blocked_domains.contains(candidate.domain);
}

std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9ULL;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

}  // namespace

// The table accounts belongs to accounts, follow_requests to relationships.
const db::Query<Candidate> suggestion_candidates{
    "suggestion_candidates",
    R"(SELECT s.target_id AS account, a.version, a.domain, s.source
       FROM suggestions s JOIN accounts a ON a.id = s.target_id
       WHERE s.account_id IN (0, $1) AND a.suspended_at IS NULL AND a.silenced_at IS NULL AND a.moved_to_id IS NULL
         AND (a.discoverable = TRUE OR s.source = 'featured')
         AND NOT EXISTS (SELECT 1 FROM follow_requests r WHERE r.account_id = $1 AND r.target_id = a.id)
         AND NOT EXISTS (SELECT 1 FROM suggestion_dismissals d WHERE d.account_id = $1 AND d.target_id = a.id))"
};

std::vector<Suggestion> suggestions(db::Read& db, const statuses::Audience& viewer) {
    std::vector<Suggestion> out;
    for (const auto& candidate : db.all(suggestion_candidates, viewer.viewer)) {
        if (!suits(candidate, viewer)) continue;
        auto known = std::ranges::find(out, candidate.account, &Suggestion::account);
        if (known == out.end()) known = out.insert(known, {candidate.account, candidate.version, {}});
        known->sources.push_back(candidate.source);
    }
    for (auto& suggestion : out) std::ranges::sort(suggestion.sources);
    constexpr std::int64_t quarter_of_an_hour_ms = 900'000;
    auto seed = mixed(static_cast<std::uint64_t>(db.now().ms / quarter_of_an_hour_ms)) ^
                static_cast<std::uint64_t>(viewer.viewer.value);
    std::ranges::sort(out, {}, [&](const Suggestion& s) {
        return std::pair(mixed(seed ^ static_cast<std::uint64_t>(s.account.value)), s.account);
    });
    return out;
}

const db::Command insert_suggestion_dismissal{
    "insert_suggestion_dismissal",
    R"(INSERT INTO suggestion_dismissals (account_id, target_id) VALUES ($1, $2)
       ON CONFLICT (account_id, target_id) DO NOTHING)"
};

void dismiss(db::Write& db, AccountId me, AccountId target) {
    if (accounts::find_account(db, target)) db.run(insert_suggestion_dismissal, me, target);
}

const db::Query<AccountId> offered_suggestions{
    "offered_suggestions",
    "SELECT target_id FROM suggestions WHERE account_id = $1 AND source = $2 ORDER BY rank"
};

std::vector<AccountId> offered(db::Read& db, AccountId to, Source source) {
    return db.all(offered_suggestions, to, source);
}

const db::Command delete_suggestions{
    "delete_suggestions", "DELETE FROM suggestions WHERE account_id = $1 AND source = $2"
};
const db::Command insert_suggestion{
    "insert_suggestion",
    "INSERT INTO suggestions (account_id, source, rank, target_id) VALUES ($1, $2, $3, $4)"
};

void offer(db::Write& db, AccountId to, Source source, const std::vector<AccountId>& best_first) {
    auto before = offered(db, to, source);
    if (before == best_first) return;
    if (!before.empty()) db.run(delete_suggestions, to, source);
    std::int64_t rank = 0;
    for (auto target : best_first) db.run(insert_suggestion, to, source, rank++, target);
}

const db::Command drop_own_suggestions{
    "drop_own_suggestions",
    R"(DELETE FROM suggestions WHERE account_id = $1 AND target_id IN (
           SELECT target_id FROM suggestions WHERE account_id = $1 ORDER BY target_id LIMIT $2))"
};

const db::Command drop_own_suggestion_dismissals{
    "drop_own_suggestion_dismissals",
    R"(DELETE FROM suggestion_dismissals WHERE account_id = $1 AND target_id IN (
           SELECT target_id FROM suggestion_dismissals WHERE account_id = $1 ORDER BY target_id LIMIT $2))"
};

const db::Command drop_own_suggestion_runs{
    "drop_own_suggestion_runs",
    R"(DELETE FROM suggestion_runs WHERE account_id = $1 AND account_id IN (
           SELECT account_id FROM suggestion_runs WHERE account_id = $1 ORDER BY account_id LIMIT $2))"
};

}  // namespace discovery

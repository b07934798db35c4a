// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/suggestion_jobs.hpp"

#include "social/accounts/account.hpp"
#include "social/instance/settings.hpp"

#include <algorithm>

namespace discovery {

// ---- for everybody ----

#define SUGGESTIBLE                                                                                         \
    "a.discoverable = TRUE AND a.suspended_at IS NULL AND a.silenced_at IS NULL AND a.moved_to_id IS NULL " \
    "AND a.locked = FALSE "

// accounts belongs to accounts, statuses to statuses.
const db::Query<AccountId> most_followed_accounts{
    "most_followed_accounts",
    "SELECT a.id FROM accounts a WHERE " SUGGESTIBLE
    "AND a.followers_count > 0 ORDER BY a.followers_count DESC, a.id DESC LIMIT $1"
};

// Favourites and boosts of the newest public statuses since $1.
const db::Query<AccountId> most_interacted_accounts{
    "most_interacted_accounts",
    "SELECT a.id FROM (SELECT account_id, favourites_count + reblogs_count AS interactions FROM statuses "
    "WHERE id > $1 AND deleted_at IS NULL AND visibility = 'public' AND reblog_of_id IS NULL "
    "AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id = account_id) ORDER BY id DESC LIMIT "
    "5000) s "
    "JOIN accounts a ON a.id = s.account_id WHERE " SUGGESTIBLE
    "GROUP BY a.id HAVING sum(s.interactions) > 0 ORDER BY sum(s.interactions) DESC, a.id DESC LIMIT $2"
};

namespace {

// Accounts that the operator recommends: names separated by commas.
std::vector<AccountId> featured_accounts(db::Read& db) {
    std::vector<AccountId> out;
    auto names = instance::setting(db, "bootstrap_timeline_accounts").value_or("");
    for (std::size_t at = 0; at < names.size() && out.size() < most_per_source;) {
        auto end = std::min(names.find(',', at), names.size());
        auto name = std::string_view(names).substr(at, end - at);
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        auto account = accounts::find_by_acct(db, name);
        if (account && std::ranges::find(out, account->id) == out.end()) out.push_back(account->id);
        at = end + 1;
    }
    return out;
}

}  // namespace

namespace {

// What is to be offered to an account, or to everybody.
struct Offer {
    Source source;
    std::vector<AccountId> best_first;
};

}  // namespace

jobs::Change renew_general_suggestions(db::Read& db) {
    constexpr std::int64_t month_ms = 30 * 86'400'000LL;
    auto since = (db.now().ms - month_ms) << 16;  // ids begin with the time
    std::vector<Offer> offers{
        {Source::featured, featured_accounts(db)},
        {Source::most_followed, db.all(most_followed_accounts, most_per_source)},
        {Source::most_interactions, db.all(most_interacted_accounts, since, most_per_source)},
    };
    std::erase_if(offers, [&](const Offer& o) { return offered(db, {}, o.source) == o.best_first; });
    if (offers.empty()) return {};
    return [offers = std::move(offers)](db::Write& write) {
        for (const auto& [source, best_first] : offers) offer(write, {}, source, best_first);
    };
}

// ---- for one account ----

namespace {

struct Due {
    base::UserId user;
    AccountId account;
    bool due = false;
};
DESCRIBE(Due, user, account, due)

}  // namespace

// users and accounts belong to accounts. $2: what changed since is computed anew, $3: so is everything older.
const db::Query<Due> accounts_with_due_suggestions{
    "accounts_with_due_suggestions",
    R"(SELECT u.id AS "user", u.account_id AS account,
              (a.following_count > 0 AND a.suspended_at IS NULL AND u.confirmed_at IS NOT NULL
               AND (r.account_id IS NULL OR r.finished_at < $3
                    OR (r.finished_at < $2 AND r.relations_version <> a.relations_version))) AS due
       FROM users u JOIN accounts a ON a.id = u.account_id LEFT JOIN suggestion_runs r ON r.account_id = u.account_id
       WHERE u.id > $1 ORDER BY u.id LIMIT $4)"
};

// Walks all users, a thousand at a time, or until so many jobs have been found as are written at once.
jobs::Change find_due_suggestions(db::Read& db) {
    constexpr int chunk = 1000;
    constexpr std::size_t most_jobs = 100;
    constexpr const char* place = "suggestions_walked_to";
    const auto after = instance::number_setting(db, place);
    auto found = db.all(
        accounts_with_due_suggestions,
        after,
        db.now().plus_seconds(-300),
        db.now().plus_seconds(-86'400),
        chunk
    );
    std::vector<AccountId> due;
    auto next = found.size() == chunk ? found.back().user.value : 0;
    for (const auto& row : found) {
        if (!row.due) continue;
        if (due.size() == most_jobs) break;
        due.push_back(row.account);
        if (due.size() == most_jobs) next = row.user.value;
    }
    if (due.empty() && next == after) return {};
    return [due = std::move(due), next](db::Write& write) {
        for (auto account : due) write.emit(SuggestionsDue{account});
        instance::set_setting(write, place, std::to_string(next));
    };
}

namespace {

struct Followed {
    AccountId account;
    bool open = false;  // the network of this one may be looked at
};
DESCRIBE(Followed, account, open)

// How often each account was met.
class Tally {
public:
    explicit Tally(const relationships::Relationships& relations) : relations_(relations) {}

    void add(AccountId id) {
        if (id != relations_.self && !relations_.follows(id)) ++counts_[id];
    }
    std::vector<AccountId> best(std::size_t at_most) const {
        std::vector<std::pair<int, AccountId>> sorted;
        for (auto [id, count] : counts_) sorted.emplace_back(-count, id);
        std::ranges::sort(sorted);
        if (sorted.size() > at_most) sorted.resize(at_most);
        std::vector<AccountId> out;
        for (auto [count, id] : sorted) out.push_back(id);
        return out;
    }

private:
    const relationships::Relationships& relations_;
    std::unordered_map<AccountId, int> counts_;
};

}  // namespace

// follows belongs to relationships.
const db::Query<Followed> latest_followed{
    "latest_followed",
    R"(SELECT a.id AS account, (COALESCE(a.hide_collections, FALSE) = FALSE AND a.suspended_at IS NULL) AS open
       FROM follows f JOIN accounts a ON a.id = f.target_id WHERE f.account_id = $1 ORDER BY f.id DESC LIMIT $2)"
};
const db::Query<Followed> latest_followers{
    "latest_followers",
    R"(SELECT a.id AS account, (COALESCE(a.hide_collections, FALSE) = FALSE AND a.suspended_at IS NULL) AS open
       FROM follows f JOIN accounts a ON a.id = f.account_id WHERE f.target_id = $1 ORDER BY f.id DESC LIMIT $2)"
};
const db::Query<AccountId> latest_follows{
    "latest_follows", "SELECT target_id FROM follows WHERE account_id = $1 ORDER BY id DESC LIMIT $2"
};
const db::Query<AccountId> suggestible_of{
    "suggestible_of", "SELECT a.id FROM accounts a WHERE " SUGGESTIBLE "AND a.id IN LIST($1)"
};

namespace {

std::vector<AccountId> suggestible(db::Read& db, const Tally& tally) {
    auto best = tally.best(3 * most_per_source);
    auto found = db.all(suggestible_of, best);
    std::erase_if(best, [&](AccountId id) { return std::ranges::find(found, id) == found.end(); });
    if (best.size() > most_per_source) best.resize(most_per_source);
    return best;
}

std::vector<AccountId> friends_of_friends(db::Read& db, const relationships::Relationships& relations) {
    constexpr int friends = 100, of_each = 100;
    Tally tally(relations);
    for (const auto& followed : db.all(latest_followed, relations.self, friends))
        if (followed.open)
            db.each(latest_follows, [&](AccountId id) { tally.add(id); }, followed.account, of_each);
    return suggestible(db, tally);
}

// Whom those follow who follow the same accounts as this one did last.
std::vector<AccountId> similar(db::Read& db, const relationships::Relationships& relations) {
    constexpr int recent = 5, followers = 40, of_each = 40;
    Tally tally(relations);
    for (const auto& followed : db.all(latest_followed, relations.self, recent)) {
        if (!followed.open) continue;
        for (const auto& other : db.all(latest_followers, followed.account, followers))
            if (other.open && other.account != relations.self)
                db.each(latest_follows, [&](AccountId id) { tally.add(id); }, other.account, of_each);
    }
    return suggestible(db, tally);
}

}  // namespace

const db::Command note_suggestion_run{
    "note_suggestion_run",
    R"(INSERT INTO suggestion_runs (account_id, relations_version, finished_at) VALUES ($1, $2, $3)
       ON CONFLICT (account_id) DO UPDATE SET
           relations_version = excluded.relations_version, finished_at = excluded.finished_at)"
};

jobs::Change renew_suggestions(db::Read& db, const SuggestionsDue& due) {
    auto account = accounts::find_account(db, due.account);
    if (!account) return {};
    auto relations = relationships::relationships_of(db, account->id, account->relations_version);
    std::vector<Offer> offers{
        {Source::friends_of_friends, friends_of_friends(db, *relations)},
        {Source::similar_to_recently_followed, similar(db, *relations)},
    };
    return
        [offers = std::move(offers), id = account->id, seen = account->relations_version](db::Write& write) {
            if (!accounts::find_account(write, id)) return;
            for (const auto& [source, best_first] : offers) offer(write, id, source, best_first);
            write.run(note_suggestion_run, id, seen, write.now());
        };
}

}  // namespace discovery

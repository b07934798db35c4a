// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/visibility.hpp"

#include "base/id_map.hpp"
#include "social/accounts/account.hpp"
#include "social/labels/label.hpp"
#include "social/statuses/core/listed.hpp"

#include <algorithm>
#include <unordered_set>

namespace statuses {

Audience nobody(db::Read& db) { return {{}, nullptr, db.now()}; }

Audience audience(db::Read& db, AccountId viewer, std::int64_t relations_version) {
    return {viewer, relationships::relationships_of(db, viewer, relations_version), db.now()};
}

Audience audience(db::Read& db, AccountId viewer) {
    if (!viewer) return nobody(db);
    return audience(db, viewer, accounts::account(db, viewer).relations_version);
}

namespace {

// Facts as they are stored.
struct StoredFacts {
    StatusId id;
    std::int64_t version = 0;
    AccountId account_id;
    std::int64_t account_version = 0;
    Visibility visibility = Visibility::public_;
    StatusId in_reply_to_id;
    AccountId in_reply_to_account_id;
    StatusId reblog_of_id;
    ConversationId conversation_id;
    bool suspended = false, silenced = false, indexable = false, local_only = false, open_to_replies = true;
    ReplyState reply_state = ReplyState::shown;
    std::int64_t labels_version = 0;  // the same in all rows
};
DESCRIBE(
    StoredFacts, id, version, account_id, account_version, visibility, in_reply_to_id, in_reply_to_account_id,
    reblog_of_id, conversation_id, suspended, silenced, indexable, local_only, open_to_replies, reply_state,
    labels_version
)

#define FACTS                                                                                                \
    "SELECT s.id, s.version, s.account_id, a.version AS account_version, s.visibility, s.in_reply_to_id, "   \
    "s.in_reply_to_account_id, s.reblog_of_id, s.conversation_id, a.suspended_at IS NOT NULL AS suspended, " \
    "a.silenced_at IS NOT NULL AS silenced, a.indexable, s.local_only, "                                     \
    "(s.reply_policy = 'public' AND s.reply_approval = 0) AS open_to_replies, "                              \
    "s.reply_state, " LABELS_VERSION " "
#define OF_STATUSES_SQLITE \
    "FROM list($1) j CROSS JOIN statuses s ON s.id = j.value JOIN accounts a ON a.id = s.account_id "
#define OF_STATUSES_POSTGRES                                                           \
    "FROM statuses s JOIN accounts a ON a.id = s.account_id WHERE s.id = ANY((SELECT " \
    "$1::bigint[])::bigint[]) "

}  // namespace

// On SQLite the list drives the join: IN would first copy it into a temporary table.
const db::Query<StoredFacts> visibility_facts_of_statuses{
    "visibility_facts_of_statuses",
    FACTS OF_STATUSES_SQLITE "WHERE s.deleted_at IS NULL",
    FACTS OF_STATUSES_POSTGRES "AND s.deleted_at IS NULL"
};
const db::Query<StoredFacts> visibility_facts_of_deleted{
    "visibility_facts_of_deleted",
    FACTS OF_STATUSES_SQLITE "WHERE s.deleted_at IS NOT NULL",
    FACTS OF_STATUSES_POSTGRES "AND s.deleted_at IS NOT NULL"
};

namespace {

using FactsById = base::IdMap<StatusId, ListedFacts>;

// Pages of different viewers show the same statuses: facts are cached until the next commit.
std::shared_ptr<FactsById> kept_facts(db::Read& db) {
    constexpr std::size_t most = 10'000;
    auto kept = db.memoized("facts", [] { return std::make_shared<FactsById>(); });
    if (kept->size() > most) *kept = {};
    return kept;
}

ListedFacts facts_of(const StoredFacts& row) {
    ListedFacts f;
    f.id = f.original_id = row.id;
    f.version = f.original_version = row.version;
    f.account_id = f.original_account_id = row.account_id;
    f.account_version = f.original_account_version = row.account_version;
    f.visibility = f.original_visibility = row.visibility;
    f.in_reply_to_id = row.in_reply_to_id;
    f.in_reply_to_account_id = row.in_reply_to_account_id;
    f.gone = row.suspended;
    f.conversation_id = row.conversation_id;
    f.local_only = row.local_only;
    f.open_to_replies = row.open_to_replies;
    f.reply_state = row.reply_state;
    f.silenced = row.silenced;
    f.indexable = row.indexable;
    return f;
}

ListedFacts facts_of_boost(const StoredFacts& row, const ListedFacts* original) {
    auto f = facts_of(row);
    f.gone = f.gone || !original || original->gone;
    if (!original) return f;
    f.original_id = original->id;
    f.original_version = original->version;
    f.original_account_id = original->account_id;
    f.original_account_version = original->account_version;
    f.original_visibility = original->visibility;
    return f;
}

void add_those_written(const std::vector<StoredFacts>& rows, FactsById& out) {
    for (const auto& row : rows)
        if (!row.reblog_of_id) out.emplace(row.id, facts_of(row));
}

// The facts of boosted statuses are read in one query.
void add_facts(
    db::Read& db, const db::Query<StoredFacts>& sql, const std::vector<StatusId>& ids, FactsById& out
) {
    auto rows = db.all(sql, ids);
    if (!rows.empty()) labels::knows_version(db, rows[0].labels_version);
    add_those_written(rows, out);
    std::vector<StatusId> boosted;
    for (const auto& row : rows)
        if (row.reblog_of_id && !out.contains(row.reblog_of_id)) boosted.push_back(row.reblog_of_id);
    if (!boosted.empty()) add_those_written(db.all(visibility_facts_of_statuses, boosted), out);
    for (const auto& row : rows) {
        if (!row.reblog_of_id) continue;
        auto original = out.find(row.reblog_of_id);
        out.emplace(row.id, facts_of_boost(row, original == out.end() ? nullptr : &original->second));
    }
}

}  // namespace

const db::Query<StatusId> mentioning_viewer{
    "mentioning_viewer", "SELECT status_id FROM mentions WHERE account_id = $1 AND status_id IN LIST($2)"
};

namespace {

bool addressed(Visibility visibility) {
    return visibility != Visibility::public_ && visibility != Visibility::unlisted;
}

}  // namespace

// The table user_domain_blocks belongs to relationships.
const db::Query<AccountId> accounts_of_blocked_domains{
    "accounts_of_blocked_domains",
    R"(SELECT a.id FROM accounts a JOIN user_domain_blocks d ON d.domain = a.domain
       WHERE d.account_id = $1 AND a.id IN LIST($2))"
};

namespace {

void note_mentions(db::Read& db, AccountId viewer, std::vector<VisibilityFacts>& found) {
    std::vector<StatusId> asked;
    for (const auto& f : found)
        if (addressed(f.visibility) || addressed(f.original_visibility)) asked.push_back(f.original_id);
    if (asked.empty() || !viewer) return;
    auto mentioning = db.all(mentioning_viewer, viewer, asked);
    for (auto& f : found) f.mentioned = std::ranges::find(mentioning, f.original_id) != mentioning.end();
}

void note_blocked_domains(db::Read& db, const Audience& audience, std::vector<VisibilityFacts>& found) {
    if (found.empty() || !audience.relations || audience.relations->blocked_domains.empty()) return;
    std::vector<AccountId> authors;
    for (const auto& f : found) {
        authors.push_back(f.account_id);
        if (f.is_reblog()) authors.push_back(f.original_account_id);
    }
    std::unordered_set<AccountId> hidden;
    db.each(accounts_of_blocked_domains, [&](AccountId id) { hidden.insert(id); }, audience.viewer, authors);
    for (auto& f : found) {
        f.domain_hidden = hidden.contains(f.account_id);
        f.original_domain_hidden = hidden.contains(f.original_account_id);
    }
}

template <class Facts>
std::vector<Facts> those_of(const std::vector<StatusId>& ids, const FactsById& found) {
    std::vector<Facts> out;
    out.reserve(ids.size());
    for (auto id : ids)
        if (auto one = found.find(id); one != found.end()) out.push_back(one->second);
    return out;
}

std::shared_ptr<const FactsById> facts_with(db::Read& db, const std::vector<StatusId>& ids) {
    auto kept = kept_facts(db);
    std::vector<StatusId> unknown;
    for (auto id : ids)
        if (!kept->contains(id)) unknown.push_back(id);
    if (!unknown.empty()) add_facts(db, visibility_facts_of_statuses, unknown, *kept);
    return kept;
}

}  // namespace

void expect_facts(db::Read& db, StatusId id) {
    db.expect(visibility_facts_of_statuses, std::vector<StatusId>{id});
}

void prefetch_facts(db::Read& db, StatusId id) {
    db.prefetch(visibility_facts_of_statuses, std::vector<StatusId>{id});
}

void note_viewer(db::Read& db, const Audience& audience, std::vector<VisibilityFacts>& found) {
    note_mentions(db, audience.viewer, found);
    note_blocked_domains(db, audience, found);
}

std::vector<ListedFacts> listed_facts(db::Read& db, const std::vector<StatusId>& ids) {
    return those_of<ListedFacts>(ids, *facts_with(db, ids));
}

std::vector<VisibilityFacts> visibility_facts(
    db::Read& db, const Audience& audience, const std::vector<StatusId>& ids
) {
    auto found = those_of<VisibilityFacts>(ids, *facts_with(db, ids));
    note_viewer(db, audience, found);
    return found;
}

std::vector<VisibilityFacts> deleted_visibility_facts(
    db::Read& db, const Audience& audience, const std::vector<StatusId>& ids
) {
    FactsById deleted;
    if (!ids.empty()) add_facts(db, visibility_facts_of_deleted, ids, deleted);
    auto found = those_of<VisibilityFacts>(ids, deleted);
    note_viewer(db, audience, found);
    return found;
}

namespace {

bool may_read(Visibility visibility, AccountId author, bool mentioned, const Audience& audience) {
    if (author == audience.viewer && author) return true;
    const auto* relations = audience.relations.get();
    bool blocked = relations && relations->blocked_by.contains(author);
    switch (visibility) {
        case Visibility::public_:
        case Visibility::unlisted: return !blocked;
        case Visibility::private_: return mentioned || (relations && relations->follows(author) && !blocked);
        case Visibility::direct:
        case Visibility::limited: return mentioned;
    }
    return false;
}

}  // namespace

bool visible(const VisibilityFacts& f, const Audience& audience) {
    if (f.gone || (f.local_only && audience.anonymous())) return false;
    if (!may_read(f.visibility, f.account_id, f.mentioned, audience)) return false;
    return !f.is_reblog() || may_read(f.original_visibility, f.original_account_id, f.mentioned, audience);
}

VisibilityFacts visible_facts(db::Read& db, const Audience& audience, StatusId id) {
    auto found = visibility_facts(db, audience, {id});
    if (found.empty() || !visible(found[0], audience)) throw base::NoSuchStatus();
    return found[0];
}

bool shown(const VisibilityFacts& f, const Audience& audience) {
    return visible(f, audience) && !f.domain_hidden && !f.original_domain_hidden &&
           !audience.hides(f.account_id) && !audience.hides(f.original_account_id);
}

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/visibility.hpp"

#include "social/accounts/account.hpp"
#include "social/statuses/core/visibility_facts_sql.hpp"

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

struct Boosted {
    StatusId id;
    std::int64_t version = 0;
    AccountId account_id;
    std::int64_t account_version = 0;
    Visibility visibility = Visibility::public_;
    std::optional<Time> suspended_at;
};
DESCRIBE(Boosted, id, version, account_id, account_version, visibility, suspended_at)

#define BOOSTED "s.id, s.version, s.account_id, a.version AS account_version, s.visibility, a.suspended_at "

}  // namespace

// Not joined to the boosts themselves: on SQLite the empty columns of all that are none cost more.
const db::Query<Boosted> visibility_facts_of_boosted{
    "visibility_facts_of_boosted",
    "SELECT " BOOSTED "FROM list($1) j CROSS JOIN statuses s ON s.id = j.value " VISIBILITY_FACTS_JOINS
    "WHERE s.deleted_at IS NULL",
    "SELECT " BOOSTED "FROM statuses s " VISIBILITY_FACTS_JOINS
    "WHERE s.id = ANY((SELECT $1::bigint[])::bigint[]) AND s.deleted_at IS NULL"
};

namespace {

VisibilityFacts facts_of(const VisibilityFactsRow& row) {
    VisibilityFacts f{
        row.id, row.version, row.account_id, row.account_version, row.visibility, row.in_reply_to_account_id
    };
    f.original_id = row.id;
    f.original_version = row.version;
    f.original_account_id = row.account_id;
    f.original_account_version = row.account_version;
    f.original_visibility = row.visibility;
    f.gone = row.suspended_at.has_value();
    f.conversation_id = row.conversation_id;
    f.local_only = row.local_only;
    return f;
}

void set_original(VisibilityFacts& f, const Boosted& original) {
    f.original_id = original.id;
    f.original_version = original.version;
    f.original_account_id = original.account_id;
    f.original_account_version = original.account_version;
    f.original_visibility = original.visibility;
    f.gone = f.gone || original.suspended_at;
}

}  // namespace

std::vector<VisibilityFacts> facts_of(db::Read& db, const std::vector<VisibilityFactsRow>& rows) {
    std::vector<VisibilityFacts> found;
    found.reserve(rows.size());
    std::vector<StatusId> boosted;
    for (const auto& row : rows) {
        found.push_back(facts_of(row));
        if (row.reblog_of_id) boosted.push_back(row.reblog_of_id);
    }
    if (boosted.empty()) return found;
    auto originals = db.all(visibility_facts_of_boosted, boosted);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].reblog_of_id) continue;
        auto original = std::ranges::find(originals, rows[i].reblog_of_id, &Boosted::id);
        if (original == originals.end()) found[i].gone = true;
        else set_original(found[i], *original);
    }
    return found;
}

// On SQLite the list drives the join: IN would first copy it into a table of its own.
const db::Query<VisibilityFactsRow> visibility_facts_of_statuses{
    "visibility_facts_of_statuses",
    "SELECT " VISIBILITY_FACTS
    "FROM list($1) j CROSS JOIN statuses s ON s.id = j.value " VISIBILITY_FACTS_JOINS
    "WHERE s.deleted_at IS NULL",
    "SELECT " VISIBILITY_FACTS "FROM statuses s " VISIBILITY_FACTS_JOINS
    "WHERE s.id = ANY((SELECT $1::bigint[])::bigint[]) AND s.deleted_at IS NULL"
};

const db::Query<VisibilityFactsRow> visibility_facts_of_deleted{
    "visibility_facts_of_deleted",
    "SELECT " VISIBILITY_FACTS
    "FROM list($1) j CROSS JOIN statuses s ON s.id = j.value " VISIBILITY_FACTS_JOINS
    "WHERE s.deleted_at IS NOT NULL",
    "SELECT " VISIBILITY_FACTS "FROM statuses s " VISIBILITY_FACTS_JOINS
    "WHERE s.id = ANY($1::bigint[]) AND s.deleted_at IS NOT NULL"
};

const db::Query<StatusId> mentioning_viewer{
    "mentioning_viewer", "SELECT status_id FROM mentions WHERE account_id = $1 AND status_id IN LIST($2)"
};

namespace {

bool addressed(Visibility visibility) {
    return visibility != Visibility::public_ && visibility != Visibility::unlisted;
}

}  // namespace

// user_domain_blocks belongs to relationships.
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

std::vector<VisibilityFacts> found_by(
    db::Read& db, const db::Query<VisibilityFactsRow>& sql, const Audience& audience,
    const std::vector<StatusId>& ids
) {
    std::vector<VisibilityFacts> out;
    if (ids.empty()) return out;
    auto found = facts_of(db, db.all(sql, ids));
    std::ranges::sort(found, {}, &VisibilityFacts::id);
    note_viewer(db, audience, found);
    out.reserve(ids.size());
    for (auto id : ids) {
        auto it = std::ranges::lower_bound(found, id, {}, &VisibilityFacts::id);
        if (it != found.end() && it->id == id) out.push_back(*it);
    }
    return out;
}

}  // namespace

void note_viewer(db::Read& db, const Audience& audience, std::vector<VisibilityFacts>& found) {
    note_mentions(db, audience.viewer, found);
    note_blocked_domains(db, audience, found);
}

std::vector<VisibilityFacts> visibility_facts(
    db::Read& db, const Audience& audience, const std::vector<StatusId>& ids
) {
    return found_by(db, visibility_facts_of_statuses, audience, ids);
}

std::vector<VisibilityFacts> deleted_visibility_facts(
    db::Read& db, const Audience& audience, const std::vector<StatusId>& ids
) {
    return found_by(db, visibility_facts_of_deleted, audience, ids);
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

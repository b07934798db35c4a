// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/visibility.hpp"

#include "social/accounts/account.hpp"

#include <algorithm>

namespace statuses {

Audience nobody(db::Read& db) { return {{}, nullptr, db.now()}; }

Audience audience(db::Read& db, AccountId viewer, std::int64_t relations_version) {
    return {viewer, relationships::circle(db, viewer, relations_version), db.now()};
}

Audience audience(db::Read& db, AccountId viewer) {
    if (!viewer) return nobody(db);
    return audience(db, viewer, accounts::account(db, viewer).relations_version);
}

#define FACTS                                                                                                \
    "SELECT s.id, s.version, s.account_id, a.version AS account_version, s.visibility, "                     \
    "s.in_reply_to_account_id, COALESCE(r.id, s.id) AS original_id, "                                        \
    "COALESCE(r.version, s.version) AS original_version, "                                                   \
    "COALESCE(r.account_id, s.account_id) AS original_account_id, "                                          \
    "COALESCE(ra.version, a.version) AS original_account_version, "                                          \
    "COALESCE(r.visibility, s.visibility) AS original_visibility, "                                          \
    "(a.suspended_at IS NOT NULL OR ra.suspended_at IS NOT NULL "                                            \
    "OR (s.reblog_of_id IS NOT NULL AND r.id IS NULL)) AS gone, "                                            \
    "CASE WHEN s.visibility IN ('public', 'unlisted') "                                                      \
    "AND COALESCE(r.visibility, 'public') IN ('public', 'unlisted') THEN FALSE "                             \
    "ELSE EXISTS (SELECT 1 FROM mentions m WHERE m.status_id = COALESCE(r.id, s.id) AND m.account_id = $2) " \
    "END AS mentioned "

#define FACTS_JOINS                                                           \
    "JOIN accounts a ON a.id = s.account_id "                                 \
    "LEFT JOIN statuses r ON r.id = s.reblog_of_id AND r.deleted_at IS NULL " \
    "LEFT JOIN accounts ra ON ra.id = r.account_id "

// On SQLite the list drives the join: IN would first copy it into a table of its own.
const db::Query<Facts> status_facts{
    "status_facts",
    FACTS "FROM json_each($1) j CROSS JOIN statuses s ON s.id = j.value " FACTS_JOINS
          "WHERE s.deleted_at IS NULL",
    FACTS "FROM statuses s " FACTS_JOINS "WHERE s.id = ANY($1::bigint[]) AND s.deleted_at IS NULL"
};

std::vector<Facts> facts(db::Read& db, const Audience& audience, const std::vector<StatusId>& ids) {
    std::vector<Facts> out;
    if (ids.empty()) return out;
    std::vector<Facts> found;
    found.reserve(ids.size());
    db.each(status_facts, [&](const Facts& f) { found.push_back(f); }, ids, audience.viewer);
    std::ranges::sort(found, {}, &Facts::id);
    out.reserve(ids.size());
    for (auto id : ids) {
        auto it = std::ranges::lower_bound(found, id, {}, &Facts::id);
        if (it != found.end() && it->id == id) out.push_back(*it);
    }
    return out;
}

namespace {

bool may_read(Visibility visibility, AccountId author, bool mentioned, const Audience& audience) {
    if (author == audience.viewer && author) return true;
    const auto* circle = audience.circle.get();
    bool blocked = circle && circle->blocked_by.contains(author);
    switch (visibility) {
        case Visibility::public_:
        case Visibility::unlisted: return !blocked;
        case Visibility::private_: return mentioned || (circle && circle->follows(author) && !blocked);
        case Visibility::direct:
        case Visibility::limited: return mentioned;
    }
    return false;
}

}  // namespace

bool visible(const Facts& f, const Audience& audience) {
    if (f.gone) return false;
    if (!may_read(f.visibility, f.account_id, f.mentioned, audience)) return false;
    return !f.is_reblog() || may_read(f.original_visibility, f.original_account_id, f.mentioned, audience);
}

Facts visible_facts(db::Read& db, const Audience& audience, StatusId id) {
    auto found = facts(db, audience, {id});
    if (found.empty() || !visible(found[0], audience)) throw base::NoSuchStatus();
    return found[0];
}

bool shown(const Facts& f, const Audience& audience) {
    return visible(f, audience) && !audience.hides(f.account_id) && !audience.hides(f.original_account_id);
}

}  // namespace statuses

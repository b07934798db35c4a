// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/mastodon/kept.hpp"

#include "takeover/reading.hpp"

#include <charconv>

namespace takeover::mastodon {

namespace {

using Ids = std::vector<std::int64_t>;

// Whether a status was written here.
#define HERE(S) "(" S "local OR " S "uri IS NULL)"

constexpr const char* status_queries[] = {
    "SELECT id FROM statuses WHERE " HERE(""),
    // Boosts of what was written here, and what was boosted here.
    "SELECT s.id FROM statuses s JOIN statuses o ON o.id = s.reblog_of_id WHERE " HERE("o."),
    "SELECT reblog_of_id FROM statuses WHERE reblog_of_id IS NOT NULL AND " HERE(""),
    // Threads that somebody here has a part in.
    ("SELECT s.id FROM statuses s JOIN (SELECT DISTINCT conversation_id FROM statuses WHERE reblog_of_id IS "
     "NULL "
     "AND conversation_id IS NOT NULL AND " HERE(""
     ) ") c USING (conversation_id) WHERE s.reblog_of_id IS NULL"),
    "SELECT s.id FROM statuses s JOIN statuses p ON p.id = s.in_reply_to_id WHERE " HERE("p."),
    "SELECT in_reply_to_id FROM statuses WHERE in_reply_to_id IS NOT NULL AND " HERE(""),
    "SELECT f.status_id FROM favourites f JOIN accounts a ON a.id = f.account_id WHERE a.domain IS NULL",
    "SELECT status_id FROM bookmarks",
    "SELECT m.status_id FROM mentions m JOIN accounts a ON a.id = m.account_id WHERE a.domain IS NULL",
    "SELECT activity_id FROM notifications WHERE activity_type = 'Status'",
    "SELECT status_id FROM custom_filter_statuses",
};
constexpr const char* quote_queries[] = {
    "SELECT q.quoted_status_id FROM quotes q JOIN accounts a ON a.id = q.account_id WHERE a.domain IS NULL",
    "SELECT q.status_id FROM quotes q JOIN accounts a ON a.id = q.quoted_account_id WHERE a.domain IS NULL",
};
constexpr const char* report_queries[] = {"SELECT unnest(status_ids) FROM reports"};

constexpr const char* account_queries[] = {
    "SELECT id FROM accounts WHERE domain IS NULL",
    "SELECT account_id FROM follows UNION SELECT target_account_id FROM follows",
    "SELECT account_id FROM follow_requests UNION SELECT target_account_id FROM follow_requests",
    "SELECT account_id FROM blocks UNION SELECT target_account_id FROM blocks",
    "SELECT target_account_id FROM mutes",
    "SELECT target_account_id FROM account_notes",
    "SELECT target_account_id FROM account_pins",
    "SELECT account_id FROM list_accounts",
    "SELECT from_account_id FROM notifications",
    "SELECT moved_to_account_id FROM accounts WHERE domain IS NULL",
    "SELECT f.account_id FROM favourites f JOIN statuses s ON s.id = f.status_id WHERE " HERE("s."),
    ("SELECT v.account_id FROM poll_votes v JOIN polls p ON p.id = v.poll_id JOIN accounts a ON a.id = "
     "p.account_id WHERE a.domain IS NULL"),
};
// Whom the team limited, one by one. Others of a server that it limited are limited again as they come.
constexpr const char* limited_accounts =
    "SELECT id FROM accounts WHERE sensitized_at IS NOT NULL "
    "OR (suspended_at IS NOT NULL AND COALESCE(suspension_origin, 0) <> 1 "
    "AND suspended_at NOT IN (SELECT created_at FROM domain_blocks)) "
    "OR (silenced_at IS NOT NULL AND silenced_at NOT IN (SELECT created_at FROM domain_blocks))";
// What it wrote down about whom, where there is such a table.
constexpr const char* tables_of_targets[] = {"account_warnings", "account_moderation_notes"};
constexpr const char* account_report_queries[] = {
    "SELECT account_id FROM reports UNION SELECT target_account_id FROM reports",
};

void add(db::Foreign& db, const std::string& sql, const std::vector<std::string>& parameters, Ids& out) {
    db.run(sql, parameters, [&](const db::Foreign::Row& row) {
        std::int64_t id = 0;
        if (!row[0]) return;
        const auto end = row[0]->data() + row[0]->size();
        if (std::from_chars(row[0]->data(), end, id).ptr == end && id > 0) out.push_back(id);
    });
}

void sort(Ids& ids) {
    std::ranges::sort(ids);
    const auto rest = std::ranges::unique(ids);
    ids.erase(rest.begin(), rest.end());
    ids.shrink_to_fit();
}

// Asks for some thousand at a time; `f` gets the parameter.
template <class F>
void in_parts(const Ids& ids, F f) {
    constexpr std::size_t part = 10'000;
    for (std::size_t at = 0; at < ids.size(); at += part)
        f(as_array(ids.data() + at, ids.data() + std::min(at + part, ids.size())));
}

// Of those that are there, with who wrote them and whom they name.
void look_at_statuses(db::Foreign& db, Kept& kept) {
    Ids there;
    in_parts(kept.statuses, [&](const std::string& ids) {
        db.run(
            "SELECT id, account_id, in_reply_to_account_id FROM statuses WHERE id = ANY(CAST($1 AS "
            "bigint[])) AND "
            "(deleted_at IS NULL OR " HERE("") ")",
            {ids},
            [&](const db::Foreign::Row& row) {
                for (std::size_t i = 0; i < row.size(); ++i) {
                    std::int64_t id = 0;
                    if (!row[i]) continue;
                    std::from_chars(row[i]->data(), row[i]->data() + row[i]->size(), id);
                    (i == 0 ? there : kept.accounts).push_back(id);
                }
            }
        );
        add(db,
            "SELECT DISTINCT account_id FROM mentions WHERE status_id = ANY(CAST($1 AS bigint[]))",
            {ids},
            kept.accounts);
        sort(kept.accounts);
    });
    kept.statuses = std::move(there);
    sort(kept.statuses);
}

// Those of protocols that nobody speaks any more have no inbox.
void look_at_accounts(db::Foreign& db, Kept& kept) {
    Ids there;
    in_parts(kept.accounts, [&](const std::string& ids) {
        add(db,
            "SELECT id FROM accounts WHERE id = ANY(CAST($1 AS bigint[])) AND (domain IS NULL OR protocol = "
            "1)",
            {ids},
            there);
    });
    kept.accounts = std::move(there);
    sort(kept.accounts);
}

}  // namespace

Kept find_kept(db::Foreign& db, bool everything) {
    Kept kept;
    if (everything) {
        add(db, "SELECT id FROM statuses", {}, kept.statuses);
        add(db, "SELECT id FROM accounts", {}, kept.accounts);
    } else {
        auto all = [&](const auto& queries, Ids& ids) {
            for (const auto* sql : queries) {
                add(db, sql, {}, ids);
                sort(ids);
            }
        };
        all(status_queries, kept.statuses);
        if (!db.columns_of("quotes").empty()) all(quote_queries, kept.statuses);
        all(account_queries, kept.accounts);
        add(db, limited_accounts, {}, kept.accounts);
        for (const std::string name : tables_of_targets)
            if (!db.columns_of(name).empty())
                add(db, "SELECT DISTINCT target_account_id FROM " + name, {}, kept.accounts);
        if (!db.columns_of("reports").empty()) {
            all(report_queries, kept.statuses);
            all(account_report_queries, kept.accounts);
        }
    }
    sort(kept.statuses);
    look_at_statuses(db, kept);
    sort(kept.accounts);
    look_at_accounts(db, kept);
    return kept;
}

}  // namespace takeover::mastodon

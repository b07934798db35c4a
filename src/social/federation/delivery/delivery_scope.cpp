// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/delivery_scope.hpp"

#include "social/federation/delivery/recipients.hpp"

namespace federation {

const db::Query<DeliveryScope> delivery_scope_of_status{
    "delivery_scope_of_status",
    R"(SELECT s.id, s.account_id AS account, s.reblog_of_id AS reblog_of, s.in_reply_to_id AS in_reply_to,
           (SELECT q.quoted_status_id FROM quotes q WHERE q.status_id = s.id) AS quoted,
           s.in_reply_to_account_id AS in_reply_to_account, (COALESCE(p.domain = '', FALSE) AND s.reply_state = 'shown') AS in_reply_to_local,
           COALESCE(o.account_id = s.account_id, FALSE) AS own_reblog,
           s.deleted_at IS NOT NULL AS deleted, s.visibility, COALESCE(s.edited_at, 0) AS version
       FROM statuses s JOIN accounts a ON a.id = s.account_id
           LEFT JOIN accounts p ON p.id = s.in_reply_to_account_id LEFT JOIN statuses o ON o.id = s.reblog_of_id
       WHERE s.id = $1 AND a.domain = '' AND s.local_only = FALSE AND a.suspended_by <> 'gone'
           AND EXISTS (SELECT 1 FROM actors))"
};

std::optional<DeliveryScope> delivery_scope(db::Read& db, StatusId id) {
    return db.maybe(delivery_scope_of_status, id);
}

std::vector<RecipientGroup> recipients_of(const DeliveryScope& t) {
    using enum Source;
    using statuses::Visibility;
    if (t.reblog_of) {
        std::vector<RecipientGroup> groups{{author, t.reblog_of.value}, {followers, t.account.value}};
        if (t.own_reblog && t.visibility == Visibility::public_) groups.push_back({Source::relays, 0});
        return groups;
    }
    const auto id = t.id.value;
    const bool open = t.visibility == Visibility::public_ || t.visibility == Visibility::unlisted;
    std::vector<RecipientGroup> groups{{mentioned, id}};
    if (open || t.deleted) {
        if (t.in_reply_to) groups.push_back({author, t.in_reply_to.value});
        if (t.quoted) groups.push_back({author, t.quoted.value});
    }
    if (open || t.visibility == Visibility::private_) groups.push_back({followers, t.account.value});
    if (open || t.deleted) {
        for (auto source : {boosters, favouriters, repliers, quoters}) groups.push_back({source, id});
        if (t.visibility == Visibility::public_) groups.push_back({Source::relays, 0});
        if (open && t.in_reply_to_local && t.in_reply_to_account != t.account)
            groups.push_back({followers, t.in_reply_to_account.value});
    }
    return groups;
}

std::vector<RecipientGroup> recipients_of_actor(AccountId account) {
    return {{Source::followers, account.value}, {Source::correspondents, account.value}, {Source::relays, 0}};
}

std::vector<RecipientGroup> recipients_of_everybody(AccountId account) {
    return {
        {Source::followers, account.value}, {Source::relays, 0}, {Source::everybody, 0}, {Source::alone, 0}
    };
}

std::vector<RecipientGroup> recipients_of_move(AccountId account) {
    return {{Source::followers, account.value}, {Source::blockers, account.value}, {Source::relays, 0}};
}

namespace {

struct Found {
    std::int64_t at = 0;
    std::string inbox;  // empty: a local or suspended account
};
DESCRIBE(Found, at, inbox)

constexpr int page = 500;

}  // namespace

// A page of accounts as inboxes, each with its cursor.
#define INBOXES_OF(accounts_found)                                                               \
    "SELECT r.at, CASE WHEN a.id IS NULL THEN '' WHEN t.shared_inbox <> '' THEN t.shared_inbox " \
    "ELSE t.inbox END AS inbox FROM (" accounts_found                                            \
    " LIMIT $3) r "                                                                              \
    "LEFT JOIN actors t ON t.account_id = r.account_id "                                         \
    "LEFT JOIN accounts a ON a.id = t.account_id AND a.suspended_at IS NULL ORDER BY r.at"

const db::Query<Found> inboxes_of_followers{
    "inboxes_of_followers",
    INBOXES_OF("SELECT id AS at, account_id FROM follows WHERE target_id = $1 AND id > $2 ORDER BY id")
};
const db::Query<Found> inboxes_of_mentioned{
    "inboxes_of_mentioned",
    INBOXES_OF("SELECT account_id AS at, account_id FROM mentions WHERE status_id = $1 AND account_id > $2 "
               "ORDER BY account_id")
};
const db::Query<Found> inboxes_of_author{
    "inboxes_of_author", INBOXES_OF("SELECT id AS at, account_id FROM statuses WHERE id = $1 AND id > $2")
};
const db::Query<Found> inboxes_of_boosters{
    "inboxes_of_boosters",
    INBOXES_OF("SELECT id AS at, account_id FROM statuses WHERE reblog_of_id = $1 AND id > $2 ORDER BY id")
};
const db::Query<Found> inboxes_of_favouriters{
    "inboxes_of_favouriters",
    INBOXES_OF("SELECT id AS at, account_id FROM favourites WHERE status_id = $1 AND id > $2 ORDER BY id")
};
const db::Query<Found> inboxes_of_repliers{
    "inboxes_of_repliers",
    INBOXES_OF("SELECT id AS at, account_id FROM statuses WHERE in_reply_to_id = $1 AND id > $2 "
               "AND deleted_at IS NULL ORDER BY id")
};
const db::Query<Found> inboxes_of_quoters{
    "inboxes_of_quoters",
    INBOXES_OF("SELECT id AS at, account_id FROM quotes WHERE quoted_status_id = $1 AND id > $2 "
               "AND state = 'accepted' ORDER BY id")
};
// One account per server, stepping from one shared inbox to the next, so that the cost does not depend on the
// number of accounts. The cursor is that account; if it is deleted meanwhile, the walk starts again.
const db::Query<Found> inboxes_of_everybody{
    "inboxes_of_everybody",
    R"(WITH RECURSIVE servers(inbox, number) AS (
           SELECT (SELECT min(x.shared_inbox) FROM actors x WHERE x.shared_inbox <> '' AND x.shared_inbox >
                      COALESCE((SELECT z.shared_inbox FROM actors z WHERE z.account_id = $2), '')), CAST(1 AS BIGINT)
           UNION ALL
           SELECT (SELECT min(x.shared_inbox) FROM actors x WHERE x.shared_inbox <> '' AND x.shared_inbox > s.inbox),
               s.number + 1
           FROM servers s WHERE s.inbox IS NOT NULL AND s.number < $3)
       SELECT (SELECT min(x.account_id) FROM actors x WHERE x.shared_inbox = s.inbox AND x.shared_inbox <> '') AS at,
           s.inbox
       FROM servers s WHERE s.inbox IS NOT NULL AND CAST($1 AS BIGINT) = 0 ORDER BY s.number)"
};
const db::Query<Found> inboxes_of_alone{
    "inboxes_of_alone",
    INBOXES_OF("SELECT account_id AS at, account_id FROM actors WHERE shared_inbox = '' AND account_id > $2 "
               "AND CAST($1 AS BIGINT) = 0 ORDER BY account_id")
};
const db::Query<Found> inboxes_of_relays{
    "inboxes_of_relays",
    "SELECT id AS at, inbox FROM relays WHERE state = 'accepted' AND id > $2 AND CAST($1 AS BIGINT) = 0 "
    "ORDER BY id LIMIT $3"
};
const db::Query<Found> inboxes_of_blockers{
    "inboxes_of_blockers",
    INBOXES_OF("SELECT id AS at, account_id FROM blocks WHERE target_id = $1 AND id > $2 ORDER BY id")
};
// collection_items belongs to collections.
const db::Query<Found> inboxes_of_featured{
    "inboxes_of_featured",
    INBOXES_OF("SELECT account_id AS at, account_id FROM collection_items WHERE collection_id = $1 AND "
               "account_id > $2 "
               "AND state IN ('pending', 'accepted') ORDER BY account_id")
};
// Accounts that this one mentioned, followed or asked to follow in the last two days: at most a few thousand.
const db::Query<Found> inboxes_of_correspondents{
    "inboxes_of_correspondents",
    INBOXES_OF("SELECT DISTINCT c.account_id AS at, c.account_id FROM ("
               "SELECT m.account_id FROM statuses s JOIN mentions m ON m.status_id = s.id "
               "WHERE s.account_id = $1 AND s.id > $4 AND s.deleted_at IS NULL "
               "UNION ALL SELECT target_id FROM follows WHERE account_id = $1 AND id > $4 "
               "UNION ALL SELECT target_id FROM follow_requests WHERE account_id = $1 AND id > $4) c "
               "WHERE c.account_id > $2 ORDER BY c.account_id")
};

namespace {

std::vector<Found> found_recipients(db::Read& db, const RecipientGroup& group) {
    std::vector<Found> out;
    for (auto& one : recipients(db, StatusId{group.of}, InboxId{group.after}, page))
        out.push_back({one.at.value, std::move(one.inbox)});
    return out;
}

std::vector<Found> found(db::Read& db, const RecipientGroup& group) {
    constexpr std::int64_t two_days = 2 * 86'400;
    const auto all = [&](const db::Query<Found>& query) {
        return db.all(query, group.of, group.after, page);
    };
    switch (group.source) {
        case Source::followers: return all(inboxes_of_followers);
        case Source::mentioned: return all(inboxes_of_mentioned);
        case Source::author: return all(inboxes_of_author);
        case Source::boosters: return all(inboxes_of_boosters);
        case Source::favouriters: return all(inboxes_of_favouriters);
        case Source::repliers: return all(inboxes_of_repliers);
        case Source::quoters: return all(inboxes_of_quoters);
        case Source::everybody: return all(inboxes_of_everybody);
        case Source::alone: return all(inboxes_of_alone);
        case Source::relays: return all(inboxes_of_relays);
        case Source::blockers: return all(inboxes_of_blockers);
        case Source::recipients: return found_recipients(db, group);
        case Source::featured: return all(inboxes_of_featured);
        case Source::correspondents: break;
    }
    auto since = db.now().plus_seconds(-two_days).ms << 16;  // ids contain their time
    return db.all(inboxes_of_correspondents, group.of, group.after, page, since);
}

}  // namespace

RecipientPage recipient_page(db::Read& db, const RecipientGroup& group) {
    RecipientPage out;
    auto some = found(db, group);
    for (auto& one : some)
        if (!one.inbox.empty()) out.inboxes.push_back(std::move(one.inbox));
    if (some.size() == page) out.rest = RecipientGroup{group.source, group.of, some.back().at};
    return out;
}

// Suspended accounts have no inbox except for a deletion notice ($2). Those of suspended servers are left out
// by send().
const db::Query<std::string> inbox_of_account{
    "inbox_of_account",
    R"(SELECT t.inbox FROM actors t JOIN accounts a ON a.id = t.account_id
       WHERE t.account_id = $1
           AND (a.suspended_at IS NULL OR a.suspended_by = 'domain' OR (a.suspended_by = '' AND $2)))"
};

std::string inbox_of(db::Read& db, AccountId account, bool deletion_notice) {
    return db.maybe(inbox_of_account, account, deletion_notice).value_or("");
}

const db::Query<std::string> wide_inbox_of_account{
    "wide_inbox_of_account",
    R"(SELECT CASE WHEN shared_inbox <> '' THEN shared_inbox ELSE inbox END AS inbox FROM actors
       WHERE account_id = $1)"
};

std::string wide_inbox_of(db::Read& db, AccountId account) {
    return db.maybe(wide_inbox_of_account, account).value_or("");
}

}  // namespace federation

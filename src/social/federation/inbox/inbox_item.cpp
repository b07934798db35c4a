// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/inbox_item.hpp"

#include "base/crypto.hpp"
#include "db/lock.hpp"

#include <algorithm>
#include <cstring>

namespace federation {

namespace {

// No other node processes an item while it is leased. Items that ask other servers are leased for as long as
// all of them may take to respond. The other lease is short, because items left leased after a lost database
// connection wait for its end.
constexpr std::int64_t batch_lease_seconds = 120, asking_lease_seconds = 600;
constexpr std::int64_t retry_seconds[] = {15, 60, 300, 1800, 7200, 14'400, 28'800};  // eight tries
constexpr std::int64_t seen_seconds = 14 * 86'400, early_end_seconds = 6 * 3600;
constexpr std::size_t longest_plain_id = 200;

std::int64_t order_key(std::string_view about) {
    auto hash = base::sha256(about);
    std::int64_t key = 0;
    std::memcpy(&key, hash.data(), sizeof key);
    return key;
}

// Long ids are hashed, as they are only compared.
std::string short_id(std::string_view id) {
    return id.size() <= longest_plain_id ? std::string(id) : "sha256:" + base::sha256_hex(id);
}

std::string question_whether_seen(const std::string& id) { return "seen " + id; }

std::string question_when_ended(const std::string& uri, const std::string& actor) {
    return "ended " + uri + ' ' + actor;
}

struct EarlyEnd {
    std::string uri, actor;
    Time ends_at;
};
DESCRIBE(EarlyEnd, uri, actor, ends_at)

}  // namespace

const db::Command insert_inbox_item{
    "insert_inbox_item",
    R"(INSERT INTO inbox_items (id, order_key, recipient_id, run_at, signer, synchronization, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7))"
};

void keep(db::Write& db, const Item& item, std::string_view about) {
    auto id = item.id ? item.id : db.new_id<ItemId>();
    // An item that is about no object needs no order: its own id is its key.
    auto key = about.empty() ? id.value : order_key(about);
    db.run(
        insert_inbox_item, id, key, item.recipient_id, db.now(), item.signer, item.synchronization, item.body
    );
    db.announce({std::string(inbox_channel), {}, {}});
}

// Items waiting for a retry do not block later ones.
#define WAITS_FOR_NOTHING                                                                          \
    "AND NOT EXISTS (SELECT 1 FROM inbox_items e WHERE e.order_key = i.order_key AND e.id < i.id " \
    "AND e.run_at <= $1) "

const db::Query<Item> lease_inbox_items{
    "lease_inbox_items",
    "UPDATE inbox_items SET leased_until = $2, leased_by = $5 WHERE id IN ("
    "SELECT i.id FROM inbox_items i WHERE i.asking = $4 AND i.run_at <= $1 AND i.leased_until < "
    "$1 " WAITS_FOR_NOTHING
    "ORDER BY i.run_at, i.id LIMIT $3 FOR UPDATE SKIP LOCKED) "
    "RETURNING id, recipient_id, attempts, signer, synchronization, body"
};

std::vector<Item> lease_items(db::Write& db, int at_most, bool asking) {
    const auto now = db.now();
    const auto until = now.plus_seconds(asking ? asking_lease_seconds : batch_lease_seconds);
    auto items = db.all(lease_inbox_items, now, until, at_most, asking, db.node());
    std::ranges::sort(items, {}, &Item::id);
    return items;
}

const db::Query<Time> next_inbox_item_due{
    "next_inbox_item_due",
    "SELECT run_at FROM inbox_items WHERE asking = $1 AND run_at > $2 ORDER BY run_at LIMIT 1"
};

std::optional<Time> next_due(db::Read& db, bool asking) {
    return db.maybe(next_inbox_item_due, asking, db.now());
}

const db::Command make_items_ask{
    "make_items_ask", "UPDATE inbox_items SET asking = TRUE, leased_until = 0 WHERE id IN LIST($1)"
};

void ask_for(db::Write& db, const std::vector<ItemId>& ids) { db.run(make_items_ask, ids); }

const db::Command give_back_inbox_item{
    "give_back_inbox_item", "UPDATE inbox_items SET leased_until = 0 WHERE id = $1"
};

void give_back(db::Write& db, ItemId id) { db.run(give_back_inbox_item, id); }

const db::Command delete_inbox_item{"delete_inbox_item", "DELETE FROM inbox_items WHERE id = $1"};

db::Changed remove_item(db::Write& db, ItemId id) { return db.run(delete_inbox_item, id); }

const db::Command postpone_inbox_item{
    "postpone_inbox_item",
    "UPDATE inbox_items SET attempts = attempts + 1, run_at = $2, leased_until = 0, error = $3 WHERE id = $1"
};

void postpone(db::Write& db, const Item& item, std::string_view error) {
    if (item.attempts >= std::ssize(retry_seconds)) {
        remove_item(db, item.id);
        return;
    }
    auto delay = retry_seconds[item.attempts];
    db.run(postpone_inbox_item, item.id, db.now().plus_seconds(delay), error);
}

const db::Command delay_inbox_item{
    "delay_inbox_item", "UPDATE inbox_items SET run_at = $2, leased_until = 0 WHERE id = $1"
};

void wait(db::Write& db, ItemId id, std::int64_t seconds) {
    db.run(delay_inbox_item, id, db.now().plus_seconds(seconds));
}

const db::Command insert_seen_activity{
    "insert_seen_activity",
    R"(INSERT INTO seen_activities (id, seen_at) SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT)
       WHERE NOT EXISTS (SELECT 1 FROM early_ends WHERE uri = $4 AND actor = $3 AND ends_at > $2)
       ON CONFLICT (id) DO NOTHING)"
};

db::Changed mark_seen(
    db::Write& db, std::string_view seen_as, std::string_view activity, std::string_view actor
) {
    return db.run(insert_seen_activity, short_id(seen_as), db.now(), short_id(actor), short_id(activity));
}

const db::Query<bool> activity_was_seen{
    "activity_was_seen", "SELECT EXISTS (SELECT 1 FROM seen_activities WHERE id = $1)"
};

bool was_seen(db::Read& db, std::string_view seen_as) {
    const auto id = short_id(seen_as);
    return db.memoized(question_whether_seen(id), [&] { return db.one(activity_was_seen, id); });
}

void expect_seen(db::Read& db, std::string_view seen_as) { db.expect(activity_was_seen, short_id(seen_as)); }

const db::Query<std::string> seen_activities_among{
    "seen_activities_among", "SELECT id FROM seen_activities WHERE id IN LIST($1)"
};

db::Remembering ask_whether_seen(db::Read& db, const std::vector<std::string>& seen_as) {
    std::vector<std::string> ids;
    for (const auto& one : seen_as) ids.push_back(short_id(one));
    db.expect(seen_activities_among, ids);
    return [&db, ids = std::move(ids)] {
        for (const auto& id : ids) db.remember(question_whether_seen(id), false);
        for (const auto& id : db.all(seen_activities_among, ids))
            db.remember(question_whether_seen(id), true);
    };
}

const db::Command delete_seen_activity{"delete_seen_activity", "DELETE FROM seen_activities WHERE id = $1"};

void forget_seen(db::Write& db, std::string_view seen_as) { db.run(delete_seen_activity, short_id(seen_as)); }

const db::Command insert_early_end{
    "insert_early_end",
    R"(INSERT INTO early_ends (uri, actor, ends_at) VALUES ($1, $2, $3)
       ON CONFLICT (uri, actor) DO UPDATE SET ends_at = excluded.ends_at)"
};

void end_early(db::Write& db, std::string_view uri, std::string_view actor) {
    db.run(insert_early_end, short_id(uri), short_id(actor), db.now().plus_seconds(early_end_seconds));
}

const db::Query<Time> early_end{"early_end", "SELECT ends_at FROM early_ends WHERE uri = $1 AND actor = $2"};

bool ended_early(db::Read& db, std::string_view uri, std::string_view actor) {
    const auto what = short_id(uri), whose = short_id(actor);
    const auto until =
        db.memoized(question_when_ended(what, whose), [&] { return db.maybe(early_end, what, whose); });
    return until && *until > db.now();
}

const db::Query<EarlyEnd> early_ends_among{
    "early_ends_among",
    "SELECT uri, actor, ends_at FROM early_ends WHERE uri IN LIST($1) AND actor IN LIST($2)"
};

db::Remembering ask_whether_ended_early(
    db::Read& db, const std::vector<std::pair<std::string, std::string>>& uris
) {
    std::vector<std::string> asked, actors, questions;
    for (const auto& [uri, actor] : uris) {
        asked.push_back(short_id(uri));
        actors.push_back(short_id(actor));
        questions.push_back(question_when_ended(asked.back(), actors.back()));
    }
    db.expect(early_ends_among, asked, actors);
    return [&db, asked = std::move(asked), actors = std::move(actors), questions = std::move(questions)] {
        for (const auto& question : questions) db.remember(question, std::optional<Time>());
        for (const auto& one : db.all(early_ends_among, asked, actors))
            db.remember(question_when_ended(one.uri, one.actor), std::optional(one.ends_at));
    };
}

const db::Command purge_seen_activities{
    "purge_seen_activities",
    "DELETE FROM seen_activities WHERE id IN (SELECT id FROM seen_activities WHERE seen_at < $1 LIMIT $2)"
};
const db::Command purge_early_ends{
    "purge_early_ends",
    "DELETE FROM early_ends WHERE ends_at IN (SELECT ends_at FROM early_ends WHERE ends_at < $1 LIMIT $2)"
};

const db::Command release_inbox_items{
    "release_inbox_items", "UPDATE inbox_items SET leased_until = 0 WHERE " LEASED_BY("$1")
};

void release_items(db::Write& db, std::string_view node) {
    db.run(release_inbox_items, node);
    db.announce({std::string(inbox_channel), {}, {}});
}

void purge_more_seen(db::Write& db, const SeenLeft& left) {
    constexpr std::int64_t most_seen = 1000, most_ends = 500;
    const auto seen = db.run(purge_seen_activities, db.now().plus_seconds(-seen_seconds), most_seen);
    const auto ends = db.run(purge_early_ends, db.now(), most_ends);
    if (seen == most_seen || ends >= most_ends) db.emit(left);
}

void purge_inbox(db::Write& db) { purge_more_seen(db, {}); }

}  // namespace federation

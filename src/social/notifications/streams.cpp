// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/streams.hpp"

#include "social/notifications/notification_sql.hpp"

#include <algorithm>

namespace notifications {

// $1 account, $2 and $3 bounds, $4 types, $5 limit minus one.
#define DOWN "ORDER BY n.id DESC LIMIT $5 + 1"
#define UP "ORDER BY n.id LIMIT $5 + 1"
#define IN_BOUNDS(N) N ".account_id = $1 AND " N ".id > $2 AND " N ".id < $3 "
#define ALONE(N) "AND substr(" N ".group_key, 1, 10) = 'ungrouped-' AND " N ".filtered = FALSE "
#define GROUPED(N) "AND substr(" N ".group_key, 1, 10) <> 'ungrouped-' "

// The plus keeps SQLite from collecting rows by type and sorting them.
#define OF_ANY_TYPE(WHICH, ORDER)                                  \
    "SELECT n.id FROM notifications n WHERE " IN_BOUNDS("n") WHICH \
        "AND +n.type IN (SELECT value FROM json_each($4)) " ORDER, \
        "SELECT n.id FROM notifications n WHERE " IN_BOUNDS("n") WHICH "AND n.type = ANY($4::text[]) " ORDER

// For each type at most as many as the list needs.
#define OF_EACH_TYPE(WHICH, NEAR_END, FAR_END, NEAREST, ORDER)                                              \
    "SELECT n.id FROM json_each($4) t CROSS JOIN notifications n ON n.account_id = $1 AND n.type = "        \
    "t.value " WHICH("n") NEAR_END "COALESCE((SELECT y.id FROM notifications y WHERE " IN_BOUNDS("y"        \
    ) "AND y.type = t.value " WHICH("y") NEAREST " LIMIT 1 OFFSET $5), " FAR_END ") " ORDER,                \
        "SELECT n.id FROM unnest($4::text[]) t(type) CROSS JOIN LATERAL (SELECT y.id FROM notifications y " \
        "WHERE " IN_BOUNDS("y") "AND y.type = t.type " WHICH("y") NEAREST " LIMIT $5 + 1) n " ORDER
#define OF_EACH_TYPE_DOWN(WHICH) \
    OF_EACH_TYPE(WHICH, "AND n.id < $3 AND n.id >= ", "$2 + 1", "ORDER BY y.id DESC", DOWN)
#define OF_EACH_TYPE_UP(WHICH) \
    OF_EACH_TYPE(WHICH, "AND n.id > $2 AND n.id <= ", "$3 - 1", "ORDER BY y.id", UP)

const db::Query<NotificationId> alone_down{"alone_down", OF_ANY_TYPE(ALONE("n"), DOWN)};
const db::Query<NotificationId> alone_up{"alone_up", OF_ANY_TYPE(ALONE("n"), UP)};
const db::Query<NotificationId> filtered_down{"filtered_down", OF_ANY_TYPE("AND n.filtered = TRUE ", DOWN)};
const db::Query<NotificationId> filtered_up{"filtered_up", OF_ANY_TYPE("AND n.filtered = TRUE ", UP)};
const db::Query<NotificationId> alone_of_types_down{"alone_of_types_down", OF_EACH_TYPE_DOWN(ALONE)};
const db::Query<NotificationId> alone_of_types_up{"alone_of_types_up", OF_EACH_TYPE_UP(ALONE)};
const db::Query<NotificationId> grouped_of_types_down{"grouped_of_types_down", OF_EACH_TYPE_DOWN(GROUPED)};
const db::Query<NotificationId> grouped_of_types_up{"grouped_of_types_up", OF_EACH_TYPE_UP(GROUPED)};

namespace {

Ids ask(
    db::Read& db, const db::Query<NotificationId>& down, const db::Query<NotificationId>& up,
    AccountId account, const base::Range& range, const std::vector<std::string>& types
) {
    if (types.empty()) return {};
    return db.all(range.ascending ? up : down, account, range.above, range.below, types, range.limit - 1);
}

auto nearest_first(const base::Range& range) {
    return [ascending = range.ascending](NotificationId id) { return ascending ? id.value : -id.value; };
}

}  // namespace

void Stretch::end_at(NotificationId id, const base::Range& range) {
    auto by = nearest_first(range);
    if (!complete_to || by(id) < by(*complete_to)) complete_to = id;
    std::erase_if(ids, [&](NotificationId one) { return by(one) > by(*complete_to); });
}

void Stretch::merge(Ids more, const base::Range& range) {
    ids.insert(ids.end(), more.begin(), more.end());
    std::ranges::sort(ids, {}, nearest_first(range));
    bool full = more.size() >= static_cast<std::size_t>(range.limit);
    if (full || complete_to) end_at(full ? more.back() : *complete_to, range);
}

Ids alone(db::Read& db, AccountId account, const base::Range& range, const Filter& filter) {
    auto found = filter.chosen ? ask(db, alone_of_types_down, alone_of_types_up, account, range, filter.types)
                               : ask(db, alone_down, alone_up, account, range, filter.types);
    if (!filter.include_filtered) return found;
    auto filtered = ask(db, filtered_down, filtered_up, account, range, filter.types);
    found.insert(found.end(), filtered.begin(), filtered.end());
    std::ranges::sort(found, {}, nearest_first(range));
    if (found.size() > static_cast<std::size_t>(range.limit))
        found.resize(static_cast<std::size_t>(range.limit));
    return found;
}

Ids members_of_types(
    db::Read& db, AccountId account, const base::Range& range, const std::vector<std::string>& types
) {
    return ask(db, grouped_of_types_down, grouped_of_types_up, account, range, types);
}

Stretch of_types(db::Read& db, AccountId account, const base::Range& range, const Filter& filter) {
    Stretch found;
    found.merge(alone(db, account, range, filter), range);
    found.merge(members_of_types(db, account, range, filter.types), range);
    return found;
}

const db::Query<Notification> notifications_by_ids{
    "notifications_by_ids",
    NOTIFICATION_COLUMNS
    "JOIN accounts a ON a.id = n.from_account_id WHERE n.id IN LIST($1) "
    "AND a.suspended_at IS NULL"
};

std::vector<Notification> rows(db::Read& db, const Ids& ids) {
    if (ids.empty()) return {};
    auto found = db.all(notifications_by_ids, ids);
    std::ranges::sort(found, {}, &Notification::id);
    std::vector<Notification> out;
    out.reserve(found.size());
    for (auto id : ids) {
        auto row = std::ranges::lower_bound(found, id, {}, &Notification::id);
        if (row != found.end() && row->id == id) out.push_back(std::move(*row));
    }
    return out;
}

const db::Query<std::int64_t> cleared_up_to{
    "cleared_up_to", "SELECT up_to FROM notification_clearings WHERE account_id = $1"
};

base::Range uncleared(db::Read& db, AccountId account, base::Range range) {
    range.above = std::max(range.above, db.maybe(cleared_up_to, account).value_or(0));
    return range;
}

// The table markers belongs to timelines.
const db::Query<std::int64_t> last_read_notification{
    "last_read_notification",
    "SELECT last_read_id FROM markers WHERE account_id = $1 AND timeline = 'notifications'"
};

std::int64_t last_read(db::Read& db, AccountId account) {
    return db.maybe(last_read_notification, account).value_or(0);
}

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/group_heads.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace notifications {

namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();
// The longest duration of a group (notify.cpp: group_key), in ids, which contain times.
constexpr std::int64_t longest_group = (13 * std::int64_t{3'600'000}) << 16;

struct Extent {
    std::string group_key, type;
    NotificationId oldest_id, newest_id;
};
DESCRIBE(Extent, group_key, type, oldest_id, newest_id)

}  // namespace

#define GROUPS "SELECT group_key, type, oldest_id, newest_id FROM notification_groups WHERE account_id = $1 "

const db::Query<Extent> groups_by_newest{
    "groups_by_newest", GROUPS "AND newest_id > $2 AND newest_id < $3 ORDER BY newest_id DESC LIMIT $4"
};
const db::Query<Extent> groups_by_oldest{
    "groups_by_oldest", GROUPS "AND oldest_id > $2 AND oldest_id < $3 ORDER BY oldest_id LIMIT $4"
};
// Groups that lie on both sides of an edge ($3), begun after $2.
const db::Query<Extent> groups_across{
    "groups_across", GROUPS "AND oldest_id > $2 AND oldest_id <= $3 AND newest_id >= $3"
};

#define FIRST_MEMBERS(KEYS, ORDER)                                                          \
    "SELECT (SELECT m.id FROM notifications m JOIN accounts b ON b.id = m.from_account_id " \
    "WHERE m.account_id = $1 AND m.group_key = k.value AND m.id > $2 AND m.id < $3 "        \
    "AND b.suspended_at IS NULL " ORDER " LIMIT 1) AS id FROM " KEYS
#define KEYS_SQLITE "list($4) k"
#define KEYS_POSTGRES "unnest($4::text[]) k(value)"

const db::Query<NotificationId> newest_of_groups{
    "newest_of_groups",
    FIRST_MEMBERS(KEYS_SQLITE, "ORDER BY m.id DESC"),
    FIRST_MEMBERS(KEYS_POSTGRES, "ORDER BY m.id DESC")
};
const db::Query<NotificationId> oldest_of_groups{
    "oldest_of_groups",
    FIRST_MEMBERS(KEYS_SQLITE, "ORDER BY m.id"),
    FIRST_MEMBERS(KEYS_POSTGRES, "ORDER BY m.id")
};

Heads::Heads(db::Read& db, AccountId account, const base::Range& range, const GroupFilter& filter)
    : db_(db), account_(account), edges_(uncleared(db, account, range)), rest_(edges_), filter_(filter) {
    for (const auto& type : groupable()) {
        if (std::ranges::find(filter.which.types, type) == filter.which.types.end()) continue;
        bool grouped = std::ranges::find(filter.grouped, type) != filter.grouped.end();
        (grouped ? grouped_ : single_).push_back(type);
    }
    if (filter.which.nothing) more_ = false;
}

Ids Heads::heads_of(const std::vector<std::string>& keys) {
    const auto& sql = edges_.ascending ? oldest_of_groups : newest_of_groups;
    auto found = keys.empty() ? Ids{} : db_.all(sql, account_, edges_.above, edges_.below, keys);
    std::erase(found, NotificationId{});  // groups of suspended accounts only, or beyond the other edge
    return found;
}

std::vector<Notification> Heads::next(int limit) {
    if (!more_) return {};
    rest_.limit = limit;
    bool up = rest_.ascending;
    std::vector<std::string> keys;
    auto take = [&](const Extent& group) {
        if (std::ranges::find(grouped_, group.type) != grouped_.end()) keys.push_back(group.group_key);
    };
    auto groups =
        db_.all(up ? groups_by_oldest : groups_by_newest, account_, rest_.above, rest_.below, limit);
    for (const auto& group : groups) take(group);
    if (!std::exchange(begun_, true)) {
        auto edge = up ? edges_.above : edges_.below;
        if (edge > 0 && edge < no_end)
            db_.each(groups_across, take, account_, edge > longest_group ? edge - longest_group : 0, edge);
    }

    Stretch found;
    found.merge(alone(db_, account_, rest_, filter_.which), rest_);
    if (!single_.empty()) found.merge(members_of_types(db_, account_, rest_, single_), rest_);
    if (groups.size() == static_cast<std::size_t>(limit))
        found.end_at(up ? groups.back().oldest_id : groups.back().newest_id, rest_);
    auto heads = heads_of(keys);
    auto by = [&](NotificationId id) { return up ? id.value : -id.value; };
    waiting_.insert(waiting_.end(), heads.begin(), heads.end());
    waiting_.insert(waiting_.end(), found.ids.begin(), found.ids.end());
    std::ranges::sort(waiting_, {}, by);
    auto end = found.complete_to ? std::ranges::upper_bound(waiting_, by(*found.complete_to), {}, by)
                                 : waiting_.end();
    Ids ready(waiting_.begin(), end);
    waiting_.erase(waiting_.begin(), end);
    more_ = found.complete_to.has_value();
    if (more_) (up ? rest_.above : rest_.below) = found.complete_to->value;
    return rows(db_, ready);
}

}  // namespace notifications

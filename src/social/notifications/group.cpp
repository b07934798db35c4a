// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/group.hpp"

#include "social/notifications/notification_sql.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace notifications {

namespace {

constexpr std::string_view ungrouped = "ungrouped-";
constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

// The notification that an "ungrouped-" key names.
std::optional<NotificationId> alone(std::string_view key) {
    if (!key.starts_with(ungrouped)) return std::nullopt;
    key.remove_prefix(ungrouped.size());
    NotificationId id;
    std::from_chars(key.data(), key.data() + key.size(), id.value);
    return id;
}

bool stands_in_group(const Notification& n, const std::vector<std::string>& grouped) {
    return !n.group_key.starts_with(ungrouped) &&
           std::ranges::find(grouped, base::word(n.type)) != grouped.end();
}

}  // namespace

std::vector<std::string> groupable() { return {"favourite", "reblog", "follow", "admin_sign_up"}; }

// The first of its group as seen from the page's edge ($8), or of a type that is not grouped ($7).
#define HEAD(IS_GROUPED, BEFORE)                                                  \
    "AND (NOT " IS_GROUPED                                                        \
    " OR NOT EXISTS (SELECT 1 FROM notifications m "                              \
    "JOIN accounts b ON b.id = m.from_account_id "                                \
    "WHERE m.account_id = n.account_id AND m.group_key = n.group_key AND " BEFORE \
    " " NOT_CLEARED("m") "AND b.suspended_at IS NULL)) "
#define IS_GROUPED_SQLITE "n.type IN (SELECT value FROM json_each($7))"
#define IS_GROUPED_POSTGRES "n.type = ANY($7::text[])"
#define NEWER "m.id > n.id AND m.id < $8"
#define OLDER "m.id < n.id AND m.id > $8"
#define DOWN "ORDER BY n.id DESC LIMIT $6"
#define UP "ORDER BY n.id LIMIT $6"

const db::Query<Notification> group_heads_down{
    "group_heads_down",
    NOTIFICATIONS_IN_RANGE OF_TYPES_SQLITE HEAD(IS_GROUPED_SQLITE, NEWER) DOWN,
    NOTIFICATIONS_IN_RANGE OF_TYPES_POSTGRES HEAD(IS_GROUPED_POSTGRES, NEWER) DOWN
};
const db::Query<Notification> group_heads_up{
    "group_heads_up",
    NOTIFICATIONS_IN_RANGE OF_TYPES_SQLITE HEAD(IS_GROUPED_SQLITE, OLDER) UP,
    NOTIFICATIONS_IN_RANGE OF_TYPES_POSTGRES HEAD(IS_GROUPED_POSTGRES, OLDER) UP
};

namespace {

std::vector<Notification> heads(
    db::Read& db, const statuses::Audience& recipient, const base::Range& range, const GroupFilter& filter
) {
    std::vector<Notification> page;
    if (filter.which.nothing) return page;
    auto wanted = static_cast<std::size_t>(range.limit);
    auto rest = range;
    while (page.size() < wanted) {
        auto found = db.all(
            range.ascending ? group_heads_up : group_heads_down,
            recipient.viewer,
            rest.above,
            rest.below,
            filter.which.types,
            filter.which.include_filtered,
            rest.limit,
            filter.grouped,
            range.ascending ? range.above : range.below
        );
        bool more = found.size() == wanted;
        if (more) (rest.ascending ? rest.above : rest.below) = found.back().id.value;
        for (auto& n : kept(db, recipient, std::move(found)))
            if (page.size() < wanted) page.push_back(std::move(n));
        if (!more) break;
    }
    if (range.ascending) std::ranges::reverse(page);
    return page;
}

struct Sample {
    std::string group_key;
    NotificationId id;
    AccountId account_id;
    std::int64_t version = 0;
    base::Time created_at;
    std::int64_t total = 0;
    NotificationId oldest;
};
DESCRIBE(Sample, group_key, id, account_id, version, created_at, total, oldest)

}  // namespace

// $2 keys, $3 the oldest and $4 the newest notification of the page, $5 how many samples of each.
#define SAMPLES                                                                            \
    "SELECT group_key, id, account_id, version, created_at, total, oldest FROM ("          \
    "SELECT n.group_key, n.id, n.from_account_id AS account_id, a.version, n.created_at, " \
    "count(*) OVER (PARTITION BY n.group_key) AS total, "                                  \
    "min(CASE WHEN n.id >= $3 THEN n.id END) OVER (PARTITION BY n.group_key) AS oldest, "  \
    "row_number() OVER (PARTITION BY n.group_key ORDER BY n.id DESC) AS place "            \
    "FROM notifications n JOIN accounts a ON a.id = n.from_account_id "                    \
    "WHERE n.account_id = $1 AND n.id <= $4 AND a.suspended_at IS NULL " NOT_CLEARED("n") "AND n.group_key "
#define SAMPLES_END ") x WHERE place <= $5 ORDER BY id DESC"

const db::Query<Sample> group_samples{
    "group_samples",
    SAMPLES "IN (SELECT value FROM json_each($2))" SAMPLES_END,
    SAMPLES "= ANY($2::text[])" SAMPLES_END
};

namespace {

// Which notifications the page speaks of, by id.
struct Slice {
    std::int64_t oldest = 0, newest = no_end;
};

// A page that is not full reaches to the end of what was asked for.
Slice slice_of(const std::vector<Notification>& heads, const base::Range& range) {
    Slice slice{heads.back().id.value, heads.front().id.value};
    if (heads.size() == static_cast<std::size_t>(range.limit)) return slice;
    if (range.ascending) slice.newest = range.below == no_end ? no_end : range.below - 1;
    else slice.oldest = range.above + 1;
    return slice;
}

Group alone(const Notification& n) {
    Group group{n, std::string(ungrouped) + std::to_string(n.id.value), 1, n.id, n.id, n.created_at, {}};
    group.samples.push_back({n.from_account_id, n.from_version});
    return group;
}

std::vector<Group> filled(
    db::Read& db, AccountId account, std::vector<Notification> heads, Slice slice,
    const std::vector<std::string>& grouped
) {
    std::vector<Group> out;
    std::vector<std::string> keys;
    std::unordered_map<std::string, std::size_t> places;
    for (auto& head : heads) {
        out.push_back(alone(head));
        if (!stands_in_group(head, grouped)) continue;
        out.back().key = head.group_key;
        out.back().samples.clear();
        places.emplace(head.group_key, out.size() - 1);
        keys.push_back(head.group_key);
    }
    if (keys.empty()) return out;
    constexpr int samples = 8;
    for (const auto& s : db.all(group_samples, account, keys, slice.oldest, slice.newest, samples)) {
        auto& group = out[places.at(s.group_key)];
        if (group.samples.empty()) {
            group.newest = s.id;
            group.latest = s.created_at;
            group.count = s.total;
            group.oldest_of_page = s.oldest;
        }
        group.samples.push_back({s.account_id, s.version});
    }
    return out;
}

}  // namespace

std::vector<Group> groups(
    db::Read& db, const statuses::Audience& recipient, const base::Range& range, const GroupFilter& filter
) {
    auto found = heads(db, recipient, range, filter);
    if (found.empty()) return {};
    auto slice = slice_of(found, range);
    return filled(db, recipient.viewer, std::move(found), slice, filter.grouped);
}

const db::Query<Notification> newest_of_group{
    "newest_of_group",
    NOTIFICATION_COLUMNS
    "WHERE n.account_id = $1 AND n.group_key = $2 AND a.suspended_at IS NULL " NOT_CLEARED("n"
    ) "ORDER BY n.id DESC LIMIT 1"
};

Group group(db::Read& db, const statuses::Audience& recipient, std::string_view key) {
    if (auto id = alone(key)) return alone(notification(db, recipient, *id));
    auto found = kept(db, recipient, {db.one(newest_of_group, recipient.viewer, key)});
    if (found.empty()) throw base::NotFound();
    return filled(db, recipient.viewer, std::move(found), {}, groupable())[0];
}

#define UNREAD_HEAD(IS_GROUPED)                                                        \
    "AND (NOT " IS_GROUPED                                                             \
    " OR NOT EXISTS (SELECT 1 FROM notifications m "                                   \
    "JOIN accounts b ON b.id = m.from_account_id "                                     \
    "WHERE m.account_id = n.account_id AND m.group_key = n.group_key AND m.id > n.id " \
    "AND b.suspended_at IS NULL)) LIMIT $3) x"

const db::Query<std::int64_t> count_unread_groups{
    "count_unread_groups",
    "SELECT count(*) FROM (SELECT 1 " UNREAD_NOTIFICATIONS UNREAD_TYPES_SQLITE
        UNREAD_HEAD("n.type IN (SELECT value FROM json_each($4))"),
    "SELECT count(*) FROM (SELECT 1 " UNREAD_NOTIFICATIONS UNREAD_TYPES_POSTGRES
        UNREAD_HEAD("n.type = ANY($4::text[])")
};

std::int64_t unread_groups(db::Read& db, AccountId account, std::int64_t limit, const GroupFilter& filter) {
    if (filter.which.nothing) return 0;
    return db.one(count_unread_groups, account, filter.which.types, limit, filter.grouped);
}

const db::Command dismiss_by_group{
    "dismiss_by_group", "DELETE FROM notifications WHERE account_id = $1 AND group_key = $2"
};

void dismiss_group(db::Write& db, AccountId account, std::string_view key) {
    if (auto id = alone(key)) {
        try {
            dismiss(db, account, *id);
        } catch (const base::NotFound&) {
            // Dismissed already, or never there: the answer is the same.
        }
        return;
    }
    db.run(dismiss_by_group, account, key);
}

const db::Query<Member> members_of_group{
    "members_of_group",
    "SELECT n.id, n.from_account_id AS account_id, a.version "
    "FROM notifications n JOIN accounts a ON a.id = n.from_account_id "
    "WHERE n.account_id = $1 AND n.group_key = $2 AND n.id > $3 AND n.id < $4 AND a.suspended_at IS "
    "NULL " NOT_CLEARED("n") "ORDER BY n.id DESC LIMIT $5"
};

std::vector<Member> members(db::Read& db, AccountId account, std::string_view key, const base::Range& range) {
    if (alone(key)) return {};
    return db.all(members_of_group, account, key, range.above, range.below, range.limit);
}

}  // namespace notifications

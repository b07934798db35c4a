// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/group.hpp"

#include "social/notifications/group_heads.hpp"
#include "social/notifications/notification_sql.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace notifications {

namespace {

constexpr std::string_view ungrouped = "ungrouped-";
constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

// The notification id in an "ungrouped-" key.
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

namespace {

std::vector<Notification> heads(
    db::Read& db, const statuses::Audience& recipient, const base::Range& range, const GroupFilter& filter,
    StatusFacts& facts
) {
    std::vector<Notification> page;
    auto wanted = static_cast<std::size_t>(range.limit);
    Heads found(db, recipient.viewer, range, filter);
    while (page.size() < wanted && found.more())
        for (auto& n : kept(db, recipient, found.next(range.limit), facts))
            if (page.size() < wanted) page.push_back(std::move(n));
    if (range.ascending) std::ranges::reverse(page);
    return page;
}

// `place`: index of its group among the requested keys.
struct Sample {
    int place = 0;
    NotificationId id;
    AccountId account_id;
    std::int64_t version = 0;
    base::Time created_at;
    bool suspended = false;
};
DESCRIBE(Sample, place, id, account_id, version, created_at, suspended)

struct Summary {
    std::string group_key;
    std::int64_t count = 0;
    NotificationId oldest;
};
DESCRIBE(Summary, group_key, count, oldest)

}  // namespace

// $1 account, $2 keys, $3 the newest notification of the page, $4 the id up to which notifications were
// cleared, $5 limit minus one.
#define SHOWN_MEMBERS(N, A, KEY)                                                                 \
    "JOIN accounts " A " ON " A ".id = " N ".from_account_id WHERE " N ".account_id = $1 AND " N \
    ".group_key = " KEY " AND " N ".id <= $3 AND " N ".id > $4 AND " A ".suspended_at IS NULL "
#define SAMPLE "n.id, n.from_account_id AS account_id, a.version, n.created_at"

// Reads some more than are shown, so that most groups are read completely. On SQLite those of suspended
// accounts are included, to avoid a second check of each.
const db::Query<Sample> group_samples{
    "group_samples",
    "SELECT k.place, " SAMPLE
    ", a.suspended_at IS NOT NULL AS suspended "
    "FROM list($2) k CROSS JOIN notifications n "
    "JOIN accounts a ON a.id = n.from_account_id WHERE n.account_id = $1 AND n.group_key = k.value "
    "AND n.id <= $3 AND n.id >= COALESCE((SELECT y.id FROM notifications y WHERE y.account_id = $1 "
    "AND y.group_key = k.value AND y.id <= $3 AND y.id > $4 ORDER BY y.id DESC LIMIT 1 OFFSET $5), $4 + 1)",
    "SELECT k.place - 1 AS place, s.id, s.account_id, s.version, s.created_at, FALSE AS suspended "
    "FROM unnest($2::text[]) WITH ORDINALITY k(value, place) "
    "CROSS JOIN LATERAL (SELECT " SAMPLE
    " FROM notifications n " SHOWN_MEMBERS("n", "a", "k.value") "ORDER BY n.id DESC LIMIT $5 + 1) s"
};

// The size of each group, and its oldest notification on the page ($5). Groups of up to $6 are counted
// without suspended accounts; of larger ones only notifications outside the page are subtracted.
#define SUMMARIES(KEYS)                                                                                    \
    "SELECT g.group_key, CASE WHEN g.members <= $6 THEN (SELECT count(*) FROM notifications "              \
    "n " SHOWN_MEMBERS(                                                                                    \
        "n", "a", "g.group_key"                                                                            \
    ) ") ELSE g.members - CASE WHEN g.newest_id <= $3 THEN 0 ELSE ("                                       \
      "SELECT count(*) FROM notifications n WHERE n.account_id = $1 AND n.group_key = g.group_key "        \
      "AND n.id > $3) END - CASE WHEN g.oldest_id > $4 THEN 0 ELSE (SELECT count(*) FROM notifications n " \
      "WHERE n.account_id = $1 AND n.group_key = g.group_key AND n.id <= $4) END END AS count, "           \
      "(SELECT n.id FROM notifications n " SHOWN_MEMBERS(                                                  \
          "n", "a", "g.group_key"                                                                          \
      ) "AND n.id >= $5 ORDER BY n.id LIMIT 1) AS oldest "                                                 \
        "FROM notification_groups g WHERE g.account_id = $1 AND g.group_key " KEYS

const db::Query<Summary> group_summaries{"group_summaries", SUMMARIES("IN LIST($2)")};

namespace {

// The range of ids that the page covers.
struct Slice {
    std::int64_t oldest = 0, newest = no_end;
};

// A page that is not full covers the rest of the requested range.
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
    constexpr int samples = 8, most_read = samples * 2, most_counted = 200;

    auto cleared = uncleared(db, account, {}).above;
    auto members = db.all(group_samples, account, keys, slice.newest, cleared, most_read - 1);
    std::ranges::sort(members, [](const Sample& a, const Sample& b) {
        return std::pair(a.place, b.id) < std::pair(b.place, a.id);  // newest first
    });
    std::vector<std::string> larger;
    auto member = members.begin();
    for (std::size_t place = 0; place < keys.size(); ++place) {
        auto& group = out[places.at(keys[place])];
        int read = 0, shown = 0;
        NotificationId oldest;
        for (; member != members.end() && member->place == static_cast<int>(place); ++member, ++read) {
            if (member->suspended) continue;
            if (member->id.value >= slice.oldest) oldest = member->id;
            if (shown++ == 0) {
                group.newest = member->id;
                group.latest = member->created_at;
            }
            if (shown <= samples) group.samples.push_back({member->account_id, member->version});
        }
        if (shown == 0) group.samples.push_back({group.head.from_account_id, group.head.from_version});
        if (read >= most_read) {
            larger.push_back(keys[place]);
            continue;
        }
        group.count = shown;
        group.oldest_of_page = oldest;
    }
    auto summaries =
        db.all(group_summaries, account, larger, slice.newest, cleared, slice.oldest, most_counted);
    for (const auto& s : summaries) {
        auto& group = out[places.at(s.group_key)];
        group.count = s.count;
        group.oldest_of_page = s.oldest;
    }
    return out;
}

}  // namespace

std::vector<Group> groups(
    db::Read& db, const statuses::Audience& recipient, const base::Range& range, const GroupFilter& filter,
    StatusFacts& facts
) {
    auto found = heads(db, recipient, range, filter, facts);
    if (found.empty()) return {};
    auto slice = slice_of(found, range);
    return filled(db, recipient.viewer, std::move(found), slice, filter.grouped);
}

const db::Query<Notification> newest_of_group{
    "newest_of_group",
    NOTIFICATION_COLUMNS
    "JOIN accounts a ON a.id = n.from_account_id "
    "WHERE n.account_id = $1 AND n.group_key = $2 AND a.suspended_at IS NULL " NOT_CLEARED("n"
    ) "ORDER BY n.id DESC LIMIT 1"
};

Group group(db::Read& db, const statuses::Audience& recipient, std::string_view key, StatusFacts& facts) {
    if (auto id = alone(key)) return alone(notification(db, recipient, *id, facts));
    auto found = kept(db, recipient, {db.one(newest_of_group, recipient.viewer, key)}, facts);
    if (found.empty()) throw base::NotFound();
    return filled(db, recipient.viewer, std::move(found), {}, groupable())[0];
}

// As many as the list would show.
std::int64_t unread_groups(db::Read& db, AccountId account, std::int64_t limit, const GroupFilter& filter) {
    base::Range unread;
    unread.above = last_read(db, account);
    unread.limit = static_cast<int>(limit);
    StatusFacts facts;
    return std::ssize(heads(db, statuses::audience(db, account), unread, filter, facts));
}

const db::Command dismiss_by_group{
    "dismiss_by_group", "DELETE FROM notifications WHERE account_id = $1 AND group_key = $2"
};

void dismiss_group(db::Write& db, AccountId account, std::string_view key) {
    if (auto id = alone(key)) {
        try {
            dismiss(db, account, *id);
        } catch (const base::NotFound&) {
            // Dismissed already, or never existed: the response is the same.
        }
        return;
    }
    db.run(dismiss_by_group, account, key);
}

#define MEMBERS                                                                                       \
    "SELECT n.id, n.from_account_id AS account_id, a.version "                                        \
    "FROM notifications n JOIN accounts a ON a.id = n.from_account_id "                               \
    "WHERE n.account_id = $1 AND n.group_key = $2 AND n.id > $3 AND n.id < $4 AND a.suspended_at IS " \
    "NULL " NOT_CLEARED("n")

const db::Query<Member> members_of_group{"members_of_group", MEMBERS "ORDER BY n.id DESC LIMIT $5"};
const db::Query<Member> members_of_group_up{"members_of_group_up", MEMBERS "ORDER BY n.id LIMIT $5"};

std::vector<Member> members(db::Read& db, AccountId account, std::string_view key, const base::Range& range) {
    if (alone(key)) return {};
    const auto& sql = range.ascending ? members_of_group_up : members_of_group;
    auto found = db.all(sql, account, key, range.above, range.below, range.limit);
    if (range.ascending) std::ranges::reverse(found);
    return found;
}

}  // namespace notifications

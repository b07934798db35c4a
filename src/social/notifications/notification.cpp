// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notification.hpp"

#include "social/accounts/standing.hpp"
#include "social/notifications/notification_sql.hpp"
#include "social/notifications/request.hpp"
#include "social/notifications/streams.hpp"

#include <algorithm>
#include <array>

namespace notifications {

namespace {

constexpr auto number_of_types = boost::mp11::mp_size<boost::describe::describe_enumerators<Type>>::value;

std::array<std::string, number_of_types> all_words() {
    std::array<std::string, number_of_types> words;
    for (std::size_t i = 0; i < number_of_types; ++i) {
        words[i] = base::word(static_cast<Type>(i));
        if (words[i].starts_with("admin_")) words[i][5] = '.';
    }
    return words;
}

}  // namespace

std::string word_of(Type type) {
    static const auto words = all_words();
    return words.at(static_cast<std::size_t>(type));
}

std::optional<Type> type_named(std::string_view word) {
    std::optional<Type> found;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<Type>>([&](auto e) {
        if (word_of(e.value) == word) found = e.value;
    });
    return found;
}

bool goes_with(Type type, std::int64_t permissions) {
    constexpr std::int64_t everything = 1, reports = 16, users = 1024;
    if (type == Type::admin_report) return permissions & (everything | reports);
    if (type == Type::admin_sign_up) return permissions & (everything | users);
    return true;
}

Filter filter_of(
    const std::vector<std::string>& types, const std::vector<std::string>& exclude_types,
    std::int64_t permissions
) {
    Filter filter;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<Type>>([&](auto e) {
        auto word = word_of(e.value);
        if (!goes_with(e.value, permissions)) return;
        bool wanted = types.empty() || std::ranges::find(types, word) != types.end();
        if (wanted && std::ranges::find(exclude_types, word) == exclude_types.end())
            filter.types.emplace_back(base::word(e.value));
    });
    filter.chosen = !types.empty() || !exclude_types.empty();
    filter.nothing = filter.types.empty();
    return filter;
}

#define PAGE_SQLITE NOTIFICATIONS_IN_RANGE OF_TYPES_SQLITE
#define PAGE_POSTGRES NOTIFICATIONS_IN_RANGE OF_TYPES_POSTGRES
#define FROM_ONE "AND n.from_account_id = $7 "
#define DOWN "ORDER BY n.id DESC LIMIT $6"
#define UP "ORDER BY n.id LIMIT $6"

// All types; $4 is the limit.
const db::Query<Notification> notifications_down{
    "notifications_down", NOTIFICATIONS_IN_RANGE "ORDER BY n.id DESC LIMIT $4"
};
const db::Query<Notification> notifications_up{
    "notifications_up", NOTIFICATIONS_IN_RANGE "ORDER BY n.id LIMIT $4"
};
const db::Query<Notification> notifications_from_down{
    "notifications_from_down", PAGE_SQLITE FROM_ONE DOWN, PAGE_POSTGRES FROM_ONE DOWN
};
const db::Query<Notification> notifications_from_up{
    "notifications_from_up", PAGE_SQLITE FROM_ONE UP, PAGE_POSTGRES FROM_ONE UP
};

namespace {

std::vector<Notification> batch(
    db::Read& db, AccountId account, const base::Range& range, const Filter& filter
) {
    if (filter.from)
        return db.all(
            range.ascending ? notifications_from_up : notifications_from_down,
            account,
            range.above,
            range.below,
            filter.types,
            filter.include_filtered,
            range.limit,
            filter.from
        );
    return db.all(
        range.ascending ? notifications_up : notifications_down,
        account,
        range.above,
        range.below,
        range.limit,
        filter.include_filtered
    );
}

}  // namespace

namespace {

template <class Id>
void leave_each_once(std::vector<Id>& ids) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

std::vector<Notification> kept(
    db::Read& db, const statuses::Audience& recipient, std::vector<Notification> found, StatusFacts& facts
) {
    std::vector<StatusId> ids;
    std::vector<AccountId> senders;
    for (const auto& n : found) {
        senders.push_back(n.from_account_id);
        if (n.status_id && !facts.contains(n.status_id)) ids.push_back(n.status_id);
    }
    leave_each_once(ids);
    leave_each_once(senders);
    accounts::expect_standings(db, senders);
    for (const auto& f : statuses::visibility_facts(db, recipient, ids))
        if (statuses::visible(f, recipient)) facts.emplace(f.id, f);
    auto known = accounts::standings(db, senders);
    std::erase_if(found, [&](Notification& n) {
        auto sender = known->find(n.from_account_id);
        if (sender == known->end() || sender->second.suspended) return true;
        n.from_version = sender->second.version;
        return recipient.relations->blocking.contains(n.from_account_id) ||
               (n.status_id && !facts.contains(n.status_id));
    });
    return found;
}

namespace {

// The next rows of a list; advances the range, and resets it when there are no more.
std::vector<Notification> next(
    db::Read& db, AccountId account, std::optional<base::Range>& rest, const Filter& filter
) {
    std::vector<Notification> found;
    std::optional<NotificationId> last;
    if (filter.chosen && !filter.from) {
        auto some = of_types(db, account, *rest, filter);
        found = rows(db, some.ids);
        last = some.complete_to;
    } else {
        found = batch(db, account, *rest, filter);
        if (found.size() == static_cast<std::size_t>(rest->limit)) last = found.back().id;
        // If no types were chosen, nearly all rows have a wanted type.
        std::erase_if(found, [&](const Notification& n) {
            return std::ranges::find(filter.types, base::word(n.type)) == filter.types.end();
        });
    }
    if (last) (rest->ascending ? rest->above : rest->below) = last->value;
    else rest.reset();
    return found;
}

}  // namespace

std::vector<Notification> notifications(
    db::Read& db, const statuses::Audience& recipient, const base::Range& range, const Filter& filter,
    StatusFacts& facts
) {
    std::vector<Notification> page;
    if (filter.nothing) return page;
    auto wanted = static_cast<std::size_t>(range.limit);
    std::optional rest = filter.chosen ? uncleared(db, recipient.viewer, range) : range;
    while (page.size() < wanted && rest)
        for (auto& n : kept(db, recipient, next(db, recipient.viewer, rest, filter), facts))
            if (page.size() < wanted) page.push_back(std::move(n));
    if (range.ascending) std::ranges::reverse(page);
    return page;
}

const db::Query<Notification> notification_by_id{
    "notification_by_id", NOTIFICATION_COLUMNS "WHERE n.account_id = $1 AND n.id = $2 " NOT_CLEARED("n")
};

Notification notification(
    db::Read& db, const statuses::Audience& recipient, NotificationId id, StatusFacts& facts
) {
    auto found = kept(db, recipient, {db.one(notification_by_id, recipient.viewer, id)}, facts);
    if (found.empty()) throw base::NotFound();
    return found[0];
}

// As many as the list would show.
std::int64_t unread_count(db::Read& db, AccountId account, std::int64_t limit, const Filter& filter) {
    base::Range unread;
    unread.above = last_read(db, account);
    unread.limit = static_cast<int>(limit);
    StatusFacts facts;
    return std::ssize(notifications(db, statuses::audience(db, account), unread, filter, facts));
}

const db::Query<AccountId> filtered_from{
    "filtered_from",
    "SELECT from_account_id FROM notifications WHERE account_id = $1 AND id = $2 AND filtered = TRUE"
};
const db::Command dismiss_notification{
    "dismiss_notification", "DELETE FROM notifications WHERE account_id = $1 AND id = $2"
};

void dismiss(db::Write& db, AccountId account, NotificationId id) {
    auto filtered = db.maybe(filtered_from, account, id);
    if (db.run(dismiss_notification, account, id) == 0) throw base::NotFound();
    if (filtered) refresh_request(db, account, *filtered);
}

const db::Command drop_own_notifications{
    "drop_own_notifications",
    R"(DELETE FROM notifications WHERE account_id = $1 AND id IN (
           SELECT id FROM notifications WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

// Most are deleted with their members.
const db::Command drop_own_notification_groups{
    "drop_own_notification_groups",
    R"(DELETE FROM notification_groups WHERE account_id = $1 AND group_key IN (
           SELECT group_key FROM notification_groups WHERE account_id = $1 ORDER BY group_key LIMIT $2))"
};

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
// Reactions that create or remove notifications.
#include "base/json_read.hpp"
#include "social/accounts/users/role.hpp"
#include "social/notifications/notify.hpp"
#include "social/notifications/request.hpp"

#include <algorithm>

namespace notifications {

void notify_mentioned(db::Write& db, const statuses::Published& published) {
    if (published.names_nobody) return;
    for (auto account : statuses::mentioned(db, published.id))
        notify(db, {account, published.account, Type::mention, published.id});
}

const db::Query<bool> any_subscriber{
    "any_subscriber", "SELECT EXISTS (SELECT 1 FROM follows WHERE target_id = $1 AND notify = TRUE)"
};

void notify_subscribers(db::Write& db, const statuses::Published& published) {
    if (published.nobody_subscribed || !db.one(any_subscriber, published.account)) return;
    auto status = statuses::find_status(db, published.id);
    bool to_others = status->in_reply_to_account_id && status->in_reply_to_account_id != published.account;
    if (to_others || status->reblog_of_id) return;
    db.emit(SubscribersContinued{published.id, published.account, 0});
}

namespace {

struct Subscriber {
    std::int64_t follow = 0;
    AccountId account;
    std::optional<std::string> languages;

    bool wants(const std::optional<std::string>& language) const {
        if (!languages || !language) return true;
        const auto some = base::json::read<std::vector<std::string>>(*languages);
        return some.empty() || std::ranges::find(some, *language) != some.end();
    }
};
DESCRIBE(Subscriber, follow, account, languages)

}  // namespace

const db::Query<Subscriber> subscribers{
    "subscribers",
    R"(SELECT id AS follow, account_id AS account, languages FROM follows WHERE target_id = $1 AND notify = TRUE AND id > $2
       ORDER BY id LIMIT $3)"
};

void notify_more_subscribers(db::Write& db, const SubscribersContinued& left) {
    constexpr int chunk = 200;
    auto status = statuses::find_status(db, left.status);
    if (!status) return;  // deleted meanwhile
    auto found = db.all(subscribers, left.author, left.after, chunk);
    for (const auto& subscriber : found) {
        auto viewer = statuses::audience(db, subscriber.account);
        auto facts = statuses::visibility_facts(db, viewer, {left.status});
        if (facts.empty()) return;  // deleted meanwhile
        // Statuses that home leaves out cause no notifications.
        const bool shown = subscriber.wants(status->language) && statuses::shown(facts[0], viewer);
        if (shown) notify(db, {subscriber.account, left.author, Type::status, left.status});
    }
    if (found.size() == chunk) db.emit(SubscribersContinued{left.status, left.author, found.back().follow});
}

void notify_reblogged(db::Write& db, const statuses::Reblogged& e) {
    notify(db, {e.author, e.account, Type::reblog, e.original});
}

void withdraw_reblogged(db::Write& db, const statuses::Unreblogged& e) {
    withdraw(db, {e.author, e.account, Type::reblog, e.original});
}

void notify_favourited(db::Write& db, const statuses::Favourited& e) {
    notify(db, {e.author, e.account, Type::favourite, e.status});
}

void withdraw_favourited(db::Write& db, const statuses::Unfavourited& e) {
    withdraw(db, {e.author, e.account, Type::favourite, e.status});
}

void notify_followed(db::Write& db, const relationships::Followed& e) {
    notify(db, {e.target, e.account, Type::follow});
}

void withdraw_followed(db::Write& db, const relationships::Unfollowed& e) {
    withdraw(db, {e.target, e.account, Type::follow});
}

void notify_requested(db::Write& db, const relationships::FollowRequested& e) {
    notify(db, {e.target, e.account, Type::follow_request});
}

void withdraw_requested(db::Write& db, const relationships::FollowRequestAnswered& e) {
    withdraw(db, {e.target, e.account, Type::follow_request});
}

void notify_staff(db::Write& db, const accounts::Activated& e) {
    for (const auto& one : accounts::staff_who_may(db, accounts::permission::manage_users))
        notify(db, {one.account, e.account, Type::admin_sign_up});
}

namespace {

struct Pair {
    AccountId account, from;
};
DESCRIBE(Pair, account, from)

}  // namespace

// `status_id <> 0` is the condition of the index notifications_about, without which it is not used.
const db::Query<Pair> filtered_about{
    "filtered_about",
    R"(SELECT DISTINCT account_id AS account, from_account_id AS "from" FROM notifications
       WHERE status_id = $1 AND status_id <> 0 AND filtered = TRUE)"
};
const db::Command forget_notifications_about{
    "forget_notifications_about",
    R"(DELETE FROM notifications WHERE id IN (
           SELECT id FROM notifications WHERE status_id = $1 AND status_id <> 0 LIMIT 500))"
};

void forget_status(db::Write& db, const statuses::Deleted& e) { continue_forgetting_status(db, {e.id}); }

void continue_forgetting_status(db::Write& db, const ForgetStatusContinued& left) {
    auto filtered = db.all(filtered_about, left.status);
    // Notifications of deleted statuses are never shown, so the rest can follow later.
    if (db.run(forget_notifications_about, left.status) == 500) db.emit(left);
    for (const auto& [account, from] : filtered) refresh_request(db, account, from);
}

const db::Command forget_notifications_from{
    "forget_notifications_from", R"(DELETE FROM notifications WHERE account_id = $1 AND from_account_id = $2)"
};

void forget_from(db::Write& db, AccountId account, AccountId from) {
    db.run(forget_notifications_from, account, from);
    forget_sender(db, account, from);
}

void forget_blocked(db::Write& db, const relationships::Blocked& e) {
    forget_from(db, e.account, e.target);
    forget_from(db, e.target, e.account);
}

void forget_muted(db::Write& db, const relationships::Muted& e) {
    if (!e.notifications) return;
    db.run(forget_notifications_from, e.account, e.target);
    refresh_request(db, e.account, e.target);
}

}  // namespace notifications

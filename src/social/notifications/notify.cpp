// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is told of what.
#include "social/accounts/account.hpp"
#include "social/notifications/notification.hpp"
#include "social/statuses/conversation_mute.hpp"

namespace notifications {

namespace {

struct Recipient {
    bool local = false, suspended = false, hidden = false;
};
DESCRIBE(Recipient, local, suspended, hidden)

}  // namespace

const db::Query<Recipient> notification_recipient{
    "notification_recipient",
    R"(SELECT a.domain = '' AS local, a.suspended_at IS NOT NULL AS suspended,
              (EXISTS (SELECT 1 FROM blocks WHERE account_id = $1 AND target_id = $2)
               OR EXISTS (SELECT 1 FROM blocks WHERE account_id = $2 AND target_id = $1)
               OR EXISTS (SELECT 1 FROM mutes WHERE account_id = $1 AND target_id = $2 AND hide_notifications = TRUE
                          AND (expires_at IS NULL OR expires_at > $3))) AS hidden
       FROM accounts a WHERE a.id = $1)"
};
const db::Query<std::string> latest_group{
    "latest_group",
    R"(SELECT j.value FROM json_each($2) j
       WHERE EXISTS (SELECT 1 FROM notifications WHERE account_id = $1 AND group_key = j.value)
       ORDER BY j.value DESC LIMIT 1)",
    R"(SELECT k FROM unnest($2::text[]) k
       WHERE EXISTS (SELECT 1 FROM notifications WHERE account_id = $1 AND group_key = k)
       ORDER BY k DESC LIMIT 1)"
};

namespace {

std::string group_prefix(const Notice& notice) {
    switch (notice.type) {
        case Type::favourite:
        case Type::reblog: return word_of(notice.type) + "-" + std::to_string(notice.status.value) + "-";
        case Type::follow:
        case Type::admin_sign_up: return word_of(notice.type) + "-";
        default: return {};
    }
}

// Likes of one hour stand together, and an hour's group goes on for up to twelve (behaviours 11.14, "Grouping").
std::string group_key(db::Read& db, const Notice& notice, NotificationId id) {
    auto prefix = group_prefix(notice);
    if (prefix.empty()) return "ungrouped-" + std::to_string(id.value);
    constexpr int group_span = 12;
    auto hour = db.now().ms / 3'600'000;
    std::vector<std::string> keys;
    for (int back = 0; back < group_span; ++back) keys.push_back(prefix + std::to_string(hour - back));
    return db.maybe(latest_group, notice.recipient, keys).value_or(keys[0]);
}

bool replaces_older(Type type) {
    return type == Type::update || type == Type::quoted_update || type == Type::collection_update;
}

bool from_nobody_else(Type type) {
    return type == Type::poll || type == Type::severed_relationships || type == Type::moderation_warning ||
           type == Type::annual_report;
}

bool dropped(db::Read& db, const Notice& notice) {
    if (notice.recipient == notice.from && !from_nobody_else(notice.type)) return true;
    auto who = db.maybe(notification_recipient, notice.recipient, notice.from, db.now());
    if (!who || !who->local || who->suspended || who->hidden) return true;
    return notice.status && statuses::conversation_muted(db, notice.recipient, notice.status);
}

}  // namespace

std::string word_of(Type type) {
    std::string word(base::word(type));
    if (word.starts_with("admin_")) word[5] = '.';
    return word;
}

const db::Command insert_notification{
    "insert_notification",
    R"(INSERT INTO notifications (id, account_id, from_account_id, type, status_id, about_id, group_key, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (account_id, type, from_account_id, status_id, about_id) DO NOTHING)"
};

void tell(db::Write& db, const Notice& notice) {
    if (dropped(db, notice)) return;
    if (replaces_older(notice.type)) withdraw(db, notice);
    auto id = db.new_id<NotificationId>();
    db.run(
        insert_notification,
        id,
        notice.recipient,
        notice.from,
        notice.type,
        notice.status,
        notice.about,
        group_key(db, notice, id),
        db.now()
    );
}

const db::Command withdraw_notification{
    "withdraw_notification",
    R"(DELETE FROM notifications WHERE account_id = $1 AND type = $2 AND from_account_id = $3 AND status_id = $4
       AND about_id = $5)"
};

void withdraw(db::Write& db, const Notice& notice) {
    db.run(withdraw_notification, notice.recipient, notice.type, notice.from, notice.status, notice.about);
}

void tell_mentioned(db::Write& db, const statuses::Published& published) {
    for (auto account : statuses::mentioned(db, published.id))
        tell(db, {account, published.account, Type::mention, published.id});
}

const db::Query<bool> any_subscriber{
    "any_subscriber", "SELECT EXISTS (SELECT 1 FROM follows WHERE target_id = $1 AND notify = TRUE)"
};

void tell_subscribers(db::Write& db, const statuses::Published& published) {
    if (!db.one(any_subscriber, published.account)) return;
    auto status = statuses::find_status(db, published.id);
    bool to_others = status->in_reply_to_account_id && status->in_reply_to_account_id != published.account;
    if (to_others || status->reblog_of_id) return;
    db.emit(SubscribersLeft{published.id, published.account, 0});
}

namespace {

struct Subscriber {
    std::int64_t follow = 0;
    AccountId account;
};
DESCRIBE(Subscriber, follow, account)

}  // namespace

const db::Query<Subscriber> subscribers{
    "subscribers",
    R"(SELECT id AS follow, account_id AS account FROM follows WHERE target_id = $1 AND notify = TRUE AND id > $2
       ORDER BY id LIMIT $3)"
};

void tell_subscribers_left(db::Write& db, const SubscribersLeft& left) {
    constexpr int chunk = 200;
    auto found = db.all(subscribers, left.author, left.after, chunk);
    for (const auto& subscriber : found) {
        auto looker = statuses::audience(db, subscriber.account);
        auto facts = statuses::facts(db, looker, {left.status});
        if (facts.empty()) return;  // deleted meanwhile
        if (statuses::visible(facts[0], looker))
            tell(db, {subscriber.account, left.author, Type::status, left.status});
    }
    if (found.size() == chunk) db.emit(SubscribersLeft{left.status, left.author, found.back().follow});
}

void tell_reblogged(db::Write& db, const statuses::Reblogged& e) {
    tell(db, {e.author, e.account, Type::reblog, e.original});
}

void untell_reblogged(db::Write& db, const statuses::Unreblogged& e) {
    withdraw(db, {e.author, e.account, Type::reblog, e.original});
}

void tell_favourited(db::Write& db, const statuses::Favourited& e) {
    tell(db, {e.author, e.account, Type::favourite, e.status});
}

void untell_favourited(db::Write& db, const statuses::Unfavourited& e) {
    withdraw(db, {e.author, e.account, Type::favourite, e.status});
}

void tell_followed(db::Write& db, const relationships::Followed& e) {
    tell(db, {e.target, e.account, Type::follow});
}

void untell_followed(db::Write& db, const relationships::Unfollowed& e) {
    withdraw(db, {e.target, e.account, Type::follow});
}

void tell_requested(db::Write& db, const relationships::FollowRequested& e) {
    tell(db, {e.target, e.account, Type::follow_request});
}

void untell_requested(db::Write& db, const relationships::FollowRequestAnswered& e) {
    withdraw(db, {e.target, e.account, Type::follow_request});
}

const db::Command forget_notifications_about{
    "forget_notifications_about",
    R"(DELETE FROM notifications WHERE id IN (SELECT id FROM notifications WHERE status_id = $1 LIMIT 500))"
};

void forget_status(db::Write& db, const statuses::Deleted& e) { forget_status_left(db, {e.id}); }

void forget_status_left(db::Write& db, const AboutLeft& left) {
    // Reading leaves out what points to a deleted status, so the rest may follow.
    if (db.run(forget_notifications_about, left.status) == 500) db.emit(left);
}

const db::Command forget_notifications_from{
    "forget_notifications_from", R"(DELETE FROM notifications WHERE account_id = $1 AND from_account_id = $2)"
};

void forget_blocked(db::Write& db, const relationships::Blocked& e) {
    db.run(forget_notifications_from, e.account, e.target);
    db.run(forget_notifications_from, e.target, e.account);
}

void forget_muted(db::Write& db, const relationships::Muted& e) {
    if (e.notifications) db.run(forget_notifications_from, e.account, e.target);
}

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/push/queue.hpp"

#include "db/lock.hpp"
#include "social/accounts/users/notification_choice.hpp"

#include <algorithm>
#include <array>

namespace push {

namespace {

struct Listener {
    PushId id;
    Policy policy = Policy::all;
    std::string alerts;
    bool followed = false, follower = false;
};
DESCRIBE(Listener, id, policy, alerts, followed, follower)

// `alerts` is written only by subscription.cpp, without spaces.
bool wants(const Listener& one, notifications::Type type) {
    if (one.alerts.find("\"" + notifications::word_of(type) + "\":true") == std::string::npos) return false;
    switch (one.policy) {
        case Policy::all: return true;
        case Policy::followed: return one.followed;
        case Policy::follower: return one.follower;
        case Policy::none: return false;
    }
    return false;
}

}  // namespace

// The table follows belongs to relationships. Only the newest subscriptions of a user are used if there are
// more than this.
const db::Query<Listener> push_listeners{
    "push_listeners",
    R"(SELECT s.id, s.policy, s.alerts,
              EXISTS (SELECT 1 FROM follows WHERE account_id = $1 AND target_id = $2) AS followed,
              EXISTS (SELECT 1 FROM follows WHERE account_id = $2 AND target_id = $1) AS follower
       FROM users u JOIN push_subscriptions s ON s.user_id = u.id WHERE u.account_id = $1
       ORDER BY s.created_at DESC LIMIT 100)"
};
const db::Command insert_push_message{
    "insert_push_message",
    "INSERT INTO push_messages (id, subscription_id, notification_id, due_at) VALUES ($1, $2, $3, $4)"
};

void want_pushes(db::Write& db, const notifications::Notified& told) {
    auto listeners = db.all(push_listeners, told.account, told.from);
    std::erase_if(listeners, [&](const Listener& one) { return !wants(one, told.type); });
    // During quiet hours the notification is only listed.
    if (listeners.empty() || accounts::is_quiet_for(db, told.account)) return;
    for (const auto& one : listeners)
        db.run(insert_push_message, db.new_id<MessageId>(), one.id, told.notification, db.now());
    db.announce({std::string(push_channel), {}, {}});
}

Verdict verdict(base::FetchFailure failure, int status) {
    if (failure != base::FetchFailure::none) return Verdict::failed;
    if (status >= 200 && status < 300) return Verdict::sent;
    bool for_good = status >= 400 && status < 500 && status != 408 && status != 429;
    return for_good ? Verdict::gone : Verdict::failed;
}

const db::Command delete_push_messages{
    "delete_push_messages", "DELETE FROM push_messages WHERE id IN LIST($1)"
};
const db::Command delete_gone_pushes{
    "delete_gone_pushes", "DELETE FROM push_subscriptions WHERE id IN LIST($1)"
};
const db::Command retry_push_message{
    "retry_push_message",
    "UPDATE push_messages SET attempts = attempts + 1, due_at = $2, leased_until = 0 WHERE id = $1"
};
const db::Command reschedule_push_messages{
    "reschedule_push_messages", "UPDATE push_messages SET due_at = $2, leased_until = 0 WHERE id IN LIST($1)"
};
const db::Query<MessageId> lease_push_messages{
    "lease_push_messages",
    R"(UPDATE push_messages SET leased_until = $2, leased_by = $4 WHERE id IN (
           SELECT id FROM push_messages WHERE due_at <= $1 AND leased_until < $1 ORDER BY due_at, id LIMIT $3
           FOR UPDATE SKIP LOCKED)
       RETURNING id)"
};
const db::Query<Time> next_push_message{
    "next_push_message", "SELECT due_at FROM push_messages WHERE due_at > $1 ORDER BY due_at LIMIT 1"
};

namespace {

// Multiples of the pause after the first failure.
constexpr std::array<std::int64_t, most_tries - 1> pauses{1, 4, 20, 120};
constexpr std::int64_t rescheduled_seconds = 10, crowded_seconds = 2;

void take(db::Write& db, const Report& report, std::int64_t retry_ms) {
    auto over = report.needless;
    std::vector<PushId> gone;
    for (const auto& one : report.outcomes) {
        if (one.verdict == Verdict::gone) gone.push_back(one.subscription);
        if (one.verdict != Verdict::failed || one.attempts + 1 >= most_tries) {
            over.push_back(one.id);
            continue;
        }
        auto pause = pauses[static_cast<std::size_t>(one.attempts)] * retry_ms;
        auto wish = std::clamp<std::int64_t>(one.wish_seconds, 0, longest_retry_after_seconds) * 1000;
        db.run(retry_push_message, one.id, Time{db.now().ms + std::max(pause, wish)});
    }
    if (!over.empty()) db.run(delete_push_messages, over);
    if (!gone.empty()) db.run(delete_gone_pushes, gone);
    auto reschedule = [&](const std::vector<MessageId>& some, std::int64_t seconds) {
        if (!some.empty()) db.run(reschedule_push_messages, some, db.now().plus_seconds(seconds));
    };
    reschedule(report.released, 0);
    reschedule(report.crowded, crowded_seconds);
    reschedule(report.rescheduled, rescheduled_seconds);
}

}  // namespace

Work exchange(db::Write& db, const Report& report, int room, std::int64_t retry_ms) {
    db.beside_others();
    take(db, report, retry_ms);
    Work work;
    const auto now = db.now();
    if (room > 0)
        work.leased = db.all(lease_push_messages, now, now.plus_seconds(lease_seconds), room, db.node());
    work.next_at = db.maybe(next_push_message, now);
    return work;
}

const db::Command release_push_messages{
    "release_push_messages", "UPDATE push_messages SET leased_until = 0 WHERE " LEASED_BY("$1")
};

void release_messages(db::Write& db, std::string_view node) {
    db.run(release_push_messages, node);
    db.announce({std::string(push_channel), {}, {}});
}

const db::Query<std::int64_t> count_push_messages{
    "count_push_messages", "SELECT count(*) FROM push_messages"
};

std::int64_t waiting(db::Read& db) { return db.one(count_push_messages); }

}  // namespace push

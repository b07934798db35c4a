// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notify.hpp"

#include "social/notifications/policy.hpp"
#include "social/notifications/request.hpp"
#include "social/statuses/interactions/status_lists.hpp"

namespace notifications {

namespace {

// What the decision needs to know of the sender and the recipient, and the recipient's policy, if any.
struct NoticeContext {
    bool reachable = false, hidden = false, muted = false, permitted = false;
    bool following = false, follower = false, limited = false, fresh = false, bot = false, group = false;
    std::optional<Answer> for_not_following, for_not_followers, for_new_accounts, for_private_mentions,
        for_limited_accounts, for_bots;

    Policy policy() const {
        Policy out;
        if (!for_not_following) return out;
        out.for_not_following = *for_not_following;
        out.for_not_followers = *for_not_followers;
        out.for_new_accounts = *for_new_accounts;
        out.for_private_mentions = *for_private_mentions;
        out.for_limited_accounts = *for_limited_accounts;
        out.for_bots = *for_bots;
        return out;
    }
};
DESCRIBE(
    NoticeContext, reachable, hidden, muted, permitted, following, follower, limited, fresh, bot, group,
    for_not_following, for_not_followers, for_new_accounts, for_private_mentions, for_limited_accounts,
    for_bots
)

}  // namespace

// $3: the present time; follows since $4 and accounts since $5 are new; $6: the status, if any. The tables
// blocks, mutes and follows belong to relationships.
const db::Query<NoticeContext> notice_context{
    "notice_context",
    R"(SELECT r.domain = '' AND r.suspended_at IS NULL AS reachable,
              (EXISTS (SELECT 1 FROM blocks WHERE account_id = $1 AND target_id = $2)
               OR EXISTS (SELECT 1 FROM blocks WHERE account_id = $2 AND target_id = $1)
               OR EXISTS (SELECT 1 FROM mutes WHERE account_id = $1 AND target_id = $2 AND hide_notifications = TRUE
                          AND (expires_at IS NULL OR expires_at > $3))
               OR (EXISTS (SELECT 1 FROM user_domain_blocks WHERE account_id = $1 AND domain = s.domain)
                   AND NOT EXISTS (SELECT 1 FROM follows WHERE account_id = $1 AND target_id = $2))) AS hidden,
              EXISTS (SELECT 1 FROM statuses x JOIN conversation_mutes c ON c.conversation_id = x.conversation_id
                      WHERE x.id = $6 AND c.account_id = $1) AS muted,
              EXISTS (SELECT 1 FROM notification_permissions WHERE account_id = $1 AND from_account_id = $2) AS permitted,
              EXISTS (SELECT 1 FROM follows WHERE account_id = $1 AND target_id = $2) AS following,
              EXISTS (SELECT 1 FROM follows WHERE account_id = $2 AND target_id = $1 AND created_at <= $4) AS follower,
              s.silenced_at IS NOT NULL AS limited, s.created_at > $5 AS fresh,
              s.actor_type IN ('Service', 'Application') AS bot, s.actor_type = 'Group' AS "group",
              p.for_not_following, p.for_not_followers, p.for_new_accounts, p.for_private_mentions,
              p.for_limited_accounts, p.for_bots
       FROM accounts r JOIN accounts s ON s.id = $2 LEFT JOIN notification_policies p ON p.account_id = r.id
       WHERE r.id = $1)"
};

// The status also mentions, or replies to, an account hidden from the recipient.
const db::Query<bool> names_somebody_hidden{
    "names_somebody_hidden",
    R"(SELECT EXISTS (
           SELECT 1 FROM (SELECT account_id FROM mentions WHERE status_id = $2 AND silent = FALSE
                          UNION SELECT in_reply_to_account_id FROM statuses
                          WHERE id = $2 AND in_reply_to_account_id IS NOT NULL) x
           WHERE EXISTS (SELECT 1 FROM blocks WHERE account_id = $1 AND target_id = x.account_id)
              OR EXISTS (SELECT 1 FROM mutes WHERE account_id = $1 AND target_id = x.account_id
                         AND hide_notifications = TRUE AND (expires_at IS NULL OR expires_at > $3))))"
};

// The sender's role is public, is above the recipient's and has a permission in $3.
const db::Query<bool> sender_is_staff{
    "sender_is_staff",
    R"(SELECT EXISTS (SELECT 1 FROM users su JOIN roles sr ON sr.id = su.role_id
                      JOIN users ru ON ru.account_id = $1 JOIN roles rr ON rr.id = ru.role_id
                      WHERE su.account_id = $2 AND sr.highlighted = TRUE AND sr.position > rr.position
                        AND (sr.permissions & $3) <> 0))"
};

const db::Query<bool> status_is_direct{
    "status_is_direct", "SELECT EXISTS (SELECT 1 FROM statuses WHERE id = $1 AND visibility = 'direct')"
};

// Whether $3 replies, in a thread above $1, to a direct status in which $2 mentioned them.
const db::Query<bool> answers_direct{
    "answers_direct",
    R"(WITH RECURSIVE up(id, distance) AS (
           SELECT in_reply_to_id, 1 FROM statuses WHERE id = $1
           UNION
           SELECT s.in_reply_to_id, up.distance + 1 FROM up CROSS JOIN statuses s
           WHERE s.id = up.id AND s.in_reply_to_id IS NOT NULL AND up.distance < 100)
       SELECT EXISTS (SELECT 1 FROM up CROSS JOIN statuses s CROSS JOIN mentions m
                      WHERE s.id = up.id AND s.account_id = $2 AND s.visibility = 'direct'
                        AND m.status_id = s.id AND m.account_id = $3 AND m.silent = FALSE))"
};

namespace {

constexpr std::int64_t day = 86'400;
constexpr std::int64_t moderation = 1 | 16 | 1024;  // administrator, manage reports, manage users

std::optional<NoticeContext> notice_context_of(db::Read& db, const Notice& notice) {
    auto now = db.now();
    auto lately = now.plus_seconds(-3 * day), long_ago = now.plus_seconds(-30 * day);
    return db.maybe(notice_context, notice.recipient, notice.from, now, lately, long_ago, notice.status);
}

bool without_actor(Type type) {
    return type == Type::poll || type == Type::severed_relationships || type == Type::moderation_warning ||
           type == Type::annual_report;
}

// Types that the recipient's policy may filter.
bool filterable(Type type) {
    switch (type) {
        case Type::mention:
        case Type::reblog:
        case Type::follow:
        case Type::follow_request:
        case Type::favourite:
        case Type::quote:
        case Type::added_to_collection: return true;
        default: return false;
    }
}

bool unwanted(db::Read& db, const Notice& notice, const NoticeContext& g) {
    if (g.hidden || g.muted) return true;
    return notice.type == Type::mention &&
           db.one(names_somebody_hidden, notice.recipient, notice.status, db.now());
}

// The strictest rule that applies.
Answer by_policy(db::Read& db, const Notice& notice, const NoticeContext& g) {
    auto strictest = Answer::accept;
    if (!filterable(notice.type) || g.permitted) return strictest;
    const auto of = g.policy();
    auto rule = [&](Answer answer, bool applies) {
        if (applies && answer > strictest) strictest = answer;
    };
    rule(of.for_limited_accounts, g.limited && !g.following);
    rule(of.for_not_following, !g.following);
    rule(of.for_not_followers, !g.follower);
    rule(of.for_new_accounts, g.fresh && !g.following);
    rule(of.for_bots, g.bot && !g.following);
    bool asks = notice.type == Type::mention && !g.following && of.for_private_mentions > strictest;
    if (asks && db.one(status_is_direct, notice.status))
        rule(of.for_private_mentions, !db.one(answers_direct, notice.status, notice.recipient, notice.from));
    return strictest;
}

Answer decide(db::Read& db, const Notice& notice) {
    if (notice.recipient == notice.from && !without_actor(notice.type)) return Answer::drop;
    auto known = notice_context_of(db, notice);
    if (!known || !known->reachable) return Answer::drop;
    // A group boosts the posts that its members send to it.
    if (notice.type == Type::reblog && known->group && known->following) return Answer::drop;
    auto staff = [&] {
        return notice.type == Type::mention &&
               db.one(sender_is_staff, notice.recipient, notice.from, moderation);
    };
    if (unwanted(db, notice, *known)) return staff() ? Answer::accept : Answer::drop;
    auto answer = by_policy(db, notice, *known);
    return answer == Answer::drop && staff() ? Answer::accept : answer;
}

}  // namespace

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

// Favourites of one hour are grouped, and a group may continue for up to twelve hours (behaviours 11.14,
// "Grouping"); the first key is used if there is no such group.
std::vector<std::string> group_keys(db::Read& db, const Notice& notice, NotificationId id, bool filtered) {
    auto prefix = group_prefix(notice);
    if (prefix.empty() || filtered) return {"ungrouped-" + std::to_string(id.value)};
    constexpr int group_span = 12;
    auto hour = db.now().ms / 3'600'000;
    std::vector<std::string> keys;
    for (int back = 0; back < group_span; ++back) keys.push_back(prefix + std::to_string(hour - back));
    return keys;
}

bool replaces_older(Type type) {
    return type == Type::update || type == Type::quoted_update || type == Type::collection_update;
}

}  // namespace

const db::Command withdraw_older{
    "withdraw_older",
    R"(DELETE FROM notifications WHERE account_id = $1 AND type = $2 AND from_account_id = $3 AND status_id = $4
       AND about_id = $5 AND created_at < $6)"
};
// $7: its groups that may continue; $10: the group to start otherwise.
#define INSERT_NOTIFICATION(LATEST)                                                                      \
    "INSERT INTO notifications (id, account_id, from_account_id, type, status_id, about_id, group_key, " \
    "filtered, created_at) VALUES ($1, $2, $3, $4, $5, $6, COALESCE((" LATEST                            \
    "), $10), $8, $9) "                                                                                  \
    "ON CONFLICT DO NOTHING"
const db::Command insert_notification{
    "insert_notification",
    INSERT_NOTIFICATION(
        "SELECT j.value FROM json_each($7) j WHERE EXISTS (SELECT 1 FROM notifications WHERE account_id = $2 "
        "AND group_key = j.value) ORDER BY j.value DESC LIMIT 1"
    ),
    INSERT_NOTIFICATION(
        "SELECT k FROM unnest($7::text[]) k WHERE EXISTS (SELECT 1 FROM notifications WHERE account_id = $2 "
        "AND group_key = k) ORDER BY k DESC LIMIT 1"
    )
};

const db::Query<bool> is_notified{
    "is_notified",
    R"(SELECT EXISTS (SELECT 1 FROM notifications WHERE account_id = $1 AND type = $2 AND from_account_id = $3
       AND status_id = $4 AND about_id = $5))"
};

namespace {

// nullopt: there is an equal one, or else another node has chosen the same id.
std::optional<NotificationId> store(db::Write& db, const Notice& notice, bool filtered) {
    const auto& [recipient, from, type, status, about] = notice;
    for (;;) {
        const auto id = db.new_id_of_double<NotificationId>();
        const auto groups = group_keys(db, notice, id, filtered);
        const auto now = db.now();
        const auto& first = groups.front();
        if (db.run(
                insert_notification, id, recipient, from, type, status, about, groups, filtered, now, first
            ) > 0)
            return id;
        if (db.one(is_notified, recipient, type, from, status, about)) return std::nullopt;
    }
}

}  // namespace

void notify(db::Write& db, const Notice& notice) {
    auto answer = decide(db, notice);
    if (answer == Answer::drop) return;
    bool filtered = answer == Answer::filter;
    auto [recipient, from, type, status, about] = notice;
    if (replaces_older(type)) db.run(withdraw_older, recipient, type, from, status, about, db.now());
    const auto id = store(db, notice, filtered);
    if (!id) return;
    if (filtered) return refresh_request(db, recipient, from);
    db.announce(
        {"user:notification:" + std::to_string(recipient.value), "notification", std::to_string(id->value)}
    );
    db.emit(Notified{recipient, from, *id, type});
    if (type == Type::mention && db.one(status_is_direct, status)) db.emit(DirectReceived{recipient, status});
}

const db::Command withdraw_notifications{
    "withdraw_notifications",
    R"(DELETE FROM notifications WHERE account_id = $1 AND type = $2 AND from_account_id IN LIST($3) AND status_id = $4
       AND about_id = $5)"
};

void withdraw(db::Write& db, const Notice& notice) { withdraw_of(db, notice, {notice.from}); }

void withdraw_of(db::Write& db, const Notice& notice, const std::vector<AccountId>& people) {
    db.run(withdraw_notifications, notice.recipient, notice.type, people, notice.status, notice.about);
}

}  // namespace notifications

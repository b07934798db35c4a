// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is to be written to, and when. What is written stands in mail_jobs.cpp.
#include "social/notification_mails/notification_mail.hpp"

#include <algorithm>

namespace notification_mails {

namespace {

struct State {
    bool sent = false;
    std::optional<base::Time> due_at;
    base::Time sent_at, leased_until;
};
DESCRIBE(State, sent, due_at, sent_at, leased_until)

}  // namespace

bool accounts::NotificationChoice::* choice_about(notifications::Type type) {
    using accounts::NotificationChoice, notifications::Type;
    switch (type) {
        case Type::mention: return &NotificationChoice::mail_mention;
        case Type::quote: return &NotificationChoice::mail_quote;
        case Type::follow: return &NotificationChoice::mail_follow;
        case Type::follow_request: return &NotificationChoice::mail_follow_request;
        case Type::reblog: return &NotificationChoice::mail_reblog;
        case Type::favourite: return &NotificationChoice::mail_favourite;
        default: return nullptr;
    }
}

// settings belongs to instance (accounts::notification_mails_are_sent), users to accounts.
const db::Query<State> notification_mail_state{
    "notification_mail_state",
    R"(SELECT EXISTS (SELECT 1 FROM settings WHERE name = 'notification_mails' AND value = 'true') AS sent, m.due_at,
              COALESCE(m.sent_at, 0) AS sent_at, COALESCE(m.leased_until, 0) AS leased_until
       FROM users u LEFT JOIN notification_mails m ON m.account_id = u.account_id
       WHERE u.account_id = $1 AND u.confirmed_at IS NOT NULL AND u.approved = TRUE AND u.disabled = FALSE)"
};
// What is written meanwhile by another transaction waits for its mail, too; so does what a job has not told of yet.
const db::Command want_notification_mail{
    "want_notification_mail",
    R"(INSERT INTO notification_mails AS m (account_id, since, due_at) VALUES ($1, $2, $3)
       ON CONFLICT (account_id) DO UPDATE SET due_at = COALESCE(m.due_at, excluded.due_at),
           since = CASE WHEN m.due_at IS NULL AND m.leased_until = 0 THEN excluded.since
                        WHEN excluded.since < m.since THEN excluded.since ELSE m.since END)"
};

void expect_mail(db::Write& db, const notifications::Notified& told) {
    if (choice_about(told.type)) db.expect(notification_mail_state, told.account);
}

void want_mail(db::Write& db, const notifications::Notified& told) {
    const auto wanted = choice_about(told.type);
    if (!wanted) return;
    auto state = db.maybe(notification_mail_state, told.account);
    // What waits already tells of this one, too.
    if (!state || !state->sent || state->due_at) return;
    auto choice = accounts::notification_choice(db, told.account);
    if (!(choice.*wanted)) return;
    auto due = std::max(db.now().plus_seconds(gathered_for), state->sent_at.plus_seconds(between_mails));
    due = std::max(due, state->leased_until);
    if (auto quiet = accounts::quiet_until(choice, due)) due = *quiet;
    db.run(want_notification_mail, told.account, told.notification, due);
}

const db::Query<AccountId> take_notification_mails{
    "take_notification_mails",
    R"(UPDATE notification_mails SET due_at = NULL, leased_until = $2 WHERE account_id IN (
           SELECT account_id FROM notification_mails WHERE due_at <= $1 AND leased_until <= $1
           ORDER BY due_at LIMIT $3)
       RETURNING account_id)"
};

void announce_mails(db::Write& db) {
    constexpr std::int64_t at_a_time = 100;
    const auto leased_until = db.now().plus_seconds(lease);
    const auto up_to = db.new_id_of_double<NotificationId>();
    const auto due = db.all(take_notification_mails, db.now(), leased_until, at_a_time);
    for (auto account : due) db.emit(MailDue{account, up_to, leased_until});
    // Many nights end at the same minute.
    if (std::ssize(due) == at_a_time) db.emit(MailsContinued{});
}

void announce_more_mails(db::Write& db, const MailsContinued&) { announce_mails(db); }

const db::Query<AccountId> notification_mails_due_soon{
    "notification_mails_due_soon",
    "SELECT account_id FROM notification_mails WHERE due_at <= $1 ORDER BY due_at LIMIT 1000"
};
const db::Command need_no_notification_mail{
    "need_no_notification_mail",
    "UPDATE notification_mails SET due_at = CASE WHEN due_at > $2 THEN due_at END WHERE account_id IN "
    "LIST($1)"
};

std::vector<AccountId> due_soon(db::Read& db) {
    return db.all(notification_mails_due_soon, db.now().plus_seconds(looked_ahead));
}

void need_no_mail(db::Write& db, const std::vector<AccountId>& here) {
    // By now it may wait for the end of quiet hours, until when nobody need be here.
    db.run(need_no_notification_mail, here, db.now().plus_seconds(looked_ahead));
}

const db::Command drop_own_notification_mails{
    "drop_own_notification_mails",
    R"(DELETE FROM notification_mails WHERE account_id = $1 AND account_id IN (
           SELECT account_id FROM notification_mails WHERE account_id = $1 ORDER BY account_id LIMIT $2))"
};

}  // namespace notification_mails

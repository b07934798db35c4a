// SPDX-License-Identifier: AGPL-3.0-or-later
// Mails to people about what happened to them here while they were away: gathered, seldom, and only what they chose
// (accounts/users/notification_choice.hpp).
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/users/notification_choice.hpp"
#include "social/notifications/notify.hpp"

namespace notification_mails {

using base::AccountId;
using base::NotificationId;

// So long is waited for more, and for them to come and read it. Who has a stream open by then needs no mail.
constexpr std::int64_t gathered_for = 5 * 60;
constexpr std::int64_t between_mails = 15 * 60;
// Every node looks so long ahead for those who have a stream open at it, more often than once in this time.
constexpr std::int64_t looked_ahead = 60;
// So long a job may take, with all that it is tried again, before another one takes its place.
constexpr std::int64_t lease = 60 * 60;

// The member that says whether somebody gets mails about this; null: nobody does.
bool accounts::NotificationChoice::* choice_about(notifications::Type);

// Somebody is to be written to of what has happened up to now: by this job alone, as long as its lease is the one of the row.
struct MailDue {
    AccountId account;
    NotificationId up_to;
    base::Time leased_until;
};
DESCRIBE(MailDue, account, up_to, leased_until)
// More of them are due than are taken at a time.
struct MailsContinued {};
DESCRIBE(MailsContinued)

// Reactions
void expect_mail(db::Write&, const notifications::Notified&);  // db::Read::expect; before whatever else asks
void want_mail(db::Write&, const notifications::Notified&);
jobs::Change mail_notifications(const base::Ask&, db::Read&, const MailDue&);
void announce_more_mails(db::Write&, const MailsContinued&);

// $1 account, $2 notification, $3 when a mail is due, where none waits yet.
extern const db::Command want_notification_mail;

// By the clock
void announce_mails(db::Write&);

// Who would be written to within a minute, those due first; and that they need not be, because they are here.
std::vector<AccountId> due_soon(db::Read&);
void need_no_mail(db::Write&, const std::vector<AccountId>&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_notification_mails;

}  // namespace notification_mails

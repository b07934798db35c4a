// SPDX-License-Identifier: AGPL-3.0-or-later
// The user's settings for notifications outside the list of notifications: for which ones mails are sent, and
// quiet hours.
#pragma once
#include "base/describe.hpp"
#include "db/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accounts {

// Defaults: what concerns the user alone, and what the team has to review.
struct NotificationChoice {
    bool mail_mention = true, mail_quote = true, mail_follow = true, mail_follow_request = true,
         mail_reblog = false, mail_favourite = false, mail_report = true, mail_appeal = true;
    std::string quiet_from, quiet_until;  // like 22:00; empty: no quiet hours
    std::string time_zone;                // default: that of the login
};
DESCRIBE(
    NotificationChoice, mail_mention, mail_quote, mail_follow, mail_follow_request, mail_reblog,
    mail_favourite, mail_report, mail_appeal, quiet_from, quiet_until, time_zone
)

NotificationChoice notification_choice(db::Read&, base::AccountId);
void choose_notifications(db::Write&, base::AccountId, const NotificationChoice&);  // throws Invalid

// The end of the quiet hours that apply now; nullopt if none do.
std::optional<base::Time> quiet_until(const NotificationChoice&, base::Time now);
bool is_quiet_for(db::Read&, base::AccountId);  // now
// For jobs that send mails: throws jobs::Reschedule while quiet hours last.
void wait_while_quiet(db::Read&, const NotificationChoice&);

// Whether mails about notifications are sent at all; the configuration's value is stored at each start.
// Without a mail server such mails would only fill the disk.
bool notification_mails_are_sent(db::Read&);
void send_notification_mails(db::Write&, bool);

// The mails that an unsubscribe link in a mail stops.
BOOST_DEFINE_ENUM_CLASS(MailsOf, notifications, reports, appeals)

// The link: a page, and the target for mail programs' POST (RFC 8058). Needs no login.
std::string address_to_end_mails(db::Read&, base::AccountId, MailsOf);
struct EndOfMails {
    base::AccountId account;
    MailsOf which = MailsOf::notifications;
};
// The meaning of the link's token; nullopt if it is invalid.
std::optional<EndOfMails> end_of_mails(db::Read&, std::string_view token);
void end_mails(db::Write&, const EndOfMails&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_notification_choices;

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// What people chose of being told of things elsewhere than in the list of notifications: what they get mails about, and when
// they are left in peace.
#pragma once
#include "base/describe.hpp"
#include "db/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accounts {

// At first: what concerns one alone, and what the team has to look at.
struct NotificationChoice {
    bool mail_mention = true, mail_quote = true, mail_follow = true, mail_follow_request = true,
         mail_reblog = false, mail_favourite = false, mail_report = true, mail_appeal = true;
    std::string quiet_from, quiet_until;  // 22:00; empty: no time is quiet
    std::string time_zone;                // where nothing was chosen, that of the login
};
DESCRIBE(
    NotificationChoice, mail_mention, mail_quote, mail_follow, mail_follow_request, mail_reblog,
    mail_favourite, mail_report, mail_appeal, quiet_from, quiet_until, time_zone
)

NotificationChoice notification_choice(db::Read&, base::AccountId);
void choose_notifications(db::Write&, base::AccountId, const NotificationChoice&);  // throws Invalid

// When the quiet hours end that it is now for them; nothing: it is none.
std::optional<base::Time> quiet_until(const NotificationChoice&, base::Time now);
bool is_quiet_for(db::Read&, base::AccountId);  // now
// For jobs that send mails: throws jobs::Reschedule until they end.
void wait_while_quiet(db::Read&, const NotificationChoice&);

// Whether mails are sent about notifications at all; what the configuration says is written down at each start. A server
// without a mail server of its own would only fill its disk with them.
bool notification_mails_are_sent(db::Read&);
void send_notification_mails(db::Write&, bool);

// Which mails an address in a mail ends.
BOOST_DEFINE_ENUM_CLASS(MailsOf, notifications, reports, appeals)

// The address: a page, and what programs for mail post to (RFC 8058). Nobody has to be signed in.
std::string address_to_end_mails(db::Read&, base::AccountId, MailsOf);
struct EndOfMails {
    base::AccountId account;
    MailsOf which = MailsOf::notifications;
};
// What the end of such an address says; nothing when it is none of ours.
std::optional<EndOfMails> end_of_mails(db::Read&, std::string_view token);
void end_mails(db::Write&, const EndOfMails&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_notification_choices;

}  // namespace accounts

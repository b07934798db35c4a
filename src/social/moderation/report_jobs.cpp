// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/report.hpp"

#include "social/accounts/account.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/notification_choice.hpp"
#include "social/accounts/users/role.hpp"
#include "social/notifications/notify.hpp"

namespace moderation {

std::string_view name(Category category) {
    switch (category) {
        case Category::spam: return "Spam";
        case Category::legal: return "Against the law";
        case Category::violation: return "Against the rules";
        case Category::other: return "Something else";
    }
    return {};
}

const db::Query<bool> other_open_report{
    "other_open_report",
    "SELECT EXISTS (SELECT 1 FROM reports WHERE target_id = $1 AND id < $2 AND action_taken_at IS NULL)"
};

// While a report on the same account waits, moderators know that they have to look.
void notify_moderators(db::Write& db, const Reported& e) {
    if (db.one(other_open_report, e.target, e.report)) return;
    for (const auto& moderator : accounts::staff_who_may(db, accounts::permission::manage_reports)) {
        notifications::notify(
            db, {moderator.account, e.account, notifications::Type::admin_report, {}, e.report.value}
        );
        db.emit(ReportMailWanted{e.report, moderator.user});
    }
}

void mail_report(const base::Ask& ask, db::Read& db, const ReportMailWanted& e) {
    // It has left: what changed meanwhile is no reason for a second one.
    if (ask.answered<accounts::SendMail>()) return;
    auto user = accounts::find_user(db, e.user);
    auto found = reports(db, {e.report});
    if (!user || found.empty() || found[0].action_taken_at) return;
    // It may have waited for a night, or for a mail server: who has left the team meanwhile reads no reports.
    if (!accounts::is_staff_who_may(db, e.user, accounts::permission::manage_reports)) return;
    const auto choice = accounts::notification_choice(db, user->account_id);
    if (!choice.mail_report) return;
    accounts::wait_while_quiet(db, choice);
    auto target = accounts::find_account(db, found[0].target_id);
    auto reporter = accounts::find_account(db, found[0].account_id);
    if (!target || !reporter) return;
    instance::View view;
    view.set("TARGET", "@" + target->acct())
        .set("REPORTER", "@" + reporter->acct())
        .say("CATEGORY", name(found[0].category))
        .set("COMMENT", found[0].comment)
        .set("LINK", db.site().public_url + "/settings/moderation/reports/" + std::to_string(e.report.value));
    auto stop = accounts::address_to_end_mails(db, user->account_id, accounts::MailsOf::reports);
    view.set("STOP", stop);
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "new_report", view, stop);
}

}  // namespace moderation

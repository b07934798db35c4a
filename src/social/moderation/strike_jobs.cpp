// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is told of strikes and appeals.
#include "social/accounts/account.hpp"
#include "social/accounts/administering.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/notification_choice.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/posts/statement.hpp"
#include "social/notifications/notify.hpp"

namespace moderation {

std::string_view consequence(StrikeAction action) {
    switch (action) {
        case StrikeAction::none: return {};
        case StrikeAction::disable:
            return "You can no longer use your account, but your profile and what you posted remain.";
        case StrikeAction::mark_statuses_as_sensitive:
            return "Some of your posts have been marked as sensitive.";
        case StrikeAction::delete_statuses: return "Some of your posts have been removed.";
        case StrikeAction::sensitive: return "From now on all media that you post are marked as sensitive.";
        case StrikeAction::silence:
            return "You can still use your account, but only people who follow you see your posts here.";
        case StrikeAction::suspend:
            return "Your account is suspended: your profile and posts are no longer shown. They are deleted "
                   "after 30 days.";
    }
    return {};
}

std::string_view title(StrikeAction action) {
    switch (action) {
        case StrikeAction::none: return "A warning for your account";
        case StrikeAction::disable: return "Your account has been frozen";
        case StrikeAction::mark_statuses_as_sensitive: return "Your posts have been marked as sensitive";
        case StrikeAction::delete_statuses: return "Your posts have been removed";
        case StrikeAction::sensitive: return "Your posts will be marked as sensitive from now on";
        case StrikeAction::silence: return "Your account has been limited";
        case StrikeAction::suspend: return "Your account has been suspended";
    }
    return {};
}

void notify_struck(db::Write& db, const Struck& e) {
    notifications::notify(
        db, {e.account, e.account, notifications::Type::moderation_warning, {}, e.strike.value}
    );
}

void mail_strike(const base::Ask& ask, db::Read& db, const Struck& e) {
    auto found = strikes(db, {e.strike});
    auto user = accounts::find_user_of(db, e.account);
    if (found.empty() || !user) return;
    instance::View view;
    view.set("HANDLE", "@" + name_of(db, e.account));
    const auto told = statements(db, found)[0];
    add_statement(view, told);
    view.set("UNTIL", base::to_string(base::Date{told.appeal.until.ms}));
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "strike", view);
}

void announce_appeal(db::Write& db, const AppealMade& e) {
    for (const auto& decider : accounts::staff_who_may(db, accounts::permission::manage_appeals))
        db.emit(AppealMailWanted{e.appeal, decider.user});
}

void mail_appeal(const base::Ask& ask, db::Read& db, const AppealMailWanted& e) {
    if (ask.answered<accounts::SendMail>()) return;  // it has left
    auto user = accounts::find_user(db, e.user);
    // Since it was wanted they may have left the team, or somebody may have decided.
    if (!user || !accounts::is_staff_who_may(db, e.user, accounts::permission::manage_appeals)) return;
    auto about = appeal(db, e.appeal);
    if (about.state != AppealState::pending) return;
    const auto choice = accounts::notification_choice(db, user->account_id);
    if (!choice.mail_appeal) return;
    accounts::wait_while_quiet(db, choice);
    auto stop = accounts::address_to_end_mails(db, user->account_id, accounts::MailsOf::appeals);
    instance::View view;
    view.set("HANDLE", "@" + name_of(db, about.account_id)).set("TEXT", about.text).set("STOP", stop);
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "new_appeal", view, stop);
}

void mail_decision(const base::Ask& ask, db::Read& db, const AppealDecided& e) {
    auto about = appeal(db, e.appeal);
    auto user = accounts::find_user_of(db, about.account_id);
    if (!user) return;
    instance::View view;
    view.set("HANDLE", "@" + name_of(db, about.account_id));
    view.add(about.state == AppealState::approved ? "APPROVED" : "REJECTED");
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "appeal_decided", view);
}

}  // namespace moderation

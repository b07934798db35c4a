// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/mail.hpp"

namespace accounts {

namespace {

struct Letter {
    std::string_view subject, sentence;
};

// Empty if no mail is sent for this kind.
Letter letter(SecurityKind kind) {
    switch (kind) {
        case SecurityKind::wrong_code:
            return {
                "Somebody knows your password",
                "Somebody gave your password and then several wrong codes for the second step. They were not "
                "let in. If it was not you, choose a new password now."
            };
        case SecurityKind::recovery_code_used:
            return {
                "A recovery code was used",
                "A recovery code was used to sign in to your account. It is good no more."
            };
        case SecurityKind::authenticator_added:
            return {
                "An authenticator app was added",
                "An authenticator app was added as the second step of your login."
            };
        case SecurityKind::authenticator_removed:
            return {
                "Your authenticator app was removed",
                "The authenticator app was removed from the second step of your login."
            };
        case SecurityKind::passkey_added:
            return {"A passkey was added", "A passkey was added to your login."};
        case SecurityKind::passkey_removed:
            return {"A passkey was removed", "A passkey was removed from your login."};
        case SecurityKind::recovery_codes_made:
            return {
                "You have new recovery codes",
                "New recovery codes were made for your login. Those of before are good no more."
            };
        case SecurityKind::second_factor_removed:
            return {
                "Your second step was removed",
                "The people who run this server removed the second step of your login. Your password alone "
                "lets "
                "in until you set it up again."
            };
        case SecurityKind::email_change_requested:
            return {
                "Your e-mail address is about to change",
                "Another e-mail address was given for your login. It takes the place of this one as soon as "
                "it is "
                "confirmed."
            };
        case SecurityKind::signed_in:
        case SecurityKind::password_changed: return {};
    }
    return {};
}

}  // namespace

void mail_security(const base::Ask& ask, db::Read& db, const SecurityNoted& event) {
    auto [subject, sentence] = letter(event.kind);
    auto user = find_user(db, event.user);
    if (!user || sentence.empty()) return;
    instance::View view;
    view.say("WHAT", subject).say("SENTENCE", sentence);
    view.set("LINK", db.site().public_url + "/settings/account/second_factor");
    send_mail(ask, db.site(), {event.email, user->locale}, "security", view);
}

}  // namespace accounts

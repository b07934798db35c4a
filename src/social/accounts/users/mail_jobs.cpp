// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/mail.hpp"

#include "social/accounts/account.hpp"

namespace accounts {

void send_mail(
    const base::Ask& ask, const base::Site& site, const std::string& to, const std::string& subject,
    std::string_view name, instance::View view, const std::string& unsubscribe
) {
    view.set("SITE", site.title)
        .set("DOMAIN", site.domain)
        .set("URL", site.public_url)
        .set("SUBJECT", subject);
    auto file = "mail/" + std::string(name);
    ask(SendMail{
        to, subject, render_file(file + ".txt", view), render_file(file + ".html", view), unsubscribe
    });
}

void mail_confirmation(const base::Ask& ask, db::Read& db, const ConfirmationWanted& event) {
    // A mail that was overtaken by another one would bring a link that opens nothing.
    auto user = find_by_confirmation_secret(db, event.secret);
    if (!user || !awaits_confirmation(*user)) return;
    instance::View view;
    view.set("LINK", db.site().public_url + "/auth/confirmation?confirmation_token=" + event.secret);
    send_mail(
        ask,
        db.site(),
        user->unconfirmed_email.value_or(user->email),
        "Confirm your e-mail address for " + db.site().title,
        "confirmation",
        view
    );
}

void mail_password_reset(const base::Ask& ask, db::Read& db, const PasswordResetWanted& event) {
    auto user = find_by_reset_secret(db, event.secret);
    if (!user) return;
    instance::View view;
    view.set("LINK", db.site().public_url + "/auth/password/edit?reset_password_token=" + event.secret);
    send_mail(
        ask, db.site(), user->email, "Choose a new password for " + db.site().title, "password_reset", view
    );
}

void mail_password_changed(const base::Ask& ask, db::Read& db, const PasswordChanged& event) {
    auto user = find_user(db, event.user);
    if (!user) return;
    instance::View view;
    view.set("LINK", db.site().public_url + "/auth/password/new");
    send_mail(
        ask,
        db.site(),
        user->email,
        "Your password for " + db.site().title + " has changed",
        "password_changed",
        view
    );
}

void mail_welcome(const base::Ask& ask, db::Read& db, const Activated& event) {
    auto user = find_user(db, event.user);
    if (!user || user->sign_up_address.empty()) return;
    auto account = find_account(db, event.account);
    if (!account) return;
    instance::View view;
    view.set("HANDLE", "@" + account->username + "@" + db.site().domain);
    send_mail(ask, db.site(), user->email, "Welcome to " + db.site().title, "welcome", view);
}

}  // namespace accounts

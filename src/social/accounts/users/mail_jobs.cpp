// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/mail.hpp"

#include "base/text/spoken_languages.hpp"
#include "social/accounts/account.hpp"

#include <algorithm>

namespace accounts {

void send_mail(
    const base::Ask& ask, const base::Site& site, const Recipient& to, std::string_view name,
    instance::View view, const std::string& unsubscribe
) {
    auto language = base::text::language_for({to.locale, site.language});
    view.set("SITE", site.title).set("DOMAIN", site.domain).set("URL", site.public_url);
    auto file = "mail/" + std::string(name);
    auto text = instance::render_file(file + ".txt", view, language);
    auto subject = text.substr(0, text.find('\n'));
    text.erase(0, text.find_first_not_of('\n', subject.size()));
    // Prevents injection of header lines.
    std::ranges::replace_if(subject, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    view.set("SUBJECT", subject);
    ask(SendMail{to.email, subject, text, instance::render_file(file + ".html", view, language), unsubscribe}
    );
}

void mail_confirmation(const base::Ask& ask, db::Read& db, const ConfirmationWanted& event) {
    // If a newer mail was requested, the link in this one would be invalid.
    auto user = find_by_confirmation_secret(db, event.secret);
    if (!user || !awaits_confirmation(*user)) return;
    instance::View view;
    view.set("LINK", db.site().public_url + "/auth/confirmation?confirmation_token=" + event.secret);
    Recipient to{user->unconfirmed_email.value_or(user->email), user->locale};
    send_mail(ask, db.site(), to, "confirmation", view);
}

void mail_password_reset(const base::Ask& ask, db::Read& db, const PasswordResetWanted& event) {
    auto user = find_by_reset_secret(db, event.secret);
    if (!user) return;
    instance::View view;
    view.set("LINK", db.site().public_url + "/auth/password/edit?reset_password_token=" + event.secret);
    send_mail(ask, db.site(), recipient(*user), "password_reset", view);
}

void mail_password_changed(const base::Ask& ask, db::Read& db, const PasswordChanged& event) {
    auto user = find_user(db, event.user);
    if (!user) return;
    instance::View view;
    view.set("LINK", db.site().public_url + "/auth/password/new");
    send_mail(ask, db.site(), recipient(*user), "password_changed", view);
}

void mail_welcome(const base::Ask& ask, db::Read& db, const Activated& event) {
    auto user = find_user(db, event.user);
    if (!user || user->sign_up_address.empty()) return;
    auto account = find_account(db, event.account);
    if (!account) return;
    instance::View view;
    view.set("HANDLE", "@" + account->username + "@" + db.site().domain);
    send_mail(ask, db.site(), recipient(*user), "welcome", view);
}

}  // namespace accounts

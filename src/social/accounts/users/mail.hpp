// SPDX-License-Identifier: AGPL-3.0-or-later
// The question by which a job sends a mail; server/ answers it. The answer is whether a mail server accepted
// the mail; exceptions make the job retry later.
#pragma once
#include "base/ask.hpp"
#include "base/describe.hpp"
#include "base/errors.hpp"
#include "db/session.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/instance/html.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace accounts {

struct SendMail {
    std::string to, subject, text, html;
    std::string unsubscribe;  // a URL that unsubscribes when posted to, or empty
    using Answer = bool;
};
DESCRIBE(SendMail, to, subject, text, html, unsubscribe)

struct Recipient {
    std::string email;
    std::string locale = {};  // the chosen language, as in User; empty: that of the site
};
inline Recipient recipient(const User& user) { return {user.email, user.locale}; }

// Asks to send web/mail/<name>.{txt,html}, rendered with the view and SITE, DOMAIN and URL. The first line of
// the text is the subject.
void send_mail(
    const base::Ask&, const base::Site&, const Recipient&, std::string_view name, instance::View,
    const std::string& unsubscribe = {}
);

// The mails about a login.
void mail_confirmation(const base::Ask&, db::Read&, const ConfirmationWanted&);
void mail_password_reset(const base::Ask&, db::Read&, const PasswordResetWanted&);
void mail_password_changed(const base::Ask&, db::Read&, const PasswordChanged&);
void mail_welcome(const base::Ask&, db::Read&, const Activated&);  // to users who signed up themselves

// Validates e-mail addresses. Deliberately stricter than RFC 5322: no quotes, comments or spaces, so that
// every program interprets an address in the same way.
std::vector<base::FieldError> email_form_errors(std::string_view email);

}  // namespace accounts

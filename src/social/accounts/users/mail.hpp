// SPDX-License-Identifier: AGPL-3.0-or-later
// The question by which a job sends a mail; server/ answers it. The answer says whether a mail server took it; what it
// throws makes the job try again later.
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
    std::string unsubscribe;  // an address that ends such mails when it is posted to, or empty
    using Answer = bool;
};
DESCRIBE(SendMail, to, subject, text, html, unsubscribe)

struct Recipient {
    std::string email;
    std::string locale = {};  // the language that they chose, as User has it; empty: that of the site
};
inline Recipient recipient(const User& user) { return {user.email, user.locale}; }

// Asks to send web/mail/<name>.{txt,html}, which see the view and SITE, DOMAIN and URL. The first line of the text is the
// subject.
void send_mail(
    const base::Ask&, const base::Site&, const Recipient&, std::string_view name, instance::View,
    const std::string& unsubscribe = {}
);

// The mails about a login.
void mail_confirmation(const base::Ask&, db::Read&, const ConfirmationWanted&);
void mail_password_reset(const base::Ask&, db::Read&, const PasswordResetWanted&);
void mail_password_changed(const base::Ask&, db::Read&, const PasswordChanged&);
void mail_welcome(const base::Ask&, db::Read&, const Activated&);  // to those who signed up themselves

// Which texts are e-mail addresses. Narrower than RFC 5322 on purpose: no quotes, comments or spaces, so that an
// address means the same to every program that meets it.
std::vector<base::FieldError> email_form_errors(std::string_view email);

}  // namespace accounts

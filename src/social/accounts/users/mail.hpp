// SPDX-License-Identifier: AGPL-3.0-or-later
// The question by which a job sends a letter; server/ answers it. The answer says whether a mail server took it;
// what it throws makes the job try again later.
#pragma once
#include "base/ask.hpp"
#include "base/describe.hpp"
#include "db/session.hpp"
#include "social/instance/html.hpp"

namespace accounts {

struct SendMail {
    std::string to, subject, text, html;
    std::string unsubscribe;  // an address that ends such letters when it is posted to, or empty
    using Answer = bool;
};
DESCRIBE(SendMail, to, subject, text, html, unsubscribe)

// Asks to send web/mail/<name>.{txt,html}, which see the view and SITE, DOMAIN and URL.
void send_mail(
    const base::Ask&, const base::Site&, const std::string& to, const std::string& subject,
    std::string_view name, instance::View, const std::string& unsubscribe = {}
);

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <string>

namespace base {

// A mail to one person, as plain text and as HTML (which may be empty).
struct Mail {
    std::string to, subject, text, html;
    std::string unsubscribe;  // a URL that unsubscribes by POST (RFC 8058), or empty
};

}  // namespace base

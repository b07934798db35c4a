// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers of public pages: HTML that is the same for all who read the same language, with the headers that keep it harmless.
#pragma once
#include "db/session.hpp"
#include "http/message.hpp"
#include "social/instance/html.hpp"

#include <string>

namespace pages {

struct PublicPage {
    const char* name;  // of the template
    std::string title;
    std::string id = {};     // of the same thing in ActivityPub
    std::string feeds = {};  // the address before ".rss" and ".atom"
    bool embedded = false;   // in pages of others
    bool said = false;       // the title is a sentence of ours (View::say)
};

// In the language of who reads it (oauth::reading_language).
http::Response html(db::Read&, const http::Request&, const PublicPage&, instance::View);

}  // namespace pages

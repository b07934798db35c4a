// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers of public pages: HTML that is the same for everybody, with the headers that keep it harmless.
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"
#include "social/instance/html.hpp"

#include <string>
#include <string_view>

namespace pages {

struct PublicPage {
    const char* name;  // of the template
    std::string title;
    std::string id = {};     // of the same thing in ActivityPub
    std::string feeds = {};  // the address before ".rss" and ".atom"
    bool embedded = false;   // in pages of others
};

http::Response html(const base::Site&, const PublicPage&, instance::View);

}  // namespace pages

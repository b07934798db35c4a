// SPDX-License-Identifier: AGPL-3.0-or-later
// What people here wrote, as HTML of ours: made anew from what they typed, with exactly those mentions that were sent with it.
#pragma once
#include "base/site.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace takeover {

struct Mentioned {
    std::string username, domain, url;  // domain: empty for people of this site
};

// `content_type`: text/plain or text/markdown.
std::string
html_of(const base::Site&, std::string_view text, std::string_view content_type, const std::vector<Mentioned>&);
// A value of a profile field.
std::string field_html(const base::Site&, std::string_view value);

}  // namespace takeover

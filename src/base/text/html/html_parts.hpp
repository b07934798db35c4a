// SPDX-License-Identifier: AGPL-3.0-or-later
// Markup that to_html and markdown_html share. Internal to this folder.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/text/html/html.hpp"

namespace base::text {

// Escapes and cleans (utf8.hpp), so that no caller can make the result invalid.
void append_escaped(std::string& out, std::string_view text);
void append_link(std::string& out, std::string_view url, bool rel_me);

// Finds mentions by their text in logarithmic time, and knows which user names need their domain.
class Linker {
public:
    explicit Linker(const Resolve& resolve);
    // Appends the anchor for `entity`, or its escaped text if it refers to nobody.
    void append(std::string& out, std::string_view text, const Entity& entity) const;

private:
    void append_mention(std::string& out, const Mention& mention) const;
    bool needs_domain(const Mention& mention) const;
    void find_ambiguous();

    const Resolve& resolve_;
    std::vector<std::pair<std::string, const Mention*>> by_acct_;  // lower case, sorted
    std::vector<std::string> ambiguous_;                           // lower case, sorted
};

}  // namespace base::text

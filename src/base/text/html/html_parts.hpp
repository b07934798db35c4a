// SPDX-License-Identifier: AGPL-3.0-or-later
// The pieces of markup that to_html and markdown_html share. Only for this folder.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/text/html/html.hpp"

namespace base::text {

// Escaped, and cleaned on the way (utf8.hpp), so that no caller can make the result invalid.
void append_escaped(std::string& out, std::string_view text);
void append_link(std::string& out, std::string_view url, bool rel_me);

// Finds mentions by what stands in the text, in logarithmic time, and knows which user names need their domain.
class Linker {
public:
    explicit Linker(const Resolve& resolve);
    // The anchor for `entity`, or its escaped text when it means nobody.
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

// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages and mails from the templates of web/. A View says what a template shows; values are escaped for the place
// they stand in (ctemplate's AUTOESCAPE), so that a View never holds HTML.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace instance {

class View {
public:
    // {{NAME}}. In a page, values of the outermost View are seen by the layout, too.
    View& set(std::string_view name, std::string_view value);
    // The same for a sentence of ours, which pages say in their language (words.hpp).
    View& say(std::string_view name, std::string_view sentence);
    // A number, in whose plural pages say the sentences that it stands in (words.hpp).
    View& count(std::string_view name, std::int64_t number);
    // {{#SECTION}}…{{/SECTION}}, shown once for each call. The reference holds until the next call.
    View& add(std::string_view section);
    View& show_if(bool condition, std::string_view section) {
        if (condition) add(section);
        return *this;
    }

private:
    friend class Filling;
    struct Value {
        std::string name, text;
        bool said = false;
        std::optional<std::int64_t> number = {};
    };
    std::vector<Value> values_;
    std::vector<std::pair<std::string, View>> sections_;
};

// web/templates/<name>.html inside web/templates/layout.html.
std::string render_page(std::string_view name, const View&, std::string_view language = "en");
// One file of web/, "mail/confirmation.txt"; escaped if it ends in .html. It sees LANGUAGE and DIRECTION.
std::string render_file(std::string_view path, const View&, std::string_view language = "en");

}  // namespace instance

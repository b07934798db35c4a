// SPDX-License-Identifier: AGPL-3.0-or-later
// Renders pages and mails from the templates of web/. A View holds the values of a template; they are escaped
// for their context (ctemplate's AUTOESCAPE), so a View never contains HTML.
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
    // {{NAME}}. In a page, values of the outermost View are visible to the layout, too.
    View& set(std::string_view name, std::string_view value);
    // The same for a sentence of our own, which is translated (words.hpp).
    View& say(std::string_view name, std::string_view sentence);
    // A number, which selects the plural form of the sentences that contain it (words.hpp).
    View& count(std::string_view name, std::int64_t number);
    // {{#SECTION}}…{{/SECTION}}, shown once for each call. The reference is valid until the next call.
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
// One file of web/, e.g. "mail/confirmation.txt"; values are escaped if it ends in .html. LANGUAGE and
// DIRECTION are set.
std::string render_file(std::string_view path, const View&, std::string_view language = "en");

}  // namespace instance

// SPDX-License-Identifier: AGPL-3.0-or-later
// Matches a text against a template: with "Not more than {count} accounts can be added at once" it finds the
// values that were filled in.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace base::text {

class Pattern {
public:
    explicit Pattern(std::string text);

    const std::string& text() const { return text_; }
    std::size_t literals() const {
        return literals_;
    }  // bytes of literal text, which all results have in common
    // Returns each placeholder's value, at least one byte long; one named "count" matches only digits.
    std::optional<std::vector<std::pair<std::string, std::string>>> match(std::string_view filled_in) const;
    std::vector<std::string> names() const;

private:
    struct Place {
        std::string name, after;  // the literal text that follows it
    };
    std::string text_, before_;
    std::vector<Place> places_;
    std::size_t literals_ = 0;
};

}  // namespace base::text

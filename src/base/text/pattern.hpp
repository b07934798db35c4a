// SPDX-License-Identifier: AGPL-3.0-or-later
// A text with something to fill in, the other way round: "Not more than {count} accounts can be added at once" finds in
// a text that was made from it what was filled in.
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
    }  // how many bytes are the same in all that is made from it
    // Each place by its name, filled with at least one byte; one called "count" with digits alone.
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

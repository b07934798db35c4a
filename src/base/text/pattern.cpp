// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/pattern.hpp"

#include <algorithm>

namespace base::text {

Pattern::Pattern(std::string text) : text_(std::move(text)) {
    std::string_view rest = text_;
    auto literal = [&] {
        auto out = std::string(rest.substr(0, rest.find('{')));
        rest.remove_prefix(out.size());
        literals_ += out.size();
        return out;
    };
    before_ = literal();
    while (!rest.empty()) {
        auto name = rest.substr(1, rest.find('}') - 1);
        rest.remove_prefix(std::min(name.size() + 2, rest.size()));
        places_.push_back({std::string(name), literal()});
    }
}

std::optional<std::vector<std::pair<std::string, std::string>>> Pattern::match(std::string_view filled_in
) const {
    // A pattern with almost no literal text would match everything.
    constexpr std::size_t fewest_literals = 4;
    if (literals_ < fewest_literals || !filled_in.starts_with(before_)) return std::nullopt;
    filled_in.remove_prefix(before_.size());
    std::vector<std::pair<std::string, std::string>> out;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const auto& [name, after] = places_[i];
        bool last = i + 1 == places_.size();
        if (last && !filled_in.ends_with(after)) return std::nullopt;
        auto end = last ? filled_in.size() - after.size() : filled_in.find(after);
        if (end == filled_in.npos || end == 0 || end > filled_in.size()) return std::nullopt;
        auto value = filled_in.substr(0, end);
        if (name == "count" && value.find_first_not_of("0123456789") != value.npos) return std::nullopt;
        out.emplace_back(name, value);
        filled_in.remove_prefix(end + after.size());
    }
    return out;
}

std::vector<std::string> Pattern::names() const {
    std::vector<std::string> out;
    for (const auto& place : places_) out.push_back(place.name);
    std::ranges::sort(out);
    return out;
}

}  // namespace base::text

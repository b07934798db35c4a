// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/mastodon/reading.hpp"

#include <charconv>

namespace takeover::mastodon {

MaybeText given(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

std::vector<Id> ids_of(const ForeignList& list) {
    std::vector<Id> out;
    for (const auto& text : list.items) {
        Id id = 0;
        const auto end = text.data() + text.size();
        if (std::from_chars(text.data(), end, id).ptr == end && !text.empty()) out.push_back(id);
    }
    return out;
}

statuses::Visibility visibility_of(std::int64_t number) {
    using statuses::Visibility;
    switch (number) {
        case 0: return Visibility::public_;
        case 1: return Visibility::unlisted;
        case 2: return Visibility::private_;
        case 4: return Visibility::limited;
        default: return Visibility::direct;
    }
}

}  // namespace takeover::mastodon

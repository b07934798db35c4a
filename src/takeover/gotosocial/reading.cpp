// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/gotosocial/reading.hpp"

namespace takeover::gotosocial {

std::optional<Time> time_of_ulid(std::string_view ulid) {
    constexpr std::string_view digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    constexpr std::size_t of_time = 10, all = 26;
    if (ulid.size() != all) return std::nullopt;
    std::int64_t ms = 0;
    for (const char c : ulid.substr(0, of_time)) {
        const auto digit = digits.find(c);
        if (digit == digits.npos) return std::nullopt;
        ms = ms << 5 | static_cast<std::int64_t>(digit);
    }
    return Time{ms};
}

statuses::Visibility visibility_of(std::int64_t number) {
    using statuses::Visibility;
    switch (number) {
        case 2: return Visibility::public_;
        case 3: return Visibility::unlisted;
        case 4:
        case 5: return Visibility::private_;  // mutuals: followers see it here
        default: return Visibility::direct;
    }
}

std::string content_type_of(std::int64_t number) { return number == 2 ? "text/markdown" : "text/plain"; }

std::string former_file(const std::string& path) { return "former/fileserver/" + path; }

}  // namespace takeover::gotosocial

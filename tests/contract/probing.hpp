// SPDX-License-Identifier: AGPL-3.0-or-later
// Asking every route there is.
#pragma once
#include "http/router.hpp"
#include "world.hpp"

#include <set>

// The route's path with this in the place of each parameter.
inline std::string filled(std::string_view path, const std::string& id) {
    std::string out;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] != ':') {
            out += path[i];
            continue;
        }
        out += id;
        while (i + 1 < path.size() && path[i + 1] != '/') ++i;
    }
    return out;
}

// The headers that could tell one answer from another.
inline std::string told_by_headers(const Answer& answer) {
    static const std::set<std::string_view> of_the_moment{
        "Date", "X-Request-Id", "X-Runtime", "X-RateLimit-Remaining", "X-RateLimit-Reset"
    };
    std::string out;
    for (const auto& [name, value] : answer.headers)
        if (!of_the_moment.contains(name)) out += name + ": " + value + "\n";
    return out;
}

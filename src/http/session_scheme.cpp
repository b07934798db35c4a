// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/session_scheme.hpp"

#include "http/body/urlencoded.hpp"

#include <algorithm>

namespace http {

namespace {

constexpr std::string_view scheme = "Session ";

std::vector<std::string_view> authorizations(const Request& request) {
    std::vector<std::string_view> out;
    for (const auto& [name, value] : request.headers)
        if (same_header_name(name, "Authorization")) out.push_back(value);
    return out;
}

bool is_token(std::string_view name) { return name == "access_token" || name == "bearer_token"; }

}  // namespace

bool offers_session(const Request& request) {
    return std::ranges::any_of(authorizations(request), [](auto value) { return value.starts_with(scheme); });
}

std::optional<std::string_view> session_proof(const Request& request) {
    auto all = authorizations(request);
    if (all.size() != 1 || !all[0].starts_with(scheme)) return std::nullopt;
    for (const auto& [name, value] : read_urlencoded(request.query()))
        if (is_token(name)) return std::nullopt;
    return all[0].substr(scheme.size());
}

}  // namespace http

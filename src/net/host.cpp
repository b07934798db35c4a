// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/host.hpp"

#include <boost/beast/core/string.hpp>

#include <algorithm>

namespace net {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
           c == '_';
}
bool is_v6(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' || c == '.';
}

bool all(std::string_view text, bool (*kind)(char)) { return std::all_of(text.begin(), text.end(), kind); }

}  // namespace

bool is_host(std::string_view text) {
    if (text.size() > 255) return false;
    const bool bracketed = text.starts_with('[');
    const auto end = bracketed ? text.find(']') : std::min(text.find(':'), text.size());
    if (end == text.npos) return false;
    const auto name = bracketed ? text.substr(1, end - 1) : text.substr(0, end);
    if (name.empty() || !all(name, bracketed ? is_v6 : is_name)) return false;
    const auto rest = text.substr(end + (bracketed ? 1 : 0));
    if (rest.empty()) return true;
    return rest.front() == ':' && rest.size() <= 6 && all(rest.substr(1), is_digit);
}

std::optional<AbsoluteTarget> split_absolute(std::string_view target) {
    const auto colon = target.find("://");
    if (colon == target.npos || target.starts_with('/')) return std::nullopt;
    const auto scheme = target.substr(0, colon);
    if (!boost::beast::iequals(scheme, "http") && !boost::beast::iequals(scheme, "https"))
        return std::nullopt;
    const auto rest = target.substr(colon + 3);
    const auto end = std::min(rest.find_first_of("/?#"), rest.size());
    auto path = std::string(rest.substr(end));
    if (!path.starts_with('/')) path.insert(0, "/");
    return AbsoluteTarget{std::string(rest.substr(0, end)), std::move(path)};
}

}  // namespace net

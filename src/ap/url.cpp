// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/url.hpp"

#include "base/text/blank.hpp"
#include "base/text/host.hpp"
#include "base/text/percent.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ap {

namespace {

using base::text::is_ascii_alnum;
using base::text::is_ascii_digit;

struct Parts {
    bool secure = false;
    std::string_view authority, rest;  // rest begins with / ? # or is empty
};

std::optional<Parts> split(std::string_view url) {
    Parts out;
    auto colon = url.find("://");
    if (colon == url.npos) return std::nullopt;
    auto scheme = url.substr(0, colon);
    out.secure = base::text::same_ignoring_ascii_case(scheme, "https");
    if (!out.secure && !base::text::same_ignoring_ascii_case(scheme, "http")) return std::nullopt;
    url.remove_prefix(colon + 3);
    auto end = std::min(url.find_first_of("/?#\\"), url.size());
    out.authority = url.substr(0, end);
    out.rest = url.substr(end);
    // Browsers read a backslash as a slash, others as part of the name.
    if (out.authority.empty() || out.rest.starts_with('\\')) return std::nullopt;
    return out;
}

bool is_address_literal(std::string_view host) {
    return host.size() > 2 && host.starts_with('[') && host.ends_with(']') &&
           std::ranges::all_of(host.substr(1, host.size() - 2), [](char c) {
               return c == ':' || c == '.' || is_ascii_digit(static_cast<unsigned char>(c)) ||
                      (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
           });
}

std::optional<std::string> host_in(const Parts& parts) {
    auto authority = parts.authority;
    if (authority.find('@') != authority.npos) return std::nullopt;
    std::string port;
    auto colon = authority.rfind(':');
    if (colon != authority.npos && authority.find(']', colon) == authority.npos) {
        port = authority.substr(colon + 1);
        authority = authority.substr(0, colon);
        int number = 0;
        auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
        if (!port.empty() &&
            (error != std::errc{} || end != port.data() + port.size() || number < 1 || number > 65535))
            return std::nullopt;
        if (!port.empty()) port = std::to_string(number);
        if (port == (parts.secure ? "443" : "80")) port.clear();
    }
    std::string host;
    if (is_address_literal(authority)) {
        host = base::text::ascii_lowered(authority);
    } else {
        auto ascii = base::text::host_as_ascii(authority);
        if (!ascii || ascii->find(':') != ascii->npos) return std::nullopt;
        host = std::move(*ascii);
        if (host.ends_with('.')) host.pop_back();
        if (host.empty() || host.starts_with('.') || host.find("..") != host.npos) return std::nullopt;
    }
    return port.empty() ? host : host + ":" + port;
}

bool is_plain(char c) {
    constexpr std::string_view marks = "-._~:/?#[]@!$&'()*+,;=%";
    return is_ascii_alnum(static_cast<unsigned char>(c)) || marks.find(c) != marks.npos;
}

// WordPress writes the & between parameters as in HTML, where the # would begin a fragment.
std::string without_entities(std::string_view text) {
    std::string out(text);
    for (std::size_t before = out.size() + 1; out.size() < before;) {
        before = out.size();
        for (std::string_view entity : {"&#038;", "&amp;"})
            for (auto at = out.find(entity); at != out.npos; at = out.find(entity, at))
                out.erase(at + 1, entity.size() - 1);
    }
    return out;
}

}  // namespace

std::string host_of(std::string_view url) {
    auto parts = split(url);
    if (!parts) return {};
    return host_in(*parts).value_or(std::string());
}

bool same_host(std::string_view a, std::string_view b) {
    auto host = host_of(a);
    return !host.empty() && host == host_of(b);
}

bool is_web_url(std::string_view url) {
    if (url.size() > longest_url || host_of(url).empty()) return false;
    return std::ranges::none_of(url, [](char c) {
        return static_cast<unsigned char>(c) <= ' ' || c == 0x7F || c == '<' || c == '>' || c == '"';
    });
}

std::string web_url(std::string_view text) {
    text = base::text::trimmed(text, " \t\r\n\f");
    if (text.size() > longest_url) return {};
    auto parts = split(text);
    if (!parts) return {};
    auto host = host_in(*parts);
    if (!host) return {};
    std::string out = parts->secure ? "https://" : "http://";
    out += *host;
    for (char c : without_entities(parts->rest)) {
        auto code = static_cast<unsigned char>(c);
        if (is_plain(c)) {
            out += c;
        } else if (code < ' ' || code == 0x7F) {
            return {};
        } else {
            constexpr char digits[] = "0123456789ABCDEF";
            out += {'%', digits[code >> 4], digits[code & 15]};
        }
    }
    return out.size() <= longest_url ? out : std::string();
}

std::string_view without_fragment(std::string_view url) { return url.substr(0, url.find('#')); }

std::string without_bearer(std::string_view id) {
    if (!id.starts_with("bear:?")) return std::string(id);
    id.remove_prefix(6);
    while (!id.empty()) {
        auto end = std::min(id.find('&'), id.size());
        if (id.starts_with("u=")) return base::text::percent_decoded(id.substr(2, end - 2));
        id.remove_prefix(std::min(end + 1, id.size()));
    }
    return {};
}

}  // namespace ap

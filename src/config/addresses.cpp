// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/addresses.hpp"

#include "base/text/utf8.hpp"
#include "net/host.hpp"
#include "net/local/socket_file.hpp"

#include <arpa/inet.h>
#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>

namespace server {

namespace {

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    auto end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, port);
    if (text.empty() || read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return port;
}

bool is_address(const std::string& text) {
    unsigned char bytes[16];
    return ::inet_pton(AF_INET, text.c_str(), bytes) == 1 || ::inet_pton(AF_INET6, text.c_str(), bytes) == 1;
}

bool take(std::string& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.erase(0, prefix.size());
    return true;
}

struct HostPort {
    std::string host;
    std::optional<std::uint16_t> port;
};

std::optional<HostPort> split(std::string_view authority) {
    if (!net::is_host(authority)) return std::nullopt;
    auto colon = authority.rfind(':');
    if (colon == authority.npos || authority.ends_with(']')) return HostPort{std::string(authority), {}};
    auto port = parse_port(authority.substr(colon + 1));
    if (!port) return std::nullopt;
    return HostPort{std::string(authority.substr(0, colon)), port};
}

}  // namespace

std::optional<net::Endpoint> parse_endpoint(std::string_view text) {
    if (text.starts_with("unix:")) {
        net::Endpoint at{.path = std::string(text.substr(5))};
        const bool possible =
            at.path.starts_with('/') && !at.path.ends_with('/') && at.path.size() <= net::longest_socket_path;
        return possible ? std::optional(at) : std::nullopt;
    }
    auto colon = text.rfind(':');
    if (colon == text.npos) return std::nullopt;
    auto port = parse_port(text.substr(colon + 1));
    std::string address(text.substr(0, colon));
    if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
    else if (address.find(':') != address.npos) return std::nullopt;
    if (address == "localhost") address = "127.0.0.1";
    if (!port || !is_address(address)) return std::nullopt;
    return net::Endpoint{.address = address, .port = *port};
}

std::string to_string(const net::Endpoint& endpoint) {
    if (!endpoint.path.empty()) return "unix:" + endpoint.path;
    auto v6 = endpoint.address.find(':') != std::string::npos;
    return (v6 ? "[" + endpoint.address + "]" : endpoint.address) + ":" + std::to_string(endpoint.port);
}

std::optional<PublicUrl> parse_public_url(std::string_view text) {
    auto rest = base::text::ascii_lowered(text);
    PublicUrl url;
    if (take(rest, "https://")) url.secure = true;
    else if (!take(rest, "http://")) return std::nullopt;
    if (rest.ends_with('/')) rest.pop_back();
    auto parts = split(rest);
    if (!parts || parts->host.empty()) return std::nullopt;
    url.authority = parts->host;
    if (parts->port && *parts->port != (url.secure ? 443 : 80))
        url.authority += ":" + std::to_string(*parts->port);
    return url;
}

bool is_bucket_place(std::string_view text) { return text.starts_with("s3://"); }

std::optional<BucketPlace> parse_bucket_place(std::string_view text) {
    if (!is_bucket_place(text)) return std::nullopt;
    text.remove_prefix(std::string_view("s3://").size());
    while (text.ends_with('/')) text.remove_suffix(1);
    const auto end = std::min(text.find('/'), text.size());
    BucketPlace place{
        std::string(text.substr(0, end)), std::string(text.substr(std::min(end + 1, text.size())))
    };
    constexpr std::string_view odd = " ?#%@:\\";
    const bool plain = place.bucket.find_first_of(odd) == std::string::npos;
    if (place.bucket.empty() || !plain || place.prefix.starts_with('/') ||
        place.prefix.find("//") != std::string::npos)
        return std::nullopt;
    if (!place.prefix.empty()) place.prefix += '/';
    return place;
}

std::optional<std::string> parse_backup_key(std::string_view text) {
    constexpr std::size_t bytes = 32;
    constexpr int base = 16;
    if (text.size() != 2 * bytes) return std::nullopt;
    std::string key;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        std::uint8_t byte = 0;
        const auto* end = text.data() + i + 2;
        if (std::from_chars(text.data() + i, end, byte, base).ptr != end) return std::nullopt;
        key += static_cast<char>(byte);
    }
    return key;
}

std::optional<net::SmtpOptions> parse_smtp_url(std::string_view text) {
    using Tls = net::SmtpOptions::Tls;
    auto rest = base::text::ascii_lowered(text);
    net::SmtpOptions smtp;
    if (take(rest, "smtps://")) smtp.tls = Tls::implicit, smtp.port = 465;
    else if (take(rest, "smtp+insecure://")) smtp.tls = Tls::none, smtp.port = 25;
    else if (!take(rest, "smtp://")) return std::nullopt;
    if (rest.ends_with('/')) rest.pop_back();
    auto parts = split(rest);
    if (!parts) return std::nullopt;
    smtp.host = parts->host;
    if (parts->port) smtp.port = *parts->port;
    return smtp;
}

std::optional<net::ValkeyOptions> parse_valkey_url(std::string_view text) {
    const auto url = boost::urls::parse_uri(text);
    if (!url || url->has_query() || url->has_fragment()) return std::nullopt;
    const auto scheme = base::text::ascii_lowered(url->scheme());
    net::ValkeyOptions out;
    out.tls = scheme == "rediss" || scheme == "valkeys";
    if (!out.tls && scheme != "redis" && scheme != "valkey") return std::nullopt;
    const std::string path(url->path());
    if (path.find_first_not_of("0123456789", 1) != path.npos) return std::nullopt;
    out.host = url->host_address();
    out.user = url->user();
    out.password = url->password();
    if (url->has_port() && url->port_number() != 0) out.port = url->port_number();
    if (out.host.empty() || (!out.user.empty() && out.password.empty())) return std::nullopt;
    return out;
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/host_names.hpp"

#include "base/text/utf8.hpp"

#include <algorithm>

namespace server {

namespace {

// "Example.org:443" becomes example.org, "[::1]:3000" becomes [::1].
std::string without_port(std::string_view host) {
    auto inside = host.starts_with('[') ? host.find(']') : 0;  // the colons of an IPv6 address
    auto name =
        base::text::ascii_lowered(host.substr(0, inside == host.npos ? inside : host.find(':', inside)));
    while (name.ends_with('.')) name.pop_back();
    return name;
}

std::string_view without_scheme(std::string_view url) {
    auto at = url.find("://");
    return at == url.npos ? url : url.substr(at + 3);
}

// Nobody can own such a name, so no foreign page can use one to reach this server (DNS rebinding).
bool is_loopback(std::string_view name) {
    bool numbers = std::ranges::all_of(name, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
    return name == "localhost" || name.ends_with(".localhost") || name == "[::1]" ||
           (numbers && name.starts_with("127."));
}

}  // namespace

HostNames::HostNames(const Config& config) {
    const auto site = site_of(config);
    for (std::string_view url : {site.public_url, site.streaming_url, site.domain})
        names_.insert(without_port(without_scheme(url)));
    for (const auto* list : {&config.listen, &config.tls_listen, &config.host_names})
        for (const auto& name : *list)
            if (!name.starts_with("unix:")) names_.insert(without_port(name));
}

bool HostNames::contains(std::string_view host) const {
    auto name = without_port(host);
    return is_loopback(name) || names_.contains(name);
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// One request to one host and its response, by libcurl. Private to net.
#pragma once
#include "net/client/http_client.hpp"

#include <optional>

namespace net {

// The parts of a URL that determine where it connects, as parsed by libcurl itself.
struct FetchTarget {
    std::string scheme, host, port;
    std::string origin() const { return scheme + "://" + host + ":" + port; }
};
// nullopt: not http(s), or it contains credentials.
std::optional<FetchTarget> read_target(const std::string& url);
// Compares host names, with or without the port.
bool is_one_of(const FetchTarget&, const std::vector<std::string>& hosts);

struct Hop {
    base::Fetched answer;
    std::string redirect;  // the absolute redirect target; empty: none
};

Hop exchange(
    const base::Fetch&, const HttpClientOptions&, const NetworkSet& allowed, std::chrono::milliseconds left
);

}  // namespace net

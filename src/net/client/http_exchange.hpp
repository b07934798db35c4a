// SPDX-License-Identifier: AGPL-3.0-or-later
// One question to one host and its answer, by libcurl. Private to net.
#pragma once
#include "net/client/http_client.hpp"

#include <optional>

namespace net {

// What of an address decides whom it asks, as libcurl itself reads it.
struct FetchTarget {
    std::string scheme, host, port;
    std::string origin() const { return scheme + "://" + host + ":" + port; }
};
// nullopt: not http(s), or with user and password.
std::optional<FetchTarget> read_target(const std::string& url);
// By their names, with or without the port.
bool is_one_of(const FetchTarget&, const std::vector<std::string>& hosts);

struct Hop {
    base::Fetched answer;
    std::string redirect;  // where the answer points, absolute; empty: nowhere
};

Hop exchange(
    const base::Fetch&, const HttpClientOptions&, const NetworkSet& allowed, std::chrono::milliseconds left
);

}  // namespace net

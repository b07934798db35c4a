// SPDX-License-Identifier: AGPL-3.0-or-later
// A request to another server: the question that handlers and jobs ask (base/ask.hpp). net/http_client
// answers it and refuses addresses that are not on the public internet. Failures are returned, never thrown.
#pragma once
#include "base/describe.hpp"

#include <boost/describe/enum.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace base {

BOOST_DEFINE_ENUM_CLASS(
    FetchFailure, none,
    bad_url,            // not http(s), contains credentials, too long, or http where https was required
    forbidden_address,  // private, loopback or otherwise not public
    unresolvable, unreachable, tls, timeout, too_large, too_many_redirects,
    bad_answer,  // not HTTP
    busy         // we already send too many requests to this host
)

struct FetchHeader {
    std::string name, value;
};
DESCRIBE(FetchHeader, name, value)

struct Fetched {
    FetchFailure failure = FetchFailure::none;
    int status = 0;
    std::string url;                   // after redirects
    std::vector<FetchHeader> headers;  // of the last response, names in lower case
    std::string body;
    std::int64_t retry_after =
        0;  // seconds, from the response; if busy: until per_minute allows more; 0: unknown

    bool ok() const { return failure == FetchFailure::none && status >= 200 && status < 300; }
    std::string_view header(std::string_view name) const {
        for (const auto& h : headers)
            if (h.name == name) return h.value;
        return {};
    }
};

struct Fetch {
    std::string url;
    std::vector<FetchHeader> headers;  // when redirected to another host, only those that do not identify us
    bool post = false;                 // redirects of a POST are returned, not followed
    std::string body;
    bool plain_http = false;  // whether http:// URLs are allowed
    std::int64_t most_bytes = 1 << 20;
    bool cut = false;           // truncate a longer response instead of failing with too_large
    std::int64_t seconds = 30;  // for everything, redirects included
    int redirects = 3;
    int per_minute = 0;    // limit of such requests per minute and host; 0: none
    bool bulk = false;     // one of many for the same purpose: these leave half of per_minute to others
    bool trusted = false;  // the operator set the address: private ones are allowed
    using Answer = Fetched;
};
DESCRIBE(
    Fetch, url, headers, post, body, plain_http, most_bytes, cut, seconds, redirects, per_minute, bulk,
    trusted
)

}  // namespace base

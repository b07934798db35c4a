// SPDX-License-Identifier: AGPL-3.0-or-later
// Asking another server: the question that handlers and jobs put to the outside world (base/ask.hpp). net/http_client
// answers it, refusing addresses that are not the public internet's. What went wrong is a value, never an exception.
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
    bad_url,            // not http(s), with user and password, too long, or http where https was demanded
    forbidden_address,  // private, loopback or otherwise not public
    unresolvable, unreachable, tls, timeout, too_large, too_many_redirects,
    bad_answer,  // not HTTP
    busy         // too much is asked of this host by us already
)

struct FetchHeader {
    std::string name, value;
};
DESCRIBE(FetchHeader, name, value)

struct Fetched {
    FetchFailure failure = FetchFailure::none;
    int status = 0;
    std::string url;                   // after redirects
    std::vector<FetchHeader> headers;  // of the last answer, names in lower case
    std::string body;
    std::int64_t retry_after =
        0;  // seconds, as the answer says; of a busy one: when per_minute allows more; 0: unknown

    bool ok() const { return failure == FetchFailure::none && status >= 200 && status < 300; }
    std::string_view header(std::string_view name) const {
        for (const auto& h : headers)
            if (h.name == name) return h.value;
        return {};
    }
};

struct Fetch {
    std::string url;
    std::vector<FetchHeader> headers;  // to another host than the first only those that say nothing of us
    bool post = false;                 // redirects of a POST are not followed but answered
    std::string body;
    bool plain_http = false;  // whether http:// may be asked
    std::int64_t most_bytes = 1 << 20;
    bool cut = false;           // of a longer answer the beginning is enough; else it is too_large
    std::int64_t seconds = 30;  // for everything, redirects included
    int redirects = 3;
    int per_minute = 0;    // at most so many such questions a minute to one host; 0: no such limit
    bool bulk = false;     // one of very many for one purpose, which leave half of per_minute to all else
    bool trusted = false;  // the address comes from the operator: private ones are allowed, too
    using Answer = Fetched;
};
DESCRIBE(
    Fetch, url, headers, post, body, plain_http, most_bytes, cut, seconds, redirects, per_minute, bulk,
    trusted
)

}  // namespace base

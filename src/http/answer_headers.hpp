// SPDX-License-Identifier: AGPL-3.0-or-later
// The headers every answer carries: security, caching, CORS, rate limits (behaviours: sections 2, 8, 9).
#pragma once
#include "base/site.hpp"
#include "http/limits.hpp"
#include "http/message.hpp"

namespace http {

void add_answer_headers(
    Response&, const Route&, const Request&, const RateLimitStatus&, const base::Site&, bool token_given
);
// For Response::common_headers. `policy`: what is answered is data, and not a page with a policy of its own.
std::string_view common_headers(std::string_view path, bool policy);
// The same for an error that is told before anybody has looked where the request leads: whose program it is may read why.
std::string_view headers_of_errors();
std::string_view cors_headers(std::string_view path);  // these of them only
// Whether other origins may call this path at all.
bool cross_origin(std::string_view path);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// The headers that every response carries: security, caching, CORS, rate limits (behaviours: sections 2, 8,
// 9).
#pragma once
#include "base/site.hpp"
#include "http/limits.hpp"
#include "http/message.hpp"

namespace http {

void add_answer_headers(
    Response&, const Route&, const Request&, const RateLimitStatus&, const base::Site&, bool token_given
);
// For Response::common_headers. `policy`: the response is data, not a page with its own
// Content-Security-Policy.
std::string_view common_headers(std::string_view path, bool policy);
std::string_view cors_headers(std::string_view path);  // only the CORS headers among them
// Whether other origins may call this path.
bool cross_origin(std::string_view path);

}  // namespace http

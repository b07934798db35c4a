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
std::string_view cors_headers(std::string_view path);  // these of them only
// Whether other origins may call this path at all.
bool cross_origin(std::string_view path);

// Answers made smaller on the way (RFC 9110, 8.4): gzip and brotli.

// Whether the client takes an answer in this form: "gzip", "br".
bool accepts_encoding(const Request&, std::string_view encoding);

// Whether an answer is worth it and may be: text, of a kilobyte or more, that holds no secret beside what was sent to us.
bool is_compressible(const Response&);
void vary_on_encoding(Response&);
// In the form that the client takes, if any.
void compress(Response&, const Request&);

}  // namespace http

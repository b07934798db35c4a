// SPDX-License-Identifier: AGPL-3.0-or-later
// The headers every answer carries: security, caching, CORS, rate limits (behaviours: sections 2, 8, 9).
#pragma once
#include "base/site.hpp"
#include "http/limits.hpp"
#include "http/message.hpp"

namespace http {

void add_answer_headers(
    Response&, const Route&, const Request&, const Standing&, const base::Site&, bool token_given
);
void add_security_headers(Response&, bool api);
void add_cors_headers(Response&, std::string_view path);
// Whether other origins may call this path at all.
bool cross_origin(std::string_view path);

}  // namespace http

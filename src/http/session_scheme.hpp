// SPDX-License-Identifier: AGPL-3.0-or-later
// `Authorization: Session P`: a script on one of our pages, signed in by a cookie. oauth defines and checks
// P.
#pragma once
#include "http/message.hpp"

#include <optional>

namespace http {

// Whether a request attempts this, even incorrectly.
bool offers_session(const Request&);
// Returns P if this is the request's only Authorization and there is no token in its query.
std::optional<std::string_view> session_proof(const Request&);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// `Authorization: Session P`: a script on a page of ours, signed in by a cookie. What P proves is oauth's to say.
#pragma once
#include "http/message.hpp"

#include <optional>

namespace http {

// Whether a request wants to be signed in so, however wrongly.
bool offers_session(const Request&);
// P, when the request has that one Authorization and no token in its query.
std::optional<std::string_view> session_proof(const Request&);

}  // namespace http

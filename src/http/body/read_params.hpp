// SPDX-License-Identifier: AGPL-3.0-or-later
// The parameters of a request, of its query and of its body.
#pragma once
#include "http/body/params.hpp"
#include "http/message.hpp"

#include <string_view>

namespace http {

// Of what parameters can be read; any other body is ignored.
enum class BodyKind { other, json, urlencoded, multipart };

BodyKind body_kind(std::string_view content_type);

// For every method alike. A top-level name given in the body hides the same name of the query (Params::merge). Both
// throw base::BadRequest when that cannot be read as what it claims to be. For multipart bodies see multipart.hpp.
Params read_query(const Request&);
void read_body(BodyKind, std::string_view body, Params& into);

}  // namespace http

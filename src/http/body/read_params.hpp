// SPDX-License-Identifier: AGPL-3.0-or-later
// The parameters of a request, of its query and of its body.
#pragma once
#include "http/body/params.hpp"
#include "http/message.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

namespace http {

// Of what parameters can be read; any other body is ignored.
enum class BodyKind { other, json, urlencoded, multipart };

BodyKind body_kind(std::string_view content_type);

// For every method alike. A top-level name given in the body hides the same name of the query (Params::merge). Both
// throw base::BadRequest when that cannot be read as what it claims to be. For multipart bodies see multipart.hpp.
Params read_query(const Request&);
void read_body(BodyKind, std::string_view body, Params& into);

// A JSON body, flattened to parameters. Scalars in a list become `x[]`, objects and lists in it `x[0]`; null
// is kept as null where it stands alone, and else not given; a list with nothing in it is kept as an empty list; numbers and booleans become their text.

// Throws base::BadRequest when it is malformed or nested deeper than 32. Anything but an object at the top is
// ignored, and so is an empty body.
void read_json(std::string_view body, Params& into);

// Files that stand in a text: data:image/png;base64,iVBOR… (RFC 2397).
bool is_data_uri(std::string_view);

// Written to a file in `folder`; nothing when it is none or its base64 is broken. Throws base::Unavailable when the
// disk refuses.
std::optional<Upload> read_data_uri(std::string_view uri, const std::filesystem::path& folder);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// Parses the parameters in the query and the body of a request.
#pragma once
#include "http/body/params.hpp"
#include "http/message.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

namespace http {

// The formats that contain parameters; other bodies are ignored.
enum class BodyKind { other, json, urlencoded, multipart };

BodyKind body_kind(std::string_view content_type);

// Independent of the method. A top-level name in the body hides the same name in the query (Params::merge).
// Both throw base::BadRequest if the input does not match its declared format. For multipart bodies see
// multipart.hpp.
Params read_query(const Request&);
void read_body(BodyKind, std::string_view body, Params& into);

// A JSON body, flattened to parameters. Scalars in a list become `x[]`, objects and lists in it `x[0]`; null
// is kept as null outside lists and ignored inside them; an empty list is kept; numbers and booleans become
// texts.

// Throws base::BadRequest if it is malformed or nested deeper than 32. Ignores an empty body, and anything
// but an object at the top level.
void read_json(std::string_view body, Params& into);

// Files embedded in a text: data:image/png;base64,iVBOR… (RFC 2397).
bool is_data_uri(std::string_view);

// Writes it to a file in `folder`; nullopt if it is not a data: URI or its base64 is invalid. Throws
// base::Unavailable when writing fails.
std::optional<Upload> read_data_uri(std::string_view uri, const std::filesystem::path& folder);

}  // namespace http

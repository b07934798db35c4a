// SPDX-License-Identifier: AGPL-3.0-or-later
// Gathers the parameters of a request from its query and its body.
#pragma once
#include "http/message.hpp"
#include "http/params.hpp"

#include <filesystem>

namespace http {

// For every method alike. A top-level name given in the body hides the same name of the query. A body whose
// content type is absent or not one of JSON, urlencoded and multipart is ignored. Files are written to
// `spool_dir`. Throws base::BadRequest when the body cannot be read as what it claims to be.
Params read_params(const Request&, const std::filesystem::path& spool_dir);
Params read_query(const Request&);  // the same without the body

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// Files that stand in a text: data:image/png;base64,iVBOR… (RFC 2397).
#pragma once
#include "http/body/params.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

namespace http {

bool is_data_uri(std::string_view);

// Written to a file in `folder`; nothing when it is none or its base64 is broken. Throws base::Unavailable when the
// disk refuses.
std::optional<Upload> read_data_uri(std::string_view uri, const std::filesystem::path& folder);

}  // namespace http

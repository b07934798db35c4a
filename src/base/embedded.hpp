// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once

// The files compiled into the program: "db/migrations/0001_first.sql", "web/templates/x.tpl".
// The bytes are static and NUL-terminated. tools/embed.py writes the definitions.

#include <optional>
#include <span>
#include <string_view>

namespace base {

struct EmbeddedFile {
    std::string_view path;
    std::string_view bytes;
};

// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

std::optional<std::string_view> embedded(std::string_view path);

}  // namespace base

// SPDX-License-Identifier: AGPL-3.0-or-later
// The languages of posts: ISO 639-1, those of ISO 639-3 that Mastodon offers, and regional variants.
#pragma once
#include <optional>
#include <span>
#include <string_view>

namespace base::text {

struct Language {
    std::string_view code, name;  // "pt-BR", "Portuguese (Brazil)"
};

std::span<const Language> languages();  // sorted by code

bool known_language(std::string_view code);  // exactly as written in the table

// The table's code for "en", "EN", "en_US", "ja-JP": the whole code if known, else the part before the
// region.
std::optional<std::string_view> find_language(std::string_view code);

}  // namespace base::text

// SPDX-License-Identifier: AGPL-3.0-or-later
// Secrets and words of logins in the forms that other programs store.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takeover {

// Of an authenticator app; spaces and padding do not matter. Nothing: it is none.
std::optional<std::string> from_base32(std::string_view);

// Those that apps can ask for here; unknown words are left out.
std::string known_scopes(std::string_view);

// A subscription's number, which the API tells as one that scripts can read.
std::int64_t number_of_push(std::string_view former);

}  // namespace takeover

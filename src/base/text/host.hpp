// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace base::text {

// A host name, or the beginning of one, as it is stored: lower case, other scripts in their ASCII form. nullopt for
// what no host name begins with.
std::optional<std::string> host_as_ascii(std::string_view);

}  // namespace base::text

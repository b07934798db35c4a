// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether a text is exactly one Unicode emoji, according to the data for recommended sequences (RGI).
#pragma once
#include <string_view>

namespace base::text {

bool is_emoji(std::string_view);  // also without the emoji variation selector

}  // namespace base::text

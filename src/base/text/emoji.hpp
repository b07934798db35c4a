// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether a text is one emoji of Unicode, by its data for sequences that are meant to be shown (RGI).
#pragma once
#include <string_view>

namespace base::text {

bool is_emoji(std::string_view);  // also without the sign that asks for a coloured one

}  // namespace base::text

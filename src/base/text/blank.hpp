// SPDX-License-Identifier: AGPL-3.0-or-later
// Text that shows nothing.
#pragma once
#include <string_view>

namespace base::text {

// True if the text consists only of white space, controls and invisible characters of all scripts: zero-width
// spaces and joiners, fillers, variation selectors, direction marks. Invalid UTF-8 counts as visible.
bool is_blank(std::string_view);

// Without leading and trailing (Unicode) white space.
std::string_view trimmed(std::string_view);

// Without the characters of `blanks` around it: the formats of headers and files say which these are, and what else
// Unicode takes for white space is part of a text there.
std::string_view trimmed(std::string_view, std::string_view blanks);

}  // namespace base::text

// SPDX-License-Identifier: AGPL-3.0-or-later
// Text in which there is nothing to see.
#pragma once
#include <string_view>

namespace base::text {

// Nothing but white space, controls and characters without a shape of their own, of all scripts: zero-width spaces and
// joiners, fillers, variation selectors, marks of direction. What is no UTF-8 counts as something.
bool is_blank(std::string_view);

// Without the white space (of Unicode) around it.
std::string_view trimmed(std::string_view);

// Without the characters of `blanks` around it: the formats of headers and files say which these are, and what else
// Unicode takes for white space is part of a text there.
std::string_view trimmed(std::string_view, std::string_view blanks);

}  // namespace base::text

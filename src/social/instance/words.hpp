// SPDX-License-Identifier: AGPL-3.0-or-later
// What pages say, in the language of who reads them. web/words/en.json lists the wordings that stand between [[ and ]] in
// web/templates and those that the code hands to View::say; every other file there has all of them in its language.
#pragma once
#include <string>
#include <string_view>

namespace instance {

// The source of a template with its wordings in this language. A wording may have plurals, "{POSTS, plural, one {# post} other
// {# posts}}", one of which is shown for the number that View::count gave; it becomes a section for each form.
std::string in_words(std::string_view language, std::string_view source);

std::string section_of(std::string_view name, std::string_view plural_form);

// A sentence that is filled in already, "The password is too short", as it is said in this language.
std::string said(std::string_view language, std::string_view sentence);

}  // namespace instance

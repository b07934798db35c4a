// SPDX-License-Identifier: AGPL-3.0-or-later
// Translations of pages into the reader's language. web/words/en.json lists the wordings between [[ and ]] in
// web/templates and those that the code passes to View::say; every other file there translates all of them.
#pragma once
#include <string>
#include <string_view>

namespace instance {

// The source of a template with its wordings in this language. A wording may have plurals, "{POSTS, plural,
// one {# post} other {# posts}}"; View::count selects the form. Each form becomes a section.
std::string in_words(std::string_view language, std::string_view source);

std::string section_of(std::string_view name, std::string_view plural_form);

// The translation of a complete sentence, like "The password is too short".
std::string said(std::string_view language, std::string_view sentence);

}  // namespace instance

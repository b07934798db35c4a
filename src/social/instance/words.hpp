// SPDX-License-Identifier: AGPL-3.0-or-later
// What pages say, in the language of who reads them. web/words/en.json lists the wordings that stand between [[ and ]] in
// web/templates and those that the code hands to View::say; every other file there has all of them in its language.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace instance {

const std::vector<std::string>& page_languages();  // English first

// The first wish that suits is taken: a language tag or what an Accept-Language header asks for. English when none does.
std::string page_language(std::initializer_list<std::string_view> wishes);

std::string_view direction(std::string_view language);  // "ltr", "rtl"

// The source of a template with its wordings in this language.
std::string in_words(std::string_view language, std::string_view source);

// A sentence that is filled in already, "The password is too short", as it is said in this language.
std::string said(std::string_view language, std::string_view sentence);

}  // namespace instance

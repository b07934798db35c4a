// SPDX-License-Identifier: AGPL-3.0-or-later
// What is stored of the texts of other servers. HTML from here went through the sanitizer and may be shown.
#pragma once
#include "ap/actor.hpp"
#include "ap/object.hpp"

#include <string>

namespace ap {

constexpr std::size_t longest_shown_text = 5000;  // of articles, videos and the like

// A Note or Question as it is. Of the other types the title, the text, if it is no longer than a post may be here (else
// the summary), and a link to the page. Attached links that the text does not have stand below it.
std::string content_html(const Object&);

// The content warning, as text. The summaries of other types than Note and Question are none, unless the post is marked
// as sensitive.
std::string warning(const Object&);

std::string plain_text(std::string_view html, std::size_t most_characters);

// Of profiles.
std::string summary_html(const Actor&);  // for dunlin-fixtures-check
std::string field_html(const Field&);

}  // namespace ap

// SPDX-License-Identifier: AGPL-3.0-or-later
// Texts of other servers as they are stored. HTML from here is sanitised and may be shown.
#pragma once
#include "ap/actor.hpp"
#include "ap/object.hpp"

#include <string>

namespace ap {

constexpr std::size_t longest_shown_text = 5000;  // of articles, videos and the like

// The content of a Note or Question. For other types the title, the text (the summary if that is longer than
// longest_shown_text) and a link to the page. Attached links that are not in the text are appended.
std::string content_html(const Object&);

// The content warning, as plain text. The summary of types other than Note and Question counts as one only if
// the post is marked as sensitive.
std::string warning(const Object&);

std::string plain_text(std::string_view html, std::size_t most_characters);

// Of profiles.
std::string summary_html(const Actor&);  // for dunlin-fixtures-check
std::string field_html(const Field&);

}  // namespace ap

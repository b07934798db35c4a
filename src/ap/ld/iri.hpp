// SPDX-License-Identifier: AGPL-3.0-or-later
// The words of JSON-LD: keywords, and IRIs as far as they are looked into.
#pragma once
#include <string>
#include <string_view>

namespace ap::ld {

bool is_keyword(std::string_view);
bool looks_like_keyword(std::string_view);  // "@" and letters: reserved, and ignored when it is none
bool is_absolute(std::string_view);         // begins with a scheme
bool is_blank(std::string_view);            // "_:label"
bool is_well_formed(std::string_view iri);  // absolute, without what an IRI cannot hold
std::string resolve(std::string_view base, std::string_view reference);
std::string relative_to(std::string_view base, std::string_view iri);

}  // namespace ap::ld

// SPDX-License-Identifier: AGPL-3.0-or-later
// QuoteAuthorization: the document by which an author lets one post quote another (FEP-044f).
#pragma once
#include "ap/document.hpp"

#include <string>

namespace ap {

struct QuoteAuthorization {
    std::string id;
    std::string attributed_to;       // who gave it: the author of the quoted post
    std::string interacting_object;  // the post that quotes
    std::string interaction_target;  // the quoted post
};

// Refused is also one that its author's server does not hold.
Reading<QuoteAuthorization> read_quote_authorization(const Document&);

// Whether it says that `target`, by `author`, may be quoted by `post`.
bool allows(
    const QuoteAuthorization&, std::string_view post, std::string_view target, std::string_view author
);

}  // namespace ap

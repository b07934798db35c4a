// SPDX-License-Identifier: AGPL-3.0-or-later
// QuoteAuthorization: the document by which an author lets one post quote another (FEP-044f), as dunlin-fixtures-check tells it.
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

}  // namespace ap

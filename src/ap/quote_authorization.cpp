// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/quote_authorization.hpp"

#include "ap/url.hpp"

namespace ap {

Reading<QuoteAuthorization> read_quote_authorization(const Document& document) {
    auto node = document.node();
    if (!node.is("QuoteAuthorization")) return Refusal::other_type;
    QuoteAuthorization out{
        node["id"].web_id(),
        node["attributedTo"].web_id(),
        node["interactingObject"].web_id(),
        node["interactionTarget"].web_id()
    };
    if (out.id.empty()) return Refusal::no_id;
    if (!same_host(out.id, out.attributed_to)) return Refusal::foreign_author;
    return out;
}

}  // namespace ap

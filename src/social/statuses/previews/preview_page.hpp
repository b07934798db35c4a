// SPDX-License-Identifier: AGPL-3.0-or-later
// From what a page says of itself to a card: OpenGraph, Twitter cards, JSON-LD, oEmbed, plain HTML. Values only; what
// comes from the page is text or an http(s) address afterwards, and markup is ours alone.
#pragma once
#include "base/fetch.hpp"
#include "social/statuses/previews/preview.hpp"

namespace statuses {

struct PageCard {
    Card card;
    std::string image;    // its address, to be fetched; empty: none
    std::string creator;  // fediverse:creator
    std::string oembed;   // address of more, empty: none
};

// `url` is the card's address, `page` the answer from there, or from where it redirected.
PageCard card_of_page(const std::string& url, const base::Fetched& page);

// What the oEmbed answer says wins over the page.
void add_oembed(PageCard&, std::string_view json);

}  // namespace statuses

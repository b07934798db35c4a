// SPDX-License-Identifier: AGPL-3.0-or-later
// Turns the metadata of a page into a card: OpenGraph, Twitter cards, JSON-LD, oEmbed, plain HTML. Values
// from the page become plain text or http(s) addresses; all markup is generated here.
#pragma once
#include "base/fetch.hpp"
#include "social/statuses/previews/preview.hpp"

namespace statuses {

struct PageCard {
    Card card;
    std::string image;    // its address, to be fetched; empty: none
    std::string creator;  // fediverse:creator
    std::string oembed;   // address of the oEmbed document; empty: none
};

// `url` is the card's address, `page` the response from it, after redirects.
PageCard card_of_page(const std::string& url, const base::Fetched& page);

// Values of the oEmbed response take precedence over those of the page.
void add_oembed(PageCard&, std::string_view json);

}  // namespace statuses

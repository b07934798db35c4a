// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections of accounts that somebody recommends, and the authorizations of those who are in them (FEP-7aa9).
#pragma once
#include "ap/document.hpp"

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_featured = 150;  // of one collection

struct FeaturedItem {
    std::string id;
    std::string object;         // the account; "" when only the id is told
    std::string authorization;  // where it agreed
};
FeaturedItem read_featured_item(Node);

struct FeaturedCollection {
    std::string id, attributed_to, url;
    std::string name;
    std::string summary, language;  // summary: HTML; language: "" when not said
    std::string topic;              // a hashtag
    bool sensitive = false, discoverable = true;
    std::optional<Time> published, updated;
    bool tells_items = false;  // else nothing is said of who is in it
    std::vector<FeaturedItem> items;
    std::string next;  // the page where further items are, on the collection's own host; "" at the end
};

// Refused is also one that is attributed to somebody of another host.
Reading<FeaturedCollection> read_featured_collection(const Document&, Time now);

struct FeaturedPage {
    std::vector<FeaturedItem> items;
    std::string next;
};
Reading<FeaturedPage> read_featured_page(const Document&, std::string_view collection);

// Whether the document says that this account may be in this collection, on the account's own host.
bool authorizes(const Document&, std::string_view collection, std::string_view account);

}  // namespace ap

// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections of recommended accounts, and the authorizations by their members (FEP-7aa9).
#pragma once
#include "ap/document.hpp"

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_featured = 150;  // of one collection

struct FeaturedItem {
    std::string id;
    std::string object;         // the account; "" when only the id is given
    std::string authorization;  // the URL of its authorization
};
FeaturedItem read_featured_item(Node);

struct FeaturedCollection {
    std::string id, attributed_to, url;
    std::string name;
    std::string summary, language;  // summary: HTML; language: "" if not given
    std::string topic;              // a hashtag
    bool sensitive = false, discoverable = true;
    std::optional<Time> published, updated;
    bool tells_items = false;  // else the document does not list its members
    std::vector<FeaturedItem> items;
    std::string next;  // the page with further items, on the collection's own host; "" at the end
};

// Also refuses one that is attributed to an actor on another host.
Reading<FeaturedCollection> read_featured_collection(const Document&, Time now);

struct FeaturedPage {
    std::vector<FeaturedItem> items;
    std::string next;
};
Reading<FeaturedPage> read_featured_page(const Document&, std::string_view collection);

// Whether the document, on the account's own host, authorizes this account's membership in the collection.
bool authorizes(const Document&, std::string_view collection, std::string_view account);

}  // namespace ap

// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections and their pages: outboxes, followers, pinned posts, replies, conversations.
#pragma once
#include "ap/document.hpp"

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_items = 1000;  // of one page

struct Collection {
    std::string id;  // "" for an embedded one without id
    bool page = false;
    std::string part_of, attributed_to;
    std::string first, next;  // the next page to fetch; "" at the end
    std::optional<std::int64_t> total;
    bool hidden = false;           // it has members but does not list them
    std::vector<Reference> items;  // also those of a first page that is embedded
};

Reading<Collection> read_collection(const Document&);

// The next page, on the collection's own host only; "" at the end. The caller must guard against loops.
std::string next_page(const Collection&, std::string_view collection_id);

}  // namespace ap

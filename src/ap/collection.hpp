// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections and their pages: outboxes, followers, pinned posts, replies, conversations.
#pragma once
#include "ap/document.hpp"

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_items = 1000;  // of one page

struct Collection {
    std::string id;  // "" of an embedded one without
    bool page = false;
    std::string part_of, attributed_to;
    std::string first, next;  // what to fetch to go on; "" at the end
    std::optional<std::int64_t> total;
    bool hidden = false;           // it has members but shows none of them
    std::vector<Reference> items;  // also those of a first page that is embedded
};

Reading<Collection> read_collection(const Document&);

// Where to go on reading, on the collection's own host only; "" at the end. Loops are for the caller to count.
std::string next_page(const Collection&, std::string_view collection_id);

}  // namespace ap

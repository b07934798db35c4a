// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/collection.hpp"

#include "ap/url.hpp"

namespace ap {

namespace {

void add_items(Collection& out, const Document& document, Node node) {
    for (std::string_view name : {"orderedItems", "items"})
        for (auto& item :
             references(document, node[name], most_items - std::min(most_items, out.items.size())))
            out.items.push_back(std::move(item));
}

}  // namespace

Reading<Collection> read_collection(const Document& document) {
    auto node = document.node();
    if (kind_of(node) != Kind::collection) return Refusal::other_type;
    Collection out;
    out.page = node.is("CollectionPage") || node.is("OrderedCollectionPage");
    out.id = node.web_id();
    out.part_of = node["partOf"].web_id();
    out.attributed_to = node["attributedTo"].web_id();
    out.total = node["totalItems"].count();
    out.next = node["next"].web_id();
    add_items(out, document, node);
    auto first = node["first"].first();
    if (first["items"] || first["orderedItems"] || first["next"]) {
        add_items(out, document, first);
        out.next = first["next"].web_id();
    } else {
        out.first = first.web_id();
    }
    out.hidden = !out.page && !first && out.items.empty() && out.total.value_or(0) > 0;
    return out;
}

std::string next_page(const Collection& collection, std::string_view collection_id) {
    const auto& next = collection.first.empty() ? collection.next : collection.first;
    return same_host(next, collection_id) ? next : std::string();
}

}  // namespace ap

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/featured.hpp"

#include "ap/url.hpp"

namespace ap {

namespace {

constexpr std::size_t longest_name = 2048, longest_summary = 20 * 1024;

FeaturedPage items_of(Node node, std::string_view collection) {
    FeaturedPage out;
    for (std::string_view name : {"orderedItems", "items"}) {
        for (auto one : node[name].each(most_featured)) {
            auto item = read_featured_item(one);
            if (out.items.size() < most_featured && same_host(item.id, collection))
                out.items.push_back(std::move(item));
        }
    }
    auto next = node["next"].web_id();
    if (same_host(next, collection)) out.next = std::move(next);
    return out;
}

}  // namespace

FeaturedItem read_featured_item(Node node) {
    auto one = node.first();
    return {one.web_id(), one["featuredObject"].web_id(), one["featureAuthorization"].web_id()};
}

Reading<FeaturedCollection> read_featured_collection(const Document& document, Time now) {
    auto node = document.node();
    if (!node.is("FeaturedCollection")) return Refusal::other_type;
    FeaturedCollection out;
    out.id = node.web_id();
    if (out.id.empty()) return Refusal::no_id;
    out.attributed_to = node["attributedTo"].web_id();
    if (out.attributed_to.empty()) return Refusal::no_author;
    if (!same_host(out.attributed_to, out.id)) return Refusal::foreign_author;
    out.name = text_of(node, "name", longest_name).text;
    auto summary = text_of(node, "summary", longest_summary);
    out.summary = std::move(summary.text);
    out.language = std::move(summary.language);
    out.url = node["url"].link("text/html");
    if (!same_host(out.url, out.id)) out.url = out.id;
    out.topic = node["topic"].first()["name"].text(longest_name);
    out.sensitive = node["sensitive"].flag();
    out.discoverable = node["discoverable"].boolean().value_or(true);
    out.published = node["published"].time(now);
    out.updated = node["updated"].time(now);
    auto page = items_of(node, out.id);
    auto first = node["first"].first();
    out.tells_items = node["orderedItems"] || node["items"] || first;
    if (page.items.empty() && first) {
        page = items_of(first, out.id);
        if (page.items.empty() && page.next.empty() && same_host(first.web_id(), out.id))
            page.next = first.web_id();
    }
    out.items = std::move(page.items);
    out.next = std::move(page.next);
    return out;
}

Reading<FeaturedPage> read_featured_page(const Document& document, std::string_view collection) {
    if (kind_of(document.node()) != Kind::collection) return Refusal::other_type;
    return items_of(document.node(), collection);
}

bool authorizes(const Document& document, std::string_view collection, std::string_view account) {
    auto node = document.node();
    return node.is("FeatureAuthorization") && same_host(node.web_id(), account) && !collection.empty() &&
           node["interactingObject"].web_id() == collection && node["interactionTarget"].web_id() == account;
}

}  // namespace ap

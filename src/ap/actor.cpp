// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/actor.hpp"

#include "ap/url.hpp"
#include "ap/webfinger.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>
#include <array>

namespace ap {

namespace {

constexpr std::size_t longest_username = 2048, longest_name = 2048, longest_summary = 20 * 1024,
                      longest_description = 10000, most_aliases = 256, most_domains = 256, most_sizes = 16;

std::string actor_type(Node node) {
    constexpr auto actors =
        std::to_array<std::string_view>({"Application", "Group", "Organization", "Person", "Service"});
    for (const auto& type : node.types())
        if (std::ranges::find(actors, type) != actors.end()) return type;
    return {};
}

Listing listing(Node node) {
    auto one = node.first();
    return {one.web_id(), one["totalItems"].count()};
}

// Some say one picture in several sizes.
Node largest(Node node) {
    auto sizes = node.each(most_sizes);
    auto wider = [](Node a, Node b) {
        return a["width"].count().value_or(0) < b["width"].count().value_or(0);
    };
    auto best = std::ranges::max_element(sizes, wider);
    return best == sizes.end() ? Node() : *best;
}

Picture picture(Node node) {
    auto one = largest(node);
    Picture out;
    out.url = one.link("image/");
    out.media_type = media_type_of(one);
    out.description = text_of(one, "summary", longest_description).text;
    if (out.description.empty()) out.description = text_of(one, "name", longest_description).text;
    if (out.url.empty()) out.reference = one.web_id();
    return out;
}

std::vector<Field> fields(Node node) {
    std::vector<Field> out;
    for (auto one : node.each(4 * most_fields)) {
        if (out.size() >= most_fields) break;
        if (!one.is("PropertyValue")) continue;
        Field field{one["name"].text(longest_field), one["value"].text(longest_field)};
        if (!field.name.empty() || !field.value.empty()) out.push_back(std::move(field));
    }
    return out;
}

std::vector<std::string> domains(Node node) {
    std::vector<std::string> out;
    for (auto one : node.each(most_domains))
        if (auto domain = one.text(255); !domain.empty()) out.push_back(std::move(domain));
    return out;
}

void read_names(Actor& out, Node node) {
    out.username = node["preferredUsername"].text(longest_username + 1);
    out.handle_name = out.username;
    out.handle_domain = host_of(out.id);
    if (auto handle = parse_handle(node["webfinger"].text(longest_username + 300))) {
        out.handle_name = handle->name;
        out.handle_domain = handle->domain;
        if (out.username.empty()) out.username = handle->name;
    }
}

void read_profile(Actor& out, Node node, Time now) {
    out.name = text_of(node, "name", longest_name).text;
    auto summary = text_of(node, "summary", longest_summary);
    out.summary = std::move(summary.text);
    out.language = std::move(summary.language);
    out.url = node["url"].link("text/html");
    if (!same_host(out.url, out.id)) out.url = out.id;
    out.icon = picture(node["icon"]);
    out.image = picture(node["image"]);
    out.fields = fields(node["attachment"]);
    out.tags = read_tags(node["tag"], now);
    out.published = node["published"].time(now);
}

void read_flags(Actor& out, Node node) {
    out.manually_approves_followers = node["manuallyApprovesFollowers"].flag();
    out.discoverable = node["discoverable"].flag();
    out.indexable = node["indexable"].flag();
    out.memorial = node["memorial"].flag();
    out.suspended = node["suspended"].flag();
    out.show_featured = node["showFeatured"].boolean();
    out.show_media = node["showMedia"].boolean();
    out.show_replies_in_media = node["showRepliesInMedia"].boolean();
}

}  // namespace

bool is_username(std::string_view name) {
    auto word = [](char c) { return c == '_' || base::text::is_ascii_alnum(static_cast<unsigned char>(c)); };
    return !name.empty() && name.size() <= longest_username && word(name.front()) && word(name.back()) &&
           std::ranges::all_of(name, [&](char c) { return word(c) || c == '.' || c == '-'; });
}

Reading<Actor> read_actor(const Document& document, Time now) {
    auto node = document.node();
    Actor out;
    out.type = actor_type(node);
    if (out.type.empty()) return Refusal::other_type;
    out.id = node.web_id();
    if (out.id.empty()) return Refusal::no_id;
    out.inbox = node["inbox"].web_id();
    if (out.inbox.empty()) return Refusal::no_inbox;
    read_names(out, node);
    if (!is_username(out.username)) return Refusal::no_name;

    out.shared_inbox = node["endpoints"]["sharedInbox"].web_id();
    if (out.shared_inbox.empty()) out.shared_inbox = node["sharedInbox"].web_id();
    out.outbox = listing(node["outbox"]);
    out.followers = listing(node["followers"]);
    out.following = listing(node["following"]);
    out.featured = listing(node["featured"]);
    out.featured_tags = listing(node["featuredTags"]);
    out.featured_collections = node["featuredCollections"].web_id();
    out.can_feature = read_policy(node["interactionPolicy"]).can_feature;
    read_profile(out, node, now);
    read_flags(out, node);
    out.keys = read_keys(node);
    for (auto& id : node["alsoKnownAs"].ids(most_aliases))
        if (id != out.id) out.also_known_as.push_back(std::move(id));
    out.moved_to = node["movedTo"].web_id();
    if (out.moved_to == out.id) out.moved_to.clear();
    out.attribution_domains = domains(node["attributionDomains"]);
    return out;
}

}  // namespace ap

// SPDX-License-Identifier: AGPL-3.0-or-later
// Somebody on another server, as the server says it. Texts are as they came, within their bounds: whoever stores them
// sanitises the HTML ones.
#pragma once
#include "ap/document.hpp"
#include "ap/keys.hpp"
#include "ap/policy.hpp"
#include "ap/tags.hpp"

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_fields = 50, longest_field = 2047;

struct Picture {
    std::string url, media_type, description;
    std::string reference;  // an id to fetch instead, when there is no URL
};

struct Field {
    std::string name, value;  // value: HTML
};

// A collection of the actor: its address, and what an embedded one says.
struct Listing {
    std::string id;
    std::optional<std::int64_t> total;
};

struct Actor {
    std::string id;
    std::string type;  // Application, Group, Organization, Person, Service
    std::string username;
    std::string handle_name,
        handle_domain;  // what WebFinger must confirm: of `webfinger`, else the host of the id

    std::string inbox, shared_inbox;  // shared_inbox: "" when there is none
    Listing outbox, followers, following, featured, featured_tags;
    std::string featured_collections;
    Rule can_feature;

    std::string name;      // display name: text
    std::string summary;   // HTML
    std::string language;  // of the summary, "" when not said
    std::string url;       // the page for people; the id when there is none
    Picture icon, image;
    std::vector<Field> fields;
    Tags tags;

    std::vector<Key> keys;  // those to be trusted at once are is_own(id)
    std::vector<std::string> also_known_as;
    std::string moved_to;
    std::vector<std::string> attribution_domains;

    bool manually_approves_followers = false, discoverable = false, indexable = false, memorial = false,
         suspended = false;
    std::optional<bool> show_featured, show_media, show_replies_in_media;
    std::optional<Time> published;

    bool is_group() const { return type == "Group"; }
};

// `host of the id` and where it was fetched from are the caller's to compare.
Reading<Actor> read_actor(const Document&, Time now);

// Letters, digits and _, with - and . between them.
bool is_username(std::string_view);

}  // namespace ap

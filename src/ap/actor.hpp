// SPDX-License-Identifier: AGPL-3.0-or-later
// A remote actor, as described by its server. Texts are as received, cut to their limits: HTML must be
// sanitised before it is stored.
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

// A collection of the actor: its address, and the properties of an embedded one.
struct Listing {
    std::string id;
    std::optional<std::int64_t> total;
};

struct Actor {
    std::string id;
    std::string type;  // Application, Group, Organization, Person, Service
    std::string username;
    std::string handle_name,
        handle_domain;  // to be confirmed by WebFinger: from `webfinger`, else the host of the id

    std::string inbox, shared_inbox;  // shared_inbox: "" when there is none
    Listing outbox, followers, following, featured, featured_tags;
    std::string featured_collections;
    Rule can_feature;

    std::string name;      // display name: text
    std::string summary;   // HTML
    std::string language;  // of the summary, "" if not given
    std::string url;       // the HTML page; the id when there is none
    Picture icon, image;
    std::vector<Field> fields;
    Tags tags;

    std::vector<Key> keys;  // those with is_own(id) can be trusted directly
    std::vector<std::string> also_known_as;
    std::string moved_to;
    std::vector<std::string> attribution_domains;

    bool manually_approves_followers = false, discoverable = false, indexable = false, memorial = false,
         suspended = false;
    std::optional<bool> show_featured, show_media, show_replies_in_media;
    std::optional<Time> published;

    bool is_group() const { return type == "Group"; }
};

// The caller compares the host of the id with that of the address it was fetched from.
Reading<Actor> read_actor(const Document&, Time now);

// Letters, digits and _, with - and . between them.
bool is_username(std::string_view);

}  // namespace ap

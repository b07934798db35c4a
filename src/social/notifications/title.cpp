// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/catalogue.hpp"
#include "social/notifications/notification.hpp"

namespace notifications {

namespace {

std::string_view text_of(Type type) {
    switch (type) {
        case Type::mention: return "You were mentioned by {name}";
        case Type::status: return "{name} just posted";
        case Type::reblog: return "{name} boosted your post";
        case Type::follow: return "{name} is now following you";
        case Type::follow_request: return "{name} asks to follow you";
        case Type::favourite: return "{name} favorited your post";
        case Type::poll: return "A poll by {name} has ended";
        case Type::update: return "{name} edited a post";
        case Type::quote: return "{name} quoted your post";
        case Type::quoted_update: return "{name} edited a post you have quoted";
        case Type::severed_relationships: return "You have lost connections";
        case Type::moderation_warning: return "You have received a moderation warning";
        case Type::annual_report: return "Your annual report is ready";
        case Type::added_to_collection: return "{name} added you to a collection";
        case Type::collection_update: return "{name} changed a collection that features you";
        case Type::admin_sign_up: return "{name} signed up";
        case Type::admin_report: return "{name} submitted a report";
    }
    return "";
}

}  // namespace

std::string title(Type type, const std::string& name, std::string_view language) {
    auto text = text_of(type);
    base::text::Values values;
    if (text.find('{') != text.npos) values.emplace_back("name", name);
    return base::text::translated(language, text, values);
}

}  // namespace notifications

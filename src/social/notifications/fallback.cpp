// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notification_entity.hpp"

#include <algorithm>

namespace notifications {

namespace {

struct Text {
    const char *title, *summary;
};

// Types that every client knows have none.
std::optional<Text> text_of(Type type) {
    switch (type) {
        case Type::severed_relationships:
            return Text{"Lost connections", "You no longer follow, or are followed by, some people."};
        case Type::moderation_warning:
            return Text{"Moderation warning", "The moderators have sent you a warning."};
        case Type::added_to_collection:
            return Text{"Added to a collection", "Somebody added you to a collection."};
        case Type::collection_update:
            return Text{"Collection changed", "A collection that features you has changed."};
        case Type::admin_sign_up: return Text{"New sign-up", "Somebody signed up."};
        case Type::admin_report: return Text{"New report", "A new report waits for the moderators."};
        default: return std::nullopt;
    }
}

}  // namespace

base::json::Omit<Fallback> fallback(
    const base::Site& site, Type type, const std::optional<std::vector<std::string>>& supported
) {
    if (!supported || std::ranges::find(*supported, word_of(type)) != supported->end()) return {};
    auto text = text_of(type);
    if (!text) return {};
    auto link = "<p>" + std::string(text->summary) + " <a href=\"" + site.public_url + "\">" + site.domain +
                "</a></p>";
    return Fallback{text->title, std::move(link), {}};
}

}  // namespace notifications

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/profile_entity.hpp"

#include "social/accounts/account_entity.hpp"

namespace accounts {

namespace {

// nullopt where an Account would show the default picture.
std::optional<std::string> uploaded(const base::Site& site, const std::string& file) {
    if (file.empty()) return std::nullopt;
    return site.media(file);
}

}  // namespace

Profile profile(const base::Site& site, const Account& a) {
    Profile p;
    p.id = a.id;
    p.display_name = a.display_name;
    p.note = a.note;
    p.formatted_note = a.note_html;
    for (const auto& field : fields_of(a)) {
        p.fields.push_back({field.name, field.value, field.verified_at});
        p.formatted_fields.push_back({field.name, field.value_html, field.verified_at});
    }
    p.avatar = uploaded(site, a.avatar);
    p.avatar_static = uploaded(site, a.avatar_static);
    p.avatar_description = a.avatar_description;
    p.header = uploaded(site, a.header);
    p.header_static = uploaded(site, a.header_static);
    p.header_description = a.header_description;
    p.locked = a.locked;
    p.bot = a.actor_type == "Service" || a.actor_type == "Application";
    p.hide_collections = a.hide_collections;
    p.discoverable = a.discoverable;
    p.indexable = a.indexable;
    p.show_media = a.show_media;
    p.show_media_replies = a.show_media_replies;
    p.show_featured = a.show_featured;
    p.attribution_domains = {a.attribution_domains};
    p.featured_tags = {"[]"};
    return p;
}

}  // namespace accounts

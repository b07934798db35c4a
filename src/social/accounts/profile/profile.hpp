// SPDX-License-Identifier: AGPL-3.0-or-later
// Changing one's profile.
#pragma once
#include "social/accounts/account.hpp"
#include "social/accounts/profile/picture.hpp"

namespace accounts {

// An account that had to approve its followers no longer has to.
struct Unlocked {
    AccountId account;
};
DESCRIBE(Unlocked, account)
struct ProfileChanged {
    AccountId account;
};
DESCRIBE(ProfileChanged, account)

struct ProfileField {
    std::string name, value;
};
DESCRIBE(ProfileField, name, value)

// What is not given stays as it is.
struct ProfileChanges {
    std::optional<std::string> display_name, note, avatar_description, header_description;
    std::optional<Picture> avatar, header;  // an empty one: none any more
    std::optional<bool> locked, bot, discoverable, hide_collections, indexable, show_media,
        show_media_replies, show_featured;
    std::optional<std::vector<std::string>> attribution_domains;
    std::optional<std::vector<ProfileField>> fields;
    // Made by `render` from note and fields.
    std::optional<std::string> note_html, fields_json;
};

// Checks lengths and makes the HTML of note and fields. Throws Invalid with field details.
ProfileChanges render(db::Read&, const Account&, ProfileChanges);

void change_profile(db::Write&, AccountId, const ProfileChanges&);

// Whether search engines are asked to leave out the account's pages: unless it may be found by search at all.
inline bool noindex(const Account& account) { return !account.indexable; }

}  // namespace accounts

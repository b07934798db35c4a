// SPDX-License-Identifier: AGPL-3.0-or-later
// Changing one's profile.
#pragma once
#include "social/accounts/account.hpp"
#include "social/accounts/profile/picture.hpp"

namespace accounts {

// A locked account was unlocked: it no longer has to approve followers.
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

// Values that are not given stay unchanged.
struct ProfileChanges {
    std::optional<std::string> display_name, note, avatar_description, header_description;
    std::optional<Picture> avatar, header;  // empty: removed
    std::optional<bool> locked, bot, discoverable, hide_collections, indexable, show_media,
        show_media_replies, show_featured;
    std::optional<std::vector<std::string>> attribution_domains;
    std::optional<std::vector<ProfileField>> fields;
    // Set by render() from note and fields.
    std::optional<std::string> note_html, fields_json;
};

// Checks lengths and renders the HTML of note and fields. Throws Invalid with field details.
ProfileChanges render(db::Read&, const Account&, ProfileChanges);

void change_profile(db::Write&, AccountId, const ProfileChanges&);

// Whether search engines are asked not to index the account's pages: unless the account is indexable.
inline bool noindex(const Account& account) { return !account.indexable; }

}  // namespace accounts

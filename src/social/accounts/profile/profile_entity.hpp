// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Profile: one's own account as it is edited.
#pragma once
#include "base/json.hpp"
#include "base/schema.hpp"
#include "db/session.hpp"
#include "social/accounts/account.hpp"

namespace accounts {

struct EditedField {
    std::string name, value;
    std::optional<Time> verified_at;
};
DESCRIBE(EditedField, name, value, verified_at)

struct Profile {
    AccountId id;
    std::string display_name, note;
    std::vector<EditedField> fields;
    std::string formatted_note;
    std::vector<EditedField> formatted_fields;
    std::optional<std::string> avatar, avatar_static;
    std::string avatar_description;
    std::optional<std::string> header, header_static;
    std::string header_description;
    bool locked = false, bot = false;
    std::optional<bool> hide_collections, discoverable;
    bool indexable = false, show_media = true, show_media_replies = true, show_featured = true;
    base::json::Raw attribution_domains, featured_tags;
};
DESCRIBE(
    Profile, id, display_name, note, fields, formatted_note, formatted_fields, avatar, avatar_static,
    avatar_description, header, header_static, header_description, locked, bot, hide_collections,
    discoverable, indexable, show_media, show_media_replies, show_featured, attribution_domains, featured_tags
)

// All of it except featured_tags, which the subject tags adds.
Profile profile(const base::Site&, const Account&);

// Entity CredentialAccount: one's own account with the members that only its owner sees.

// `version` is the account's as read by the caller's own query.
base::json::Raw credential_account(db::Read&, base::AccountId, std::int64_t version);

void describe_credential_account(base::json::Components&);  // for OpenAPI

}  // namespace accounts

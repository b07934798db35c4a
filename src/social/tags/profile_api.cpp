// SPDX-License-Identifier: AGPL-3.0-or-later
// The profile endpoints. A profile shows featured tags, so they are here and not in accounts.
#include "social/accounts/profile/profile_api.hpp"
#include "http/route.hpp"
#include "social/accounts/profile/profile_entity.hpp"
#include "social/tags/featured_tag.hpp"

namespace tags {
namespace {

using http::Viewer;

accounts::Profile show(db::Read& db, const Viewer& me) {
    auto account = accounts::account(db, me.account);
    auto profile = accounts::profile(db.site(), account);
    profile.featured_tags = {base::json::to_string(entities(db.site(), account, featured(db, me.account)))};
    return profile;
}

struct Form {
    std::optional<std::string> display_name, note, avatar_description, header_description;
    std::optional<http::Upload> avatar, header;
    std::optional<bool> locked, bot, discoverable, hide_collections, indexable, show_media,
        show_media_replies, show_featured;
    std::optional<std::vector<std::string>> attribution_domains;
    std::optional<std::vector<accounts::ProfileField>> fields_attributes;
};
DESCRIBE(
    Form, display_name, note, avatar_description, header_description, avatar, header, locked, bot,
    discoverable, hide_collections, indexable, show_media, show_media_replies, show_featured,
    attribution_domains, fields_attributes
)

accounts::ProfileChanges check(const base::Ask& ask, db::Read& db, const Viewer& me, const Form& form) {
    return accounts::changes_of(ask, db, me, form);
}

void update(db::Write& db, const Viewer& me, const accounts::ProfileChanges& changes) {
    accounts::change_profile(db, me.account, changes);
}

void remove_avatar(db::Write& db, const Viewer& me) {
    accounts::ProfileChanges changes;
    changes.avatar = accounts::Picture{};
    accounts::change_profile(db, me.account, changes);
}

void remove_header(db::Write& db, const Viewer& me) {
    accounts::ProfileChanges changes;
    changes.header = accounts::Picture{};
    accounts::change_profile(db, me.account, changes);
}

base::json::Raw show_credentials(db::Read& db, const Viewer& me) {
    return accounts::credential_account(db, me.account, accounts::account(db, me.account).version);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<show>                           ("/api/v1/profile",        "profile|read:accounts"),
    http::patch<check, update, show>          ("/api/v1/profile",        "write:accounts").body_limit(20 << 20),
    http::put<check, update, show>            ("/api/v1/profile",        "write:accounts").body_limit(20 << 20),
    http::del<remove_avatar, show_credentials>("/api/v1/profile/avatar", "write:accounts").answering("CredentialAccount"),
    http::del<remove_header, show_credentials>("/api/v1/profile/header", "write:accounts").answering("CredentialAccount"),
};
// clang-format on

}  // namespace

std::span<const http::Route> profile_routes() { return table; }

}  // namespace tags

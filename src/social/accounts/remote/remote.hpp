// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts of other servers: keeping what their servers say of them, and forgetting them. Nothing that is said is
// believed to be harmless; who may say it of whom was decided before (federation).
#pragma once
#include "social/accounts/account.hpp"
#include "social/emojis/emoji.hpp"

namespace accounts {

struct RemoteField {
    std::string name, value;  // value: HTML
};
DESCRIBE(RemoteField, name, value)

// As it came. `domain` is normalised; a missing count is one that is not told.
struct RemoteAccount {
    std::string uri, url, username, domain, actor_type = "Person";
    std::string display_name, note;  // note: HTML
    std::vector<RemoteField> fields;
    bool locked = false, discoverable = false, indexable = false, memorial = false, suspended = false;
    std::optional<bool> hide_collections, show_media, show_media_replies, show_featured;
    std::string avatar, avatar_description, header, header_description;  // web addresses, or empty
    std::optional<std::int64_t> followers_count, following_count, statuses_count;
    std::optional<Time> published;
    std::vector<std::string> attribution_domains;
    std::vector<emojis::RemoteEmoji> emojis;
    std::int64_t feature_policy = 0;  // as featuring.hpp has it
};
DESCRIBE(
    RemoteAccount, uri, url, username, domain, actor_type, display_name, note, fields, locked, discoverable,
    indexable, memorial, suspended, hide_collections, show_media, show_media_replies, show_featured, avatar,
    avatar_description, header, header_description, followers_count, following_count, statuses_count,
    published, attribution_domains, emojis, feature_policy
)

constexpr std::size_t most_remote_fields = 50, longest_remote_field = 2047, longest_remote_name = 2048,
                      longest_remote_note = 20'000, most_attribution_domains = 256, longest_uri = 2048;

// Creates the account or replaces what is known of the one with this uri. Whoever had its handle before gives it up:
// the other record keeps its uri and gets a name that nobody can have. Throws Invalid: no uri, no possible handle, a
// handle of this site; Forbidden: the domain is suspended.
AccountId store_remote(db::Write&, const RemoteAccount&);

// "bob@far.example", with or without a first @, and not of this site.
bool is_handle_elsewhere(const base::Site&, std::string_view);
// Whose server was not asked for a day, or has said that they are gone: some come back, as those whom a Misskey suspends. Not whom
// the team suspended and of whom nothing is left.
bool is_stale(db::Read&, AccountId);

// A remote or local one, by its ActivityPub id.
std::optional<AccountId> find_by_uri(db::Read&, std::string_view uri);

// Something of theirs came: the count moves when it is new to the world, the date never goes back.
void note_remote_status(db::Write&, AccountId, Time at, bool counted);

// Event: an account is deleted for good, here (ending.cpp) or by its own server.
struct AccountGone {
    AccountId account;
};
DESCRIBE(AccountGone, account)
// Its own server has deleted it. It is hidden at once; what it did and said is taken away by jobs that react. The
// record stays, empty, so that nobody inherits anything; a later store_remote of the same uri begins anew.
void delete_remote(db::Write&, AccountId);

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// The tables of Mastodon about people and what they wrote, as they are read: members are columns, what is not read is not named.
#pragma once
#include "db/foreign/foreign.hpp"

namespace takeover::mastodon {

using base::Time;
using db::ForeignList;
using Id = std::int64_t;
using MaybeId = std::optional<Id>;
using Text = std::string;
using MaybeText = std::optional<std::string>;
using MaybeTime = std::optional<Time>;

struct Account {
    Id id = 0;
    Text username, domain, private_key, public_key;
    Time created_at;
    Text note, display_name, uri, url;
    Text avatar_file_name, avatar_content_type, avatar_remote_url, avatar_description;
    Text header_file_name, header_content_type, header_remote_url, header_description;
    Text inbox_url, outbox_url, shared_inbox_url, followers_url, following_url, featured_collection_url;
    bool locked = false, memorial = false;
    Id moved_to_account_id = 0;
    Text fields, actor_type;
    std::optional<bool> discoverable;
    bool indexable = false;
    ForeignList also_known_as, attribution_domains;
    std::optional<bool> hide_collections;
    bool show_media = true, show_media_replies = true, show_featured = true;
    MaybeTime silenced_at, suspended_at, sensitized_at;
    std::optional<std::int64_t> suspension_origin;
    std::int64_t id_scheme = 0;
};
DESCRIBE(
    Account, id, username, domain, private_key, public_key, created_at, note, display_name, uri, url,
    avatar_file_name, avatar_content_type, avatar_remote_url, avatar_description, header_file_name,
    header_content_type, header_remote_url, header_description, inbox_url, outbox_url, shared_inbox_url,
    followers_url, following_url, featured_collection_url, locked, memorial, moved_to_account_id, fields,
    actor_type, discoverable, indexable, also_known_as, attribution_domains, hide_collections, show_media,
    show_media_replies, show_featured, silenced_at, suspended_at, sensitized_at, suspension_origin, id_scheme
)
struct AccountStats {
    Id account_id = 0;
    std::int64_t statuses_count = 0, following_count = 0, followers_count = 0;
    MaybeTime last_status_at;
};
DESCRIBE(AccountStats, account_id, statuses_count, following_count, followers_count, last_status_at)
struct Keypair {
    Id id = 0, account_id = 0;
    std::int64_t type = 0;
    Text local_fragment, public_key, private_key;
    MaybeTime expires_at;
    bool revoked = false;
};
DESCRIBE(Keypair, id, account_id, type, local_fragment, public_key, private_key, expires_at, revoked)
struct Alias {
    Id id = 0, account_id = 0;
    Text uri;
};
DESCRIBE(Alias, id, account_id, uri)

struct User {
    Id id = 0, account_id = 0;
    Text email, encrypted_password;
    Time created_at;
    MaybeTime confirmed_at;
    Text unconfirmed_email, locale;
    MaybeText time_zone;
    Text otp_secret;
    bool otp_required_for_login = false;
    std::optional<std::int64_t> consumed_timestep;
    Id role_id = 0;
    bool approved = true, disabled = false;
    Id invite_id = 0;
    std::optional<ForeignList> chosen_languages;
    Id created_by_application_id = 0;
    MaybeTime current_sign_in_at;
    Text settings;
    MaybeTime age_verified_at;
    ForeignList otp_backup_codes;
};
DESCRIBE(
    User, id, account_id, email, encrypted_password, created_at, confirmed_at, unconfirmed_email, locale,
    time_zone, otp_secret, otp_required_for_login, consumed_timestep, role_id, approved, disabled, invite_id,
    chosen_languages, created_by_application_id, current_sign_in_at, settings, age_verified_at,
    otp_backup_codes
)
struct Passkey {
    Id id = 0, user_id = 0;
    Text external_id, public_key, nickname;
    std::int64_t sign_count = 0;
    Time created_at;
};
DESCRIBE(Passkey, id, user_id, external_id, public_key, nickname, sign_count, created_at)
struct Application {
    Id id = 0;
    Text name, uid, secret, redirect_uri, scopes;
    MaybeText website;
    bool superapp = false;
    MaybeTime created_at;
};
DESCRIBE(Application, id, name, uid, secret, redirect_uri, scopes, website, superapp, created_at)
struct Token {
    Id id = 0;
    Text token;
    std::optional<std::int64_t> expires_in;
    MaybeTime revoked_at;
    Time created_at;
    Text scopes;
    Id application_id = 0, resource_owner_id = 0;
    MaybeTime last_used_at;
};
DESCRIBE(
    Token, id, token, expires_in, revoked_at, created_at, scopes, application_id, resource_owner_id,
    last_used_at
)
struct PushSubscription {
    Id id = 0;
    Text endpoint, key_p256dh, key_auth, data;
    Time created_at;
    Id access_token_id = 0, user_id = 0;
    bool standard = false;
};
DESCRIBE(
    PushSubscription, id, endpoint, key_p256dh, key_auth, data, created_at, access_token_id, user_id, standard
)
struct WebSettings {
    Id id = 0, user_id = 0;
    Text data;
};
DESCRIBE(WebSettings, id, user_id, data)

struct Status {
    Id id = 0;
    Text uri, url, text;
    Time created_at;
    Id in_reply_to_id = 0, in_reply_to_account_id = 0, reblog_of_id = 0;
    bool sensitive = false;
    std::int64_t visibility = 0;
    Text spoiler_text;
    MaybeText language;
    Id conversation_id = 0;
    bool local = false;
    Id account_id = 0, application_id = 0;
    MaybeTime deleted_at, edited_at;
    std::optional<ForeignList> ordered_media_attachment_ids;
    std::int64_t quote_approval_policy = 0;
    bool local_only = false;  // of forks
    Text content_type;
};
DESCRIBE(
    Status, id, uri, url, text, created_at, in_reply_to_id, in_reply_to_account_id, reblog_of_id, sensitive,
    visibility, spoiler_text, language, conversation_id, local, account_id, application_id, deleted_at,
    edited_at, ordered_media_attachment_ids, quote_approval_policy, local_only, content_type
)
struct Mention {
    Id status_id = 0, account_id = 0;
    bool silent = false;
    Text username, domain, url;
};
DESCRIBE(Mention, status_id, account_id, silent, username, domain, url)
struct StatusTag {
    Id status_id = 0, tag_id = 0;
};
DESCRIBE(StatusTag, status_id, tag_id)
struct Pin {
    Id id = 0, account_id = 0, status_id = 0;
};
DESCRIBE(Pin, id, account_id, status_id)
struct Conversation {
    Id id = 0;
    Text uri;
};
DESCRIBE(Conversation, id, uri)
// The thread of what a status boosts.
struct Original {
    Id id = 0, conversation_id = 0;
};
DESCRIBE(Original, id, conversation_id)
struct Edit {
    Id id = 0, status_id = 0;
    Text text, spoiler_text;
    Time created_at;
    ForeignList ordered_media_attachment_ids, media_descriptions, poll_options;
    std::optional<bool> sensitive;
};
DESCRIBE(
    Edit, id, status_id, text, spoiler_text, created_at, ordered_media_attachment_ids, media_descriptions,
    poll_options, sensitive
)
struct Attachment {
    Id id = 0, status_id = 0, scheduled_status_id = 0, account_id = 0;
    Text file_file_name, file_content_type, file_meta, remote_url;
    Time created_at;
    std::int64_t type = 3;
    MaybeText description;
    Text blurhash;
    std::optional<std::int64_t> processing;
    Text thumbnail_file_name, thumbnail_remote_url;
};
DESCRIBE(
    Attachment, id, status_id, scheduled_status_id, account_id, file_file_name, file_content_type, file_meta,
    remote_url, created_at, type, description, blurhash, processing, thumbnail_file_name, thumbnail_remote_url
)
struct Poll {
    Id id = 0, account_id = 0, status_id = 0;
    MaybeTime expires_at;
    ForeignList options, cached_tallies;
    bool multiple = false, hide_totals = false;
    std::optional<std::int64_t> voters_count;
};
DESCRIBE(
    Poll, id, account_id, status_id, expires_at, options, cached_tallies, multiple, hide_totals, voters_count
)
struct PollVote {
    Id id = 0, account_id = 0, status_id = 0;
    std::int64_t choice = 0;
};
DESCRIBE(PollVote, id, account_id, status_id, choice)
struct Quote {
    Id id = 0, account_id = 0, status_id = 0, quoted_status_id = 0, quoted_account_id = 0;
    std::int64_t state = 0;
    Text approval_uri;
    bool legacy = false;
    Time created_at;
};
DESCRIBE(
    Quote, id, account_id, status_id, quoted_status_id, quoted_account_id, state, approval_uri, legacy,
    created_at
)
struct Tag {
    Id id = 0;
    Text name, display_name;
    std::optional<bool> usable, listable;
    Time created_at;
};
DESCRIBE(Tag, id, name, display_name, usable, listable, created_at)
struct Emoji {
    Id id = 0;
    Text shortcode, domain, image_file_name, image_remote_url;
    bool disabled = false, visible_in_picker = true;
    MaybeText category;
    Time created_at;
};
DESCRIBE(
    Emoji, id, shortcode, domain, image_file_name, image_remote_url, disabled, visible_in_picker, category,
    created_at
)

}  // namespace takeover::mastodon

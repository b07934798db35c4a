// SPDX-License-Identifier: AGPL-3.0-or-later
// Rows as they are stored here, read from whatever server and written by one set of writers: nobody is told, nothing reacts. A
// reader of a source makes them, with the numbers that things have here. Those that name a table are a row of it.
#pragma once
#include "social/accounts/account.hpp"
#include "social/accounts/users/notification_choice.hpp"
#include "social/filters/filter.hpp"
#include "social/media/media.hpp"
#include "social/statuses/core/status.hpp"
#include "takeover/insert.hpp"

namespace takeover {

using base::Time;
using Id = std::int64_t;
using MaybeId = std::optional<Id>;

struct KeyRow {
    std::string id, type, public_key;
    std::optional<std::string> private_key;
};

// Of the server itself.
struct ServerKeyRow {
    KeyRow key;
};

// What another server has behind a remote account.
struct ActorRow {
    std::string inbox, shared_inbox, outbox, followers, following, featured;
};

struct AccountRow {
    accounts::Account account;
    std::string suspended_by, silenced_by;
    std::vector<std::string> aliases;
    std::optional<ActorRow> actor;
    std::vector<KeyRow> keys;
};

struct UserRow {
    Id id = 0, account_id = 0, role_id = -99;
    std::string email, password_hash;
    std::optional<Time> confirmed_at;
    bool approved = true, disabled = false;
    std::string locale;
    std::optional<std::string> time_zone, default_privacy, default_language, chosen_languages, reason,
        unconfirmed_email;
    bool default_sensitive = false;
    std::string default_quote_policy = "public", expand_media = "default";
    bool expand_spoilers = false, autoplay_gifs = false, show_application = true;
    MaybeId created_by_app;
    std::optional<Time> age_verified_at, last_active_at;
    Time created_at;
    std::optional<std::string> invite_code;
    std::string authenticator;  // the key of an authenticator app, as bytes; empty: no second factor
    std::int64_t last_step = 0;
    std::optional<Time> second_factor_at;
    std::vector<std::string> recovery_codes;  // hashed as passwords are
    std::optional<accounts::NotificationChoice> mails;
};

// A key of WebAuthn, base64url; the second factor of a user who has one besides.
struct PasskeyRow {
    Id id = 0, user_id = 0;
    std::string credential, public_key, name;
    std::int64_t algorithm = 0, uses = 0;
    Time created_at;
};
// What a client of the web keeps here, JSON.
struct WebSettingsRow {
    static constexpr auto table = "web_settings";
    Id user_id = 0;
    std::string data;
};
DESCRIBE(WebSettingsRow, user_id, data)

struct AppRow {
    static constexpr auto table = "apps";
    Id id = 0;
    std::string name;
    std::optional<std::string> website;
    std::string redirect_uris, scopes, client_id, secret_hash;
    Time created_at;
};
DESCRIBE(AppRow, id, name, website, redirect_uris, scopes, client_id, secret_hash, created_at)

struct TokenRow {
    static constexpr auto table = "tokens";
    Id id = 0;
    std::string token_hash;
    Id app_id = 0;
    MaybeId user_id;
    std::string scopes;
    Time created_at;
    std::optional<Time> last_used_at;
};
DESCRIBE(TokenRow, id, token_hash, app_id, user_id, scopes, created_at, last_used_at)

struct PushRow {
    static constexpr auto table = "push_subscriptions";
    Id id = 0, user_id = 0, token_id = 0;
    std::string endpoint, p256dh, auth, policy, alerts;
    bool standard = true;
    Time created_at;
};
DESCRIBE(PushRow, id, user_id, token_id, endpoint, p256dh, auth, policy, alerts, standard, created_at)

struct TagRow {
    static constexpr auto table = "tags";
    Id id = 0;
    std::string name, display_name;
    Time created_at;
    bool listable = true, usable = true;
};
DESCRIBE(TagRow, id, name, display_name, created_at, listable, usable)

struct EmojiRow {
    static constexpr auto table = "custom_emojis";
    Id id = 0;
    std::string shortcode, domain, file, static_file;
    std::optional<std::string> category;
    bool visible_in_picker = true, disabled = false;
    Time created_at;
};
DESCRIBE(
    EmojiRow, id, shortcode, domain, file, static_file, category, visible_in_picker, disabled, created_at
)

struct MentionRow {
    Id account_id = 0;
    bool silent = false;
};

struct StatusRow {
    Id id = 0, account_id = 0, conversation_id = 0;
    MaybeId in_reply_to_id, in_reply_to_account_id, reblog_of_id;
    statuses::Visibility visibility = statuses::Visibility::direct;
    std::int64_t relations = 0;
    bool local = true, sensitive = false, local_only = false;
    Time created_at;
    std::optional<Time> edited_at, deleted_at;
    MaybeId app_id;
    std::optional<std::string> language, uri, url;
    std::optional<std::string> conversation_uri;  // of a thread that others began
    statuses::QuotePolicy quote_policy = statuses::QuotePolicy::public_;
    std::int64_t quote_approval = 0;  // of a remote one (approval.hpp)
    std::string content_type = "text/plain", spoiler_text, text, content;
    std::vector<MentionRow> mentions;
    std::vector<Id> tags;
    MaybeId pin_id;
    Time fetched_at;  // of those of others
};

struct EditRow {
    static constexpr auto table = "status_edits";
    Id id = 0, status_id = 0;
    Time created_at;
    bool sensitive = false;
    std::string spoiler_text, text, content, media, poll_options;  // the last two: JSON
};
DESCRIBE(EditRow, id, status_id, created_at, sensitive, spoiler_text, text, content, media, poll_options)

struct PollRow {
    Id status_id = 0, account_id = 0;
    bool multiple = false, hide_totals = false, ended = false;
    std::optional<Time> expires_at;
    std::optional<std::int64_t> voters;
    std::vector<std::pair<std::string, std::int64_t>> options;
};
struct VoteRow {
    static constexpr auto table = "poll_votes";
    Id status_id = 0, account_id = 0;
    std::int64_t choice = 0, position = 0;
};
DESCRIBE(VoteRow, status_id, account_id, choice, position)

struct QuoteRow {
    Id id = 0, status_id = 0, account_id = 0, quoted_id = 0, quoted_account_id = 0;
    std::string state;
    std::optional<std::string> authorization_uri;
    bool legacy = false;  // by words of older software
    Time created_at;
};

struct MediaRow {
    media::Media media;
    Time created_at;
};

// Between two accounts, or of an account and a status.
struct FollowRow {
    Id id = 0, account_id = 0, target_id = 0;
    bool show_reblogs = true, notify = false, request = false;
    std::optional<std::string> languages, uri;
    Time created_at;
    bool backfills = false;  // somebody here follows: their home is filled
};
struct BlockRow {
    static constexpr auto table = "blocks";
    Id id = 0, account_id = 0, target_id = 0;
    std::optional<std::string> uri;
    Time created_at;
};
DESCRIBE(BlockRow, id, account_id, target_id, uri, created_at)
struct MuteRow {
    static constexpr auto table = "mutes";
    Id id = 0, account_id = 0, target_id = 0;
    bool hide_notifications = true;
    std::optional<Time> expires_at;
    Time created_at;
};
DESCRIBE(MuteRow, id, account_id, target_id, hide_notifications, expires_at, created_at)
struct NoteRow {
    static constexpr auto table = "account_notes";
    Id account_id = 0, target_id = 0;
    std::string comment;
};
DESCRIBE(NoteRow, account_id, target_id, comment)
struct FavouriteRow {
    static constexpr auto table = "favourites";
    Id id = 0, account_id = 0, status_id = 0;
    std::optional<std::string> uri;
};
DESCRIBE(FavouriteRow, id, account_id, status_id, uri)
struct BookmarkRow {
    Id id = 0, account_id = 0, status_id = 0;
};
struct TagFollowRow {
    static constexpr auto table = "tag_follows";
    Id id = 0, account_id = 0, tag_id = 0;
};
DESCRIBE(TagFollowRow, id, account_id, tag_id)
struct FeaturedTagRow {
    static constexpr auto table = "featured_tags";
    Id id = 0, account_id = 0, tag_id = 0;
    std::string name;
};
DESCRIBE(FeaturedTagRow, id, account_id, tag_id, name)
struct EndorsementRow {
    static constexpr auto table = "endorsements";
    Id account_id = 0, target_id = 0;
    Time created_at;
};
DESCRIBE(EndorsementRow, account_id, target_id, created_at)
struct SuggestionDismissalRow {
    static constexpr auto table = "suggestion_dismissals";
    Id account_id = 0, target_id = 0;
};
DESCRIBE(SuggestionDismissalRow, account_id, target_id)
struct ConversationMuteRow {
    static constexpr auto table = "conversation_mutes";
    Id account_id = 0, conversation_id = 0;
};
DESCRIBE(ConversationMuteRow, account_id, conversation_id)
struct DomainMuteRow {
    static constexpr auto table = "user_domain_blocks";
    Id id = 0, account_id = 0;
    std::string domain;
    Time created_at;
};
DESCRIBE(DomainMuteRow, id, account_id, domain, created_at)

struct ListRow {
    static constexpr auto table = "lists";
    Id id = 0, account_id = 0;
    std::string title, replies_policy;
    bool exclusive = false;
};
DESCRIBE(ListRow, id, account_id, title, replies_policy, exclusive)
struct ListMemberRow {
    static constexpr auto table = "list_members";
    Id list_id = 0, account_id = 0;
};
DESCRIBE(ListMemberRow, list_id, account_id)
struct FilterRow {
    static constexpr auto table = "filters";
    Id id = 0, account_id = 0;
    std::string title, context;  // JSON
    filters::Action filter_action = filters::Action::warn;
    std::optional<Time> expires_at;
};
DESCRIBE(FilterRow, id, account_id, title, context, filter_action, expires_at)
struct FilterKeywordRow {
    static constexpr auto table = "filter_keywords";
    Id id = 0, filter_id = 0;
    std::string keyword;
    bool whole_word = true;
};
DESCRIBE(FilterKeywordRow, id, filter_id, keyword, whole_word)
struct FilterStatusRow {
    static constexpr auto table = "filter_statuses";
    Id id = 0, filter_id = 0, status_id = 0;
};
DESCRIBE(FilterStatusRow, id, filter_id, status_id)

struct NotificationRow {
    Id id = 0, account_id = 0, from_account_id = 0, status_id = 0, about_id = 0;
    std::string type;  // as stored: admin_sign_up
    Time created_at;
    std::string group_key;  // empty: as the type has it
    bool filtered = false;
};
// accept, filter or drop
struct NotificationPolicyRow {
    static constexpr auto table = "notification_policies";
    Id account_id = 0;
    std::string for_not_following, for_not_followers, for_new_accounts, for_private_mentions,
        for_limited_accounts, for_bots;
};
DESCRIBE(
    NotificationPolicyRow, account_id, for_not_following, for_not_followers, for_new_accounts,
    for_private_mentions, for_limited_accounts, for_bots
)
struct NotificationRequestRow {
    static constexpr auto table = "notification_requests";
    Id id = 0, account_id = 0, from_account_id = 0, last_status_id = 0;
    std::int64_t notifications_count = 0;
    Time created_at, updated_at;
};
DESCRIBE(
    NotificationRequestRow, id, account_id, from_account_id, last_status_id, notifications_count, created_at,
    updated_at
)
struct NotificationPermissionRow {
    static constexpr auto table = "notification_permissions";
    Id account_id = 0, from_account_id = 0;
};
DESCRIBE(NotificationPermissionRow, account_id, from_account_id)
struct MarkerRow {
    static constexpr auto table = "markers";
    Id account_id = 0;
    std::string timeline;
    Id last_read_id = 0;
    std::int64_t version = 0;
    Time updated_at;
};
DESCRIBE(MarkerRow, account_id, timeline, last_read_id, version, updated_at)
struct ConversationViewRow {
    Id id = 0, account_id = 0, conversation_id = 0, last_status_id = 0;
    std::vector<Id> others;
    bool unread = false;
    std::vector<Id> statuses;
};
struct ScheduledRow {
    Id id = 0, account_id = 0;
    Time scheduled_at, created_at;
    bool local_only = false;
    std::string content_type, params;
    std::vector<Id> media;
};

struct ServerRuleRow {
    static constexpr auto table = "domain_blocks";
    Id id = 0;
    std::string domain, severity;
    bool reject_media = false, reject_reports = false, obfuscate = false;
    std::optional<std::string> private_comment, public_comment;
    Time created_at;
};
DESCRIBE(
    ServerRuleRow, id, domain, severity, reject_media, reject_reports, obfuscate, private_comment,
    public_comment, created_at
)
struct AllowedServerRow {
    static constexpr auto table = "domain_allows";
    Id id = 0;
    std::string domain;
    Time created_at;
};
DESCRIBE(AllowedServerRow, id, domain, created_at)
struct EmailDomainRow {
    static constexpr auto table = "email_domain_blocks";
    Id id = 0;
    std::string domain;
    bool allow_with_approval = false;
    Time created_at;
};
DESCRIBE(EmailDomainRow, id, domain, allow_with_approval, created_at)
struct RuleRow {
    static constexpr auto table = "rules";
    Id id = 0;
    std::int64_t position = 0;
    std::string text, hint;
    std::optional<Time> deleted_at;
};
DESCRIBE(RuleRow, id, position, text, hint, deleted_at)
struct TombstoneRow {
    static constexpr auto table = "tombstones";
    std::string uri;
    Id account_id = 0;
    Time created_at;
};
DESCRIBE(TombstoneRow, uri, account_id, created_at)
struct ReportRow {
    Id id = 0, account_id = 0, target_id = 0;
    std::string category = "other", comment, status_ids = "[]";
    std::optional<std::string> rule_ids;
    bool forwarded = false;
    std::optional<Time> action_taken_at;
    MaybeId action_taken_by, assigned_to;
    Time created_at, updated_at;
    std::vector<Id> statuses;
};
struct SettingRow {
    std::string name, value;
};
struct FormerPathRow {
    static constexpr auto table = "former_paths";
    std::string path, kind;
    Id id = 0;
    std::optional<std::string> target;
};
DESCRIBE(FormerPathRow, path, kind, id, target)

// What is more than a row of one table (insert.hpp) is written with all that goes with it. False: there is one already that must be the only one of its kind.
bool write(db::Write&, const AccountRow&);
bool write(db::Write&, const UserRow&);
bool write(db::Write&, const PasskeyRow&);
// These never clash unless the source is broken, and nobody waits for the answer.
void write(db::Write&, const KeyRow&, Id account);
void write(db::Write&, const ServerKeyRow&);
void write(db::Write&, const StatusRow&);
void write(db::Write&, const PollRow&);
void write(db::Write&, const QuoteRow&);
void write(db::Write&, const MediaRow&);
void write(db::Write&, const FollowRow&);
void write(db::Write&, const BookmarkRow&);
void write(db::Write&, const NotificationRow&);
void write(db::Write&, const ConversationViewRow&);
void write(db::Write&, const ScheduledRow&);
void write(db::Write&, const ReportRow&);
void write(db::Write&, const SettingRow&);

}  // namespace takeover

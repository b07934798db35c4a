// SPDX-License-Identifier: AGPL-3.0-or-later
// The tables of GoToSocial as they are read: members are columns, what is not read is not named. Ids are ULIDs.
#pragma once
#include "db/foreign/foreign.hpp"

namespace takeover::gotosocial {

using base::Time;
using db::ForeignList;
using Text = std::string;
using MaybeText = std::optional<std::string>;
using MaybeTime = std::optional<Time>;

struct Account {
    Text id;
    Time created_at;
    MaybeTime fetched_at;
    Text username, domain;
    Text avatar_remote_url, header_remote_url, display_name, fields, fields_raw, note, note_raw;
    MaybeTime memorialized_at;
    ForeignList also_known_as_uris;
    Text moved_to_uri;
    bool locked = false, discoverable = false;
    Text uri, url, inbox_uri, shared_inbox_uri, outbox_uri, following_uri, followers_uri,
        featured_collection_uri;
    std::int64_t actor_type = 0;
    Text private_key, public_key, public_key_uri;
    MaybeTime sensitized_at, silenced_at, suspended_at;
    Text suspension_origin;  // whose decision it was, or which rule's about their server
    Text avatar_media_attachment_id, header_media_attachment_id;
};
DESCRIBE(
    Account, id, created_at, fetched_at, username, domain, avatar_remote_url, header_remote_url, display_name,
    fields, fields_raw, note, note_raw, memorialized_at, also_known_as_uris, moved_to_uri, locked,
    discoverable, uri, url, inbox_uri, shared_inbox_uri, outbox_uri, following_uri, followers_uri,
    featured_collection_uri, actor_type, private_key, public_key, public_key_uri, sensitized_at, silenced_at,
    suspended_at, suspension_origin, avatar_media_attachment_id, header_media_attachment_id
)

// Besides, what other tables have of an account.
struct AccountMore {
    Text id, moved_to;
    bool hide_collections = false;
    Text status_content_type;
    std::int64_t followers_count = 0, following_count = 0, statuses_count = 0;
};
DESCRIBE(
    AccountMore, id, moved_to, hide_collections, status_content_type, followers_count, following_count,
    statuses_count
)

struct KeptAccount {
    Text id;
    Time created_at;
    Text username, domain;
    bool kept = false;
};
DESCRIBE(KeptAccount, id, created_at, username, domain, kept)

struct KeptStatus {
    Text id;
    Time created_at;
    Text account_id, thread_id;
};
DESCRIBE(KeptStatus, id, created_at, account_id, thread_id)

struct AccountSettings {
    Text account_id;
    bool sensitive = false;
    Text language, status_content_type;
    bool hide_collections = false;
    std::int64_t privacy = 0;
};
DESCRIBE(AccountSettings, account_id, sensitive, language, status_content_type, hide_collections, privacy)

struct AccountStats {
    Text account_id;
    std::int64_t followers_count = 0, following_count = 0, statuses_count = 0;
};
DESCRIBE(AccountStats, account_id, followers_count, following_count, statuses_count)

struct User {
    Text id;
    Time created_at;
    Text email, account_id, encrypted_password, locale, created_by_application_id;
    MaybeTime confirmed_at;
    Text unconfirmed_email;
    bool moderator = false, admin = false, disabled = false, approved = false;
    MaybeText reason;
    Text two_factor_secret;
    ForeignList two_factor_backups;
    MaybeTime two_factor_enabled_at;
};
DESCRIBE(
    User, id, created_at, email, account_id, encrypted_password, locale, created_by_application_id,
    confirmed_at, unconfirmed_email, moderator, admin, disabled, approved, reason, two_factor_secret,
    two_factor_backups, two_factor_enabled_at
)

struct Application {
    Text id, name;
    MaybeText website;
    ForeignList redirect_uris;
    Text client_id, client_secret, scopes;
};
DESCRIBE(Application, id, name, website, redirect_uris, client_id, client_secret, scopes)

struct Token {
    Text id;
    MaybeTime last_used;
    Text client_id, user_id, scope, access;
    MaybeTime access_create_at, access_expires_at;
};
DESCRIBE(Token, id, last_used, client_id, user_id, scope, access, access_create_at, access_expires_at)

struct PushSubscription {
    Text id, account_id, token_id, endpoint, auth, p256dh;
    std::int64_t notification_flags = 0, policy = 1;
};
DESCRIBE(PushSubscription, id, account_id, token_id, endpoint, auth, p256dh, notification_flags, policy)

struct Status {
    Text id;
    Time created_at;
    Text uri, url, content;
    ForeignList attachments;
    bool local = false;
    Text account_id, in_reply_to_id, in_reply_to_account_id, boost_of_id, content_warning;
    bool sensitive = false;
    MaybeText language;
    Text created_with_application_id, text;
    bool federated = true;
    MaybeTime pinned_at, fetched_at;
    Text poll_id;
    ForeignList edits;
    std::int64_t visibility = 0;
    MaybeTime edited_at;
    std::int64_t content_type = 0;
    Text content_warning_text, thread_id;
    Text interaction_policy;
};
DESCRIBE(
    Status, id, created_at, uri, url, content, attachments, local, account_id, in_reply_to_id,
    in_reply_to_account_id, boost_of_id, content_warning, sensitive, language, created_with_application_id,
    text, federated, pinned_at, fetched_at, poll_id, edits, visibility, edited_at, content_type,
    content_warning_text, thread_id, interaction_policy
)

struct StatusMention {
    Text status_id, target_account_id;
    bool silent = false;
    Text username, domain, url;
};
DESCRIBE(StatusMention, status_id, target_account_id, silent, username, domain, url)
struct Mention {
    Text id, status_id, target_account_id;
    bool silent = false;
};
DESCRIBE(Mention, id, status_id, target_account_id, silent)
struct StatusTag {
    Text status_id, tag_id;
};
DESCRIBE(StatusTag, status_id, tag_id)

struct Edit {
    Text id, content, content_warning, text;
    bool sensitive = false;
    ForeignList attachments, attachment_descriptions, poll_options;
    Text status_id;
    Time created_at;
    std::int64_t content_type = 0;
};
DESCRIBE(
    Edit, id, content, content_warning, text, sensitive, attachments, attachment_descriptions, poll_options,
    status_id, created_at, content_type
)

struct Poll {
    Text id;
    bool multiple = false, hide_counts = false;
    ForeignList options, votes;
    std::optional<std::int64_t> voters;
    Text status_id;
    MaybeTime closed_at, expires_at;
};
DESCRIBE(Poll, id, multiple, hide_counts, options, votes, voters, status_id, closed_at, expires_at)
struct PollVote {
    Text id;
    ForeignList choices;
    Text account_id, poll_id;
};
DESCRIBE(PollVote, id, choices, account_id, poll_id)

struct Attachment {
    Text id;
    Time created_at;
    Text status_id, url, remote_url;
    std::optional<std::int64_t> original_width, original_height, small_width, small_height;
    std::optional<double> focus_x, focus_y;
    Text account_id;
    MaybeText description;
    Text scheduled_status_id, blurhash;
    std::int64_t processing = 2;
    Text file_path, file_content_type, thumbnail_path, thumbnail_remote_url;
    bool avatar = false, header = false, cached = false;
    std::optional<double> original_duration, original_framerate;
    std::optional<std::int64_t> original_bitrate;
    std::int64_t type = 0;
};
DESCRIBE(
    Attachment, id, created_at, status_id, url, remote_url, original_width, original_height, small_width,
    small_height, focus_x, focus_y, account_id, description, scheduled_status_id, blurhash, processing,
    file_path, file_content_type, thumbnail_path, thumbnail_remote_url, avatar, header, cached,
    original_duration, original_framerate, original_bitrate, type
)
struct AttachmentsOf {
    Text id;
    ForeignList attachments;
};
DESCRIBE(AttachmentsOf, id, attachments)

struct Tag {
    Text id;
    Time created_at;
    Text name;
    bool useable = true, listable = true;
};
DESCRIBE(Tag, id, created_at, name, useable, listable)

struct Emoji {
    Text id;
    Time created_at;
    Text shortcode, domain, image_remote_url, image_static_remote_url, image_path, image_static_path;
    bool disabled = false, visible_in_picker = true;
    Text category_id;
};
DESCRIBE(
    Emoji, id, created_at, shortcode, domain, image_remote_url, image_static_remote_url, image_path,
    image_static_path, disabled, visible_in_picker, category_id
)
struct EmojiCategory {
    Text id, name;
};
DESCRIBE(EmojiCategory, id, name)

struct Fave {
    Text id;
    Time created_at;
    Text account_id, status_id, uri;
    bool pending_approval = false;
};
DESCRIBE(Fave, id, created_at, account_id, status_id, uri, pending_approval)
struct Bookmark {
    Text id;
    Time created_at;
    Text account_id, status_id;
};
DESCRIBE(Bookmark, id, created_at, account_id, status_id)
struct Follow {
    Text id;
    Time created_at;
    Text uri, account_id, target_account_id;
    bool show_reblogs = true, notify = false;
};
DESCRIBE(Follow, id, created_at, uri, account_id, target_account_id, show_reblogs, notify)
struct Block {
    Text id;
    Time created_at;
    Text uri, account_id, target_account_id;
};
DESCRIBE(Block, id, created_at, uri, account_id, target_account_id)
struct Mute {
    Text id;
    Time created_at;
    MaybeTime expires_at;
    Text account_id, target_account_id;
    bool notifications = false;
};
DESCRIBE(Mute, id, created_at, expires_at, account_id, target_account_id, notifications)
struct Note {
    Text id, account_id, target_account_id, comment;
};
DESCRIBE(Note, id, account_id, target_account_id, comment)
struct ThreadMute {
    Text id, thread_id, account_id;
};
DESCRIBE(ThreadMute, id, thread_id, account_id)
struct FollowedTag {
    Text account_id, tag_id;
};
DESCRIBE(FollowedTag, account_id, tag_id)

struct List {
    Text id;
    Time created_at;
    Text title, account_id, replies_policy;
    bool exclusive = false;
};
DESCRIBE(List, id, created_at, title, account_id, replies_policy, exclusive)
struct ListEntry {
    Text id, list_id, follow_id;
};
DESCRIBE(ListEntry, id, list_id, follow_id)
struct ListMember {
    Text id, list_id, target;
};
DESCRIBE(ListMember, id, list_id, target)
struct Filter {
    Text id;
    MaybeTime expires_at;
    Text account_id, title;
    std::int64_t contexts = 0, action = 0;
};
DESCRIBE(Filter, id, expires_at, account_id, title, contexts, action)
struct FilterKeyword {
    Text id, filter_id, keyword;
    bool whole_word = false;
};
DESCRIBE(FilterKeyword, id, filter_id, keyword, whole_word)
struct FilterStatus {
    Text id, filter_id, status_id;
};
DESCRIBE(FilterStatus, id, filter_id, status_id)

struct Notification {
    Text id;
    Time created_at;
    Text target_account_id, origin_account_id, status_id;
    bool read = false;
    std::int64_t notification_type = 0;
};
DESCRIBE(
    Notification, id, created_at, target_account_id, origin_account_id, status_id, read, notification_type
)
// With what the post boosts that it is about.
struct NotificationOf {
    Text id;
    Time created_at;
    Text target_account_id, origin_account_id, status_id, boost_of_id;
    std::int64_t notification_type = 0;
};
DESCRIBE(
    NotificationOf, id, created_at, target_account_id, origin_account_id, status_id, boost_of_id,
    notification_type
)
struct Marker {
    Text account_id, name;
    Time updated_at;
    std::int64_t version = 0;
    Text last_read_id;
};
DESCRIBE(Marker, account_id, name, updated_at, version, last_read_id)
struct Conversation {
    Text id;
    Time created_at;
    Text account_id;
    ForeignList other_account_ids;
    Text thread_id, last_status_id;
    bool read = false;
};
DESCRIBE(Conversation, id, created_at, account_id, other_account_ids, thread_id, last_status_id, read)
struct ConversationStatus {
    Text conversation_id, status_id;
};
DESCRIBE(ConversationStatus, conversation_id, status_id)
struct Scheduled {
    Text id, account_id;
    Time scheduled_at;
    Text text;
    ForeignList poll_options;
    std::optional<std::int64_t> poll_expires_in;
    bool poll_multiple = false, poll_hide_totals = false;
    ForeignList attachments;
    bool sensitive = false;
    Text spoiler_text;
    std::int64_t visibility = 0;
    Text in_reply_to_id;
    MaybeText language;
    Text application_id;
    bool local_only = false;
    Text content_type;
};
DESCRIBE(
    Scheduled, id, account_id, scheduled_at, text, poll_options, poll_expires_in, poll_multiple,
    poll_hide_totals, attachments, sensitive, spoiler_text, visibility, in_reply_to_id, language,
    application_id, local_only, content_type
)

struct DomainBlock {
    Text id;
    Time created_at;
    Text domain;
    MaybeText private_comment, public_comment;
    bool obfuscate = false;
};
DESCRIBE(DomainBlock, id, created_at, domain, private_comment, public_comment, obfuscate)
struct Domain {
    Text id;
    Time created_at;
    Text domain;
};
DESCRIBE(Domain, id, created_at, domain)
struct Rule {
    Text id, text;
    std::int64_t order = 0;
    bool deleted = false;
};
DESCRIBE(Rule, id, text, order, deleted)
struct Report {
    Text id;
    Time created_at, updated_at;
    Text account_id, target_account_id, comment;
    ForeignList statuses, rules;
    bool forwarded = false;
    MaybeTime action_taken_at;
    Text action_taken_by_account_id;
};
DESCRIBE(
    Report, id, created_at, updated_at, account_id, target_account_id, comment, statuses, rules, forwarded,
    action_taken_at, action_taken_by_account_id
)
struct Vapid {
    Text id, public_, private_;
};
DESCRIBE(Vapid, id, public_, private_)
// What the server says about itself, with the name of whom people may talk to.
struct Instance {
    Text id;
    Time updated_at;
    Text title, short_description_text, description_text, terms_text, contact_email, contact_account;
};
DESCRIBE(
    Instance, id, updated_at, title, short_description_text, description_text, terms_text, contact_email,
    contact_account
)

}  // namespace takeover::gotosocial

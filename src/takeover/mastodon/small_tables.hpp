// SPDX-License-Identifier: AGPL-3.0-or-later
// The tables of Mastodon about who has to do with whom, what somebody is told, and the site.
#pragma once
#include "takeover/mastodon/tables.hpp"

namespace takeover::mastodon {

struct Fave {
    Id id = 0, account_id = 0, status_id = 0;
};
DESCRIBE(Fave, id, account_id, status_id)
struct Follow {
    Id id = 0, account_id = 0, target_account_id = 0;
    bool show_reblogs = true, notify = false;
    Text uri;
    std::optional<ForeignList> languages;
    Time created_at;
};
DESCRIBE(Follow, id, account_id, target_account_id, show_reblogs, notify, uri, languages, created_at)
struct Block {
    Id id = 0, account_id = 0, target_account_id = 0;
    Text uri;
    Time created_at;
};
DESCRIBE(Block, id, account_id, target_account_id, uri, created_at)
struct Mute {
    Id id = 0, account_id = 0, target_account_id = 0;
    bool hide_notifications = true;
    MaybeTime expires_at;
    Time created_at;
};
DESCRIBE(Mute, id, account_id, target_account_id, hide_notifications, expires_at, created_at)
struct DomainMute {
    Id id = 0, account_id = 0;
    Text domain;
    Time created_at;
};
DESCRIBE(DomainMute, id, account_id, domain, created_at)
struct Note {
    Id id = 0, account_id = 0, target_account_id = 0;
    Text comment;
};
DESCRIBE(Note, id, account_id, target_account_id, comment)
struct Pair {
    Id id = 0, account_id = 0, target_account_id = 0;
    Time created_at;
};
DESCRIBE(Pair, id, account_id, target_account_id, created_at)
struct ThreadMute {
    Id id = 0, account_id = 0, conversation_id = 0;
};
DESCRIBE(ThreadMute, id, account_id, conversation_id)
struct TagOf {
    Id id = 0, account_id = 0, tag_id = 0;
    Text name;
};
DESCRIBE(TagOf, id, account_id, tag_id, name)
struct List {
    Id id = 0, account_id = 0;
    Text title;
    std::int64_t replies_policy = 0;
    bool exclusive = false;
};
DESCRIBE(List, id, account_id, title, replies_policy, exclusive)
struct ListMember {
    Id id = 0, list_id = 0, account_id = 0, owner = 0;
};
DESCRIBE(ListMember, id, list_id, account_id, owner)
struct Filter {
    Id id = 0, account_id = 0;
    Text phrase;
    ForeignList context;
    std::int64_t action = 0;
    MaybeTime expires_at;
};
DESCRIBE(Filter, id, account_id, phrase, context, action, expires_at)
struct FilterKeyword {
    Id id = 0, custom_filter_id = 0, account_id = 0;
    Text keyword;
    bool whole_word = true;
};
DESCRIBE(FilterKeyword, id, custom_filter_id, account_id, keyword, whole_word)
struct FilterStatus {
    Id id = 0, custom_filter_id = 0, account_id = 0, status_id = 0;
};
DESCRIBE(FilterStatus, id, custom_filter_id, account_id, status_id)

struct ConversationView {
    Id id = 0, account_id = 0, conversation_id = 0;
    ForeignList participant_account_ids, status_ids;
    Id last_status_id = 0;
    bool unread = false;
};
DESCRIBE(
    ConversationView, id, account_id, conversation_id, participant_account_ids, status_ids, last_status_id,
    unread
)
struct Scheduled {
    Id id = 0, account_id = 0;
    MaybeTime scheduled_at;
    Text params;
};
DESCRIBE(Scheduled, id, account_id, scheduled_at, params)
struct Notification {
    Id id = 0, account_id = 0, from_account_id = 0;
    Text type, activity_type;
    Id activity_id = 0, status_id = 0;  // the status that the activity is about
    bool filtered = false;
    Text group_key;
    Time created_at;
};
DESCRIBE(
    Notification, id, account_id, from_account_id, type, activity_type, activity_id, status_id, filtered,
    group_key, created_at
)
struct NotificationPolicy {
    Id id = 0, account_id = 0;
    std::int64_t for_not_following = 0, for_not_followers = 0, for_new_accounts = 0, for_private_mentions = 1,
                 for_limited_accounts = 1, for_bots = 0;
};
DESCRIBE(
    NotificationPolicy, id, account_id, for_not_following, for_not_followers, for_new_accounts,
    for_private_mentions, for_limited_accounts, for_bots
)
struct NotificationRequest {
    Id id = 0, account_id = 0, from_account_id = 0, last_status_id = 0;
    std::int64_t notifications_count = 0;
    Time created_at, updated_at;
};
DESCRIBE(
    NotificationRequest, id, account_id, from_account_id, last_status_id, notifications_count, created_at,
    updated_at
)
struct NotificationPermission {
    Id id = 0, account_id = 0, from_account_id = 0;
};
DESCRIBE(NotificationPermission, id, account_id, from_account_id)
struct Marker {
    Id id = 0, account_id = 0;
    Text timeline;
    Id last_read_id = 0;
    std::int64_t lock_version = 0;
    Time updated_at;
};
DESCRIBE(Marker, id, account_id, timeline, last_read_id, lock_version, updated_at)

struct Role {
    Id id = 0;
    Text name, color;
    std::int64_t position = 0, permissions = 0;
    bool highlighted = false, require_2fa = false;
    std::int64_t collection_limit = 10;
    Time created_at;
};
DESCRIBE(Role, id, name, color, position, permissions, highlighted, require_2fa, collection_limit, created_at)
struct DomainBlock {
    Id id = 0;
    Text domain;
    std::int64_t severity = 0;
    bool reject_media = false, reject_reports = false, obfuscate = false;
    MaybeText private_comment, public_comment;
    Time created_at;
};
DESCRIBE(
    DomainBlock, id, domain, severity, reject_media, reject_reports, obfuscate, private_comment,
    public_comment, created_at
)
struct Domain {
    Id id = 0;
    Text domain;
    Time created_at;
    bool allow_with_approval = false;
};
DESCRIBE(Domain, id, domain, created_at, allow_with_approval)
struct IpBlock {
    Id id = 0;
    Text ip;
    std::int64_t severity = 0;
    MaybeTime expires_at;
    Text comment;
    Time created_at;
};
DESCRIBE(IpBlock, id, ip, severity, expires_at, comment, created_at)
struct UsernameBlock {
    Id id = 0;
    Text username, normalized_username;
    bool exact = false, allow_with_approval = false;
    Time created_at;
};
DESCRIBE(UsernameBlock, id, username, normalized_username, exact, allow_with_approval, created_at)
struct Rule {
    Id id = 0;
    std::int64_t priority = 0;
    MaybeTime deleted_at;
    Text text, hint;
};
DESCRIBE(Rule, id, priority, deleted_at, text, hint)
struct Relay {
    Id id = 0;
    Text inbox_url, follow_activity_id;
    std::int64_t state = 0;
    Time created_at;
};
DESCRIBE(Relay, id, inbox_url, follow_activity_id, state, created_at)
struct Setting {
    Text var, value;
};
DESCRIBE(Setting, var, value)
struct Invite {
    Id id = 0, account_id = 0;
    Text code;
    MaybeTime expires_at;
    std::optional<std::int64_t> max_uses;
    std::int64_t uses = 0;
    bool autofollow = false;
    Time created_at;
};
DESCRIBE(Invite, id, account_id, code, expires_at, max_uses, uses, autofollow, created_at)
struct Tombstone {
    Id id = 0, account_id = 0;
    Text uri;
    Time created_at;
};
DESCRIBE(Tombstone, id, account_id, uri, created_at)
struct Report {
    Id id = 0;
    ForeignList status_ids;
    Text comment;
    Time created_at, updated_at;
    Id account_id = 0, target_account_id = 0, action_taken_by_account_id = 0, assigned_account_id = 0;
    bool forwarded = false;
    std::int64_t category = 0;
    MaybeTime action_taken_at;
    ForeignList rule_ids;
};
DESCRIBE(
    Report, id, status_ids, comment, created_at, updated_at, account_id, target_account_id,
    action_taken_by_account_id, assigned_account_id, forwarded, category, action_taken_at, rule_ids
)
struct Warning {
    Id id = 0, account_id = 0, target_account_id = 0;
    std::int64_t action = 0;
    Text text;
    Time created_at;
    Id report_id = 0;
    std::optional<ForeignList> status_ids;
    MaybeTime overruled_at;
};
DESCRIBE(
    Warning, id, account_id, target_account_id, action, text, created_at, report_id, status_ids, overruled_at
)
struct Appeal {
    Id id = 0, account_id = 0, account_warning_id = 0;
    Text text;
    MaybeTime approved_at, rejected_at;
    Id approved_by_account_id = 0, rejected_by_account_id = 0;
    Time created_at;
};
DESCRIBE(
    Appeal, id, account_id, account_warning_id, text, approved_at, rejected_at, approved_by_account_id,
    rejected_by_account_id, created_at
)
struct StaffNote {
    Id id = 0, account_id = 0, target_account_id = 0;
    Text content;
    Time created_at;
};
DESCRIBE(StaffNote, id, account_id, target_account_id, content, created_at)
struct Announcement {
    Id id = 0;
    Text text;
    bool published = false, all_day = false;
    MaybeTime scheduled_at, starts_at, ends_at, published_at;
    Time created_at, updated_at;
};
DESCRIBE(
    Announcement, id, text, published, all_day, scheduled_at, starts_at, ends_at, published_at, created_at,
    updated_at
)
struct AnnouncementReaction {
    Id id = 0, account_id = 0, announcement_id = 0;
    Text name;
    Id custom_emoji_id = 0;
};
DESCRIBE(AnnouncementReaction, id, account_id, announcement_id, name, custom_emoji_id)
struct AnnouncementMute {
    Id id = 0, account_id = 0, announcement_id = 0;
};
DESCRIBE(AnnouncementMute, id, account_id, announcement_id)
struct Terms {
    Id id = 0;
    Text text, changelog, effective_date;
    MaybeTime published_at;
    Time created_at;
};
DESCRIBE(Terms, id, text, changelog, effective_date, published_at, created_at)
struct WarningPreset {
    Id id = 0;
    Text title, text;
};
DESCRIBE(WarningPreset, id, title, text)
struct DeletionRequest {
    Id id = 0, account_id = 0;
    Time created_at;
};
DESCRIBE(DeletionRequest, id, account_id, created_at)

}  // namespace takeover::mastodon

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/rows.hpp"

namespace takeover {

// Home is filled from older posts, beginning with the newest of today.
const db::Command take_follow{
    "take_follow",
    R"(INSERT INTO follows (id, account_id, target_id, show_reblogs, notify, languages, backfill_below, created_at, uri)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING)"
};
const db::Command take_follow_request{
    "take_follow_request",
    R"(INSERT INTO follow_requests (id, account_id, target_id, show_reblogs, notify, languages, created_at, uri)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING)"
};

void write(db::Write& db, const FollowRow& f) {
    if (f.request)
        db.run(
            take_follow_request,
            f.id,
            f.account_id,
            f.target_id,
            f.show_reblogs,
            f.notify,
            f.languages,
            f.created_at,
            f.uri
        );
    else
        db.run(
            take_follow,
            f.id,
            f.account_id,
            f.target_id,
            f.show_reblogs,
            f.notify,
            f.languages,
            f.backfills ? db.now().ms << 16 : 0,
            f.created_at,
            f.uri
        );
}

const db::Command take_block{
    "take_block",
    R"(INSERT INTO blocks (id, account_id, target_id, created_at, uri) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const BlockRow& b) {
    db.run(take_block, b.id, b.account_id, b.target_id, b.created_at, b.uri);
}

const db::Command take_mute{
    "take_mute",
    R"(INSERT INTO mutes (id, account_id, target_id, hide_notifications, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const MuteRow& m) {
    db.run(take_mute, m.id, m.account_id, m.target_id, m.hide_notifications, m.expires_at, m.created_at);
}

const db::Command take_account_note{
    "take_account_note",
    "INSERT INTO account_notes (account_id, target_id, comment) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const NoteRow& n) {
    db.run(take_account_note, n.account_id, n.target_id, n.comment);
}

const db::Command take_tag_follow{
    "take_tag_follow",
    "INSERT INTO tag_follows (id, account_id, tag_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const TagFollowRow& t) { db.run(take_tag_follow, t.id, t.account_id, t.tag_id); }

const db::Command take_featured_tag{
    "take_featured_tag",
    R"(INSERT INTO featured_tags (id, account_id, tag_id, name) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const FeaturedTagRow& t) {
    db.run(take_featured_tag, t.id, t.account_id, t.tag_id, t.name);
}

const db::Command take_endorsement{
    "take_endorsement",
    "INSERT INTO endorsements (account_id, target_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const EndorsementRow& e) {
    db.run(take_endorsement, e.account_id, e.target_id, e.created_at);
}

const db::Command take_suggestion_dismissal{
    "take_suggestion_dismissal",
    "INSERT INTO suggestion_dismissals (account_id, target_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const SuggestionDismissalRow& s) {
    db.run(take_suggestion_dismissal, s.account_id, s.target_id);
}

const db::Command take_conversation_mute{
    "take_conversation_mute",
    "INSERT INTO conversation_mutes (account_id, conversation_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const ConversationMuteRow& m) {
    db.run(take_conversation_mute, m.account_id, m.conversation_id);
}

const db::Command take_domain_mute{
    "take_domain_mute",
    R"(INSERT INTO user_domain_blocks (id, account_id, domain, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const DomainMuteRow& m) {
    db.run(take_domain_mute, m.id, m.account_id, m.domain, m.created_at);
}

const db::Command take_list{
    "take_list",
    R"(INSERT INTO lists (id, account_id, title, replies_policy, exclusive) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const ListRow& l) {
    db.run(take_list, l.id, l.account_id, l.title, l.replies_policy, l.exclusive);
}

const db::Command take_list_member{
    "take_list_member",
    "INSERT INTO list_members (list_id, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const ListMemberRow& m) { db.run(take_list_member, m.list_id, m.account_id); }

const db::Command take_filter{
    "take_filter",
    R"(INSERT INTO filters (id, account_id, title, context, filter_action, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const FilterRow& f) {
    db.run(take_filter, f.id, f.account_id, f.title, f.context, f.action, f.expires_at);
}

const db::Command take_filter_keyword{
    "take_filter_keyword",
    R"(INSERT INTO filter_keywords (id, filter_id, keyword, whole_word) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const FilterKeywordRow& k) {
    db.run(take_filter_keyword, k.id, k.filter_id, k.keyword, k.whole_word);
}

const db::Command take_filter_status{
    "take_filter_status",
    "INSERT INTO filter_statuses (id, filter_id, status_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const FilterStatusRow& s) {
    db.run(take_filter_status, s.id, s.filter_id, s.status_id);
}

const db::Command take_notification{
    "take_notification",
    R"(INSERT INTO notifications (id, account_id, from_account_id, type, status_id, about_id, group_key, created_at,
           filtered)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING)"
};

namespace {

// As notify.cpp makes them: those of an hour stand together.
std::string group_key(const NotificationRow& n) {
    if (!n.group_key.empty()) return n.group_key;
    const auto hour = std::to_string(n.created_at.ms / 3'600'000);
    if (n.type == "favourite" || n.type == "reblog")
        return n.type + "-" + std::to_string(n.status_id) + "-" + hour;
    if (n.type == "follow") return "follow-" + hour;
    if (n.type == "admin_sign_up") return "admin.sign_up-" + hour;
    return "ungrouped-" + std::to_string(n.id);
}

}  // namespace

void write(db::Write& db, const NotificationRow& n) {
    db.run(
        take_notification,
        n.id,
        n.account_id,
        n.from_account_id,
        n.type,
        n.status_id,
        n.about_id,
        group_key(n),
        n.created_at,
        n.filtered
    );
}

const db::Command take_notification_policy{
    "take_notification_policy",
    R"(INSERT INTO notification_policies (account_id, for_not_following, for_not_followers, for_new_accounts,
           for_private_mentions, for_limited_accounts, for_bots)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const NotificationPolicyRow& p) {
    db.run(
        take_notification_policy,
        p.account_id,
        p.for_not_following,
        p.for_not_followers,
        p.for_new_accounts,
        p.for_private_mentions,
        p.for_limited_accounts,
        p.for_bots
    );
}

const db::Command take_notification_request{
    "take_notification_request",
    R"(INSERT INTO notification_requests (id, account_id, from_account_id, last_status_id, notifications_count,
           created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const NotificationRequestRow& r) {
    db.run(
        take_notification_request,
        r.id,
        r.account_id,
        r.from_account_id,
        r.last_status_id,
        r.count,
        r.created_at,
        r.updated_at
    );
}

const db::Command take_notification_permission{
    "take_notification_permission",
    "INSERT INTO notification_permissions (account_id, from_account_id) VALUES ($1, $2) ON CONFLICT DO "
    "NOTHING"
};
void write(db::Write& db, const NotificationPermissionRow& p) {
    db.run(take_notification_permission, p.account_id, p.from_account_id);
}

const db::Command take_marker{
    "take_marker",
    R"(INSERT INTO markers (account_id, timeline, last_read_id, version, updated_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const MarkerRow& m) {
    db.run(take_marker, m.account_id, m.timeline, m.last_read_id, m.version, m.updated_at);
}

const db::Command take_conversation_view{
    "take_conversation_view",
    R"(INSERT INTO account_conversations (id, account_id, conversation_id, participants, last_status_id, unread)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING)"
};
const db::Command take_view_status{
    "take_view_status",
    R"(INSERT INTO account_conversation_statuses (account_conversation_id, status_id) VALUES ($1, $2)
       ON CONFLICT DO NOTHING)"
};

void write(db::Write& db, const ConversationViewRow& v) {
    auto others = v.others;
    std::ranges::sort(others);
    std::string participants = ",";
    for (const auto id : others) participants += std::to_string(id) + ",";
    db.run(
        take_conversation_view,
        v.id,
        v.account_id,
        v.conversation_id,
        participants,
        v.last_status_id,
        v.unread
    );
    for (const auto status : v.statuses) db.run(take_view_status, v.id, status);
}

const db::Command take_scheduled{
    "take_scheduled",
    R"(INSERT INTO scheduled_statuses (id, account_id, scheduled_at, local_only, content_type, params, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING)"
};
const db::Command take_scheduled_medium{
    "take_scheduled_medium",
    "UPDATE media SET scheduled_id = $2, position = $3, free_since = NULL WHERE id = $1 AND status_id IS NULL"
};

void write(db::Write& db, const ScheduledRow& s) {
    db.run(
        take_scheduled,
        s.id,
        s.account_id,
        s.scheduled_at,
        s.local_only,
        s.content_type,
        s.params,
        s.created_at
    );
    for (std::int64_t at = 0; const auto medium : s.media) db.run(take_scheduled_medium, medium, s.id, at++);
}

}  // namespace takeover

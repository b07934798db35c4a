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

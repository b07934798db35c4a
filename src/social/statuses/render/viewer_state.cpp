// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/render/rendered_status.hpp"

#include <algorithm>

namespace statuses {

namespace {

BOOST_DEFINE_ENUM_CLASS(MarkKind, favourite, reblog, bookmark, pin, mute)

// `subject` is the id of a status or, for a mute, of a conversation.
struct MarkRow {
    std::int64_t subject = 0;
    MarkKind kind = MarkKind::favourite;
};
DESCRIBE(MarkRow, subject, kind)

}  // namespace

// A page of a timeline covers a short range of ids with few marks of one viewer, so scanning the marks in the
// range costs one lookup per kind instead of one per status.
const db::Query<MarkRow> viewer_states_between{
    "viewer_states_between",
    R"(SELECT status_id AS subject, 'favourite' AS kind FROM favourites
       WHERE account_id = $1 AND status_id BETWEEN $2 AND $3
       UNION ALL
       SELECT reblog_of_id, 'reblog' FROM statuses
       WHERE account_id = $1 AND reblog_of_id BETWEEN $2 AND $3 AND reblog_of_id IS NOT NULL AND deleted_at IS NULL
       UNION ALL
       SELECT status_id, 'bookmark' FROM bookmarks WHERE account_id = $1 AND status_id BETWEEN $2 AND $3
       UNION ALL
       SELECT status_id, 'pin' FROM status_pins WHERE account_id = $1 AND status_id BETWEEN $2 AND $3
       UNION ALL
       SELECT conversation_id, 'mute' FROM conversation_mutes
       WHERE account_id = $1 AND conversation_id BETWEEN $4 AND $5
       LIMIT $6)"
};

const db::Query<MarkRow> viewer_states_on{
    "viewer_states_on",
    R"(SELECT status_id AS subject, 'favourite' AS kind FROM favourites
       WHERE account_id = $1 AND status_id IN LIST($2)
       UNION ALL
       SELECT reblog_of_id, 'reblog' FROM statuses
       WHERE account_id = $1 AND reblog_of_id IN LIST($2) AND deleted_at IS NULL
       UNION ALL
       SELECT status_id, 'bookmark' FROM bookmarks
       WHERE account_id = $1 AND status_id IN LIST($2)
       UNION ALL
       SELECT status_id, 'pin' FROM status_pins
       WHERE account_id = $1 AND status_id IN LIST($2)
       UNION ALL
       SELECT conversation_id, 'mute' FROM conversation_mutes
       WHERE account_id = $1 AND conversation_id IN LIST($3))"
};

namespace {

constexpr std::int64_t most_rows = 300;

std::vector<MarkRow> rows_on(db::Read& db, AccountId viewer, std::span<const VisibilityFacts> facts) {
    auto [first, last] = std::ranges::minmax(facts, {}, &VisibilityFacts::original_id);
    auto [oldest, newest] = std::ranges::minmax(facts, {}, &VisibilityFacts::conversation_id);
    auto rows = db.all(
        viewer_states_between,
        viewer,
        first.original_id,
        last.original_id,
        oldest.conversation_id,
        newest.conversation_id,
        most_rows
    );
    if (std::ssize(rows) < most_rows) return rows;
    std::vector<StatusId> ids;
    std::vector<ConversationId> conversations;
    for (const auto& f : facts) {
        ids.push_back(f.original_id);
        conversations.push_back(f.conversation_id);
    }
    return db.all(viewer_states_on, viewer, ids, conversations);
}

}  // namespace

void expect_viewer_states(db::Read& db, AccountId viewer, const VisibilityFacts& f) {
    if (!viewer) return;
    const auto id = f.original_id;
    db.expect(viewer_states_between, viewer, id, id, f.conversation_id, f.conversation_id, most_rows);
}

std::unordered_map<StatusId, ViewerState> viewer_states(
    db::Read& db, AccountId viewer, std::span<const VisibilityFacts> facts
) {
    std::unordered_map<StatusId, ViewerState> out;
    if (!viewer || facts.empty()) return out;
    for (const auto& row : rows_on(db, viewer, facts)) {
        if (row.kind == MarkKind::mute) {
            for (const auto& f : facts)
                if (f.conversation_id.value == row.subject) out[f.original_id].muted = true;
            continue;
        }
        auto& viewer_states = out[StatusId{row.subject}];
        switch (row.kind) {
            case MarkKind::favourite: viewer_states.favourited = true; break;
            case MarkKind::reblog: viewer_states.reblogged = true; break;
            case MarkKind::bookmark: viewer_states.bookmarked = true; break;
            case MarkKind::pin: viewer_states.pinned = true; break;
            case MarkKind::mute: break;
        }
    }
    return out;
}

}  // namespace statuses

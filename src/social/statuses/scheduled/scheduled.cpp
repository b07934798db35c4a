// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/scheduled/scheduled.hpp"

#include "base/json_read.hpp"
#include "social/media/media.hpp"
#include "social/statuses/interactions/status_lists.hpp"
#include "social/statuses/writing/compose.hpp"

#include <algorithm>

namespace statuses {

const db::Query<std::int64_t> count_scheduled{
    "count_scheduled",
    R"(SELECT count(*) FROM scheduled_statuses
       WHERE account_id = $1 AND id <> $2 AND scheduled_at >= $3 AND scheduled_at < $4)"
};

namespace {

// `but`: the one that is rescheduled.
void check_time(db::Read& db, AccountId me, Time at, ScheduledId but) {
    if (at <= db.now().plus_seconds(schedule_ahead_seconds))
        throw base::Invalid("Validation failed: Scheduled at date must be in the future");
    constexpr Time ever{std::numeric_limits<std::int64_t>::max()};
    if (db.one(count_scheduled, me, but, Time{0}, ever) >= most_scheduled)
        throw base::Invalid(
            "Validation failed: You have exceeded the limit of " + std::to_string(most_scheduled) +
            " scheduled posts"
        );
    auto day = at.midnight();
    if (db.one(count_scheduled, me, but, day, day.plus_seconds(86'400)) >= most_scheduled_a_day)
        throw base::Invalid(
            "Validation failed: You have exceeded the limit of " + std::to_string(most_scheduled_a_day) +
            " scheduled posts for today"
        );
}

ScheduledParams params_of(const Draft& draft) {
    ScheduledParams out;
    out.text = draft.text;
    if (!draft.media.empty()) out.media_ids = draft.media;
    out.sensitive = draft.sensitive;
    if (!draft.spoiler_text.empty()) out.spoiler_text = draft.spoiler_text;
    out.visibility = draft.visibility;
    out.language = draft.language;
    out.poll = draft.poll;
    if (draft.in_reply_to) out.in_reply_to_id = draft.in_reply_to.value;
    if (draft.quoted_status) out.quoted_status_id = draft.quoted_status;
    out.quote_approval_policy = draft.quote_policy;
    out.reply_policy = draft.reply_policy;
    out.allowed_mentions = draft.allowed_mentions;
    if (draft.app) out.application_id = draft.app.value;
    return out;
}

}  // namespace

const db::Command insert_scheduled{
    "insert_scheduled",
    R"(INSERT INTO scheduled_statuses (id, account_id, scheduled_at, local_only, content_type, params, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7))"
};

Creation schedule(db::Write& db, const Draft& draft) {
    if (auto earlier = made_before(db, draft.account, draft.idempotency_key)) return {*earlier, false};
    check(db, draft);
    check_time(db, draft.account, draft.scheduled_at.value(), {});
    for (auto of : {draft.in_reply_to, draft.quoted_status})
        if (of) note_touched(db, of);
    auto id = db.new_id<ScheduledId>();
    db.run(
        insert_scheduled,
        id,
        draft.account,
        *draft.scheduled_at,
        draft.local_only,
        draft.content_type,
        base::json::to_string(params_of(draft)),
        db.now()
    );
    media::reserve(db, draft.account, id, draft.media);
    remember(db, draft.account, draft.idempotency_key, {id.value});
    return {{id.value}, true};
}

const db::Query<Scheduled> scheduled_by_id{
    "scheduled_by_id",
    R"(SELECT id, account_id, scheduled_at, state, local_only, content_type, params
       FROM scheduled_statuses WHERE account_id = $1 AND id = $2)"
};

std::optional<Scheduled> find_scheduled(db::Read& db, AccountId me, ScheduledId id) {
    return db.maybe(scheduled_by_id, me, id);
}

const db::Query<Scheduled> scheduled_down{
    "scheduled_down",
    R"(SELECT id, account_id, scheduled_at, state, local_only, content_type, params
       FROM scheduled_statuses WHERE account_id = $1 AND id > $2 AND id < $3 ORDER BY id DESC LIMIT $4)"
};
const db::Query<Scheduled> scheduled_up{
    "scheduled_up",
    R"(SELECT id, account_id, scheduled_at, state, local_only, content_type, params
       FROM scheduled_statuses WHERE account_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4)"
};

std::vector<Scheduled> scheduled(db::Read& db, AccountId me, const base::Range& page) {
    auto rows =
        db.all(page.ascending ? scheduled_up : scheduled_down, me, page.above, page.below, page.limit);
    if (page.ascending) std::ranges::reverse(rows);
    return rows;
}

const db::Command update_scheduled_time{
    "update_scheduled_time",
    "UPDATE scheduled_statuses SET scheduled_at = $2, state = 'waiting' WHERE id = $1"
};

void move_scheduled(db::Write& db, AccountId me, ScheduledId id, Time at) {
    check_time(db, me, at, db.one(scheduled_by_id, me, id).id);
    db.run(update_scheduled_time, id, at);
}

const db::Command delete_scheduled{
    "delete_scheduled", "DELETE FROM scheduled_statuses WHERE account_id = $1 AND id = $2"
};

void cancel_scheduled(db::Write& db, AccountId me, ScheduledId id) {
    if (db.run(delete_scheduled, me, id) == 0) throw base::NotFound();
    media::unreserve(db, id);
}

const db::Query<ScheduledId> some_scheduled_of{
    "some_scheduled_of", "SELECT id FROM scheduled_statuses WHERE account_id = $1 ORDER BY id LIMIT $2"
};

std::int64_t drop_own_scheduled(db::Write& db, AccountId account, int most) {
    auto some = db.all(some_scheduled_of, account, most);
    for (auto id : some) cancel_scheduled(db, account, id);
    return static_cast<std::int64_t>(some.size());
}

}  // namespace statuses

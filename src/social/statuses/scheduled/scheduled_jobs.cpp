// SPDX-License-Identifier: AGPL-3.0-or-later
// Publishes scheduled statuses when they are due.
#include "base/json_read.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/user.hpp"
#include "social/media/media.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/statuses/writing/compose.hpp"

namespace statuses {

const db::Query<ScheduledDue> take_due_scheduled{
    "take_due_scheduled",
    R"(UPDATE scheduled_statuses SET state = 'due' WHERE id IN (
           SELECT id FROM scheduled_statuses WHERE state = 'waiting' AND scheduled_at <= $1
           ORDER BY scheduled_at LIMIT 200)
       RETURNING id, scheduled_at)"
};

const db::Query<bool> scheduled_is_due{
    "scheduled_is_due",
    "SELECT EXISTS (SELECT 1 FROM scheduled_statuses WHERE state = 'waiting' AND scheduled_at <= $1) AS due"
};

// Each is published by a job of its own, so that a failure does not block others.
jobs::Change announce_due(db::Read& db) {
    if (!db.one(scheduled_is_due, db.now())) return {};
    return [](db::Write& change) {
        for (const auto& due : change.all(take_due_scheduled, change.now())) change.emit(due);
    };
}

const db::Query<Scheduled> scheduled_if_due{
    "scheduled_if_due",
    R"(SELECT id, account_id, scheduled_at, state, local_only, content_type, params
       FROM scheduled_statuses WHERE id = $1 AND scheduled_at = $2 AND state = 'due')"
};
const db::Command fail_scheduled{
    "fail_scheduled", "UPDATE scheduled_statuses SET state = 'failed' WHERE id = $1"
};

namespace {

Draft draft_of(db::Read& db, const Scheduled& scheduled) {
    auto params = base::json::read<ScheduledParams>(scheduled.params);
    Draft draft;
    draft.account = scheduled.account_id;
    draft.app = {params.application_id.value_or(0)};
    draft.text = params.text;
    draft.spoiler_text = params.spoiler_text.value_or("");
    draft.content_type = scheduled.content_type;
    draft.sensitive = params.sensitive;
    draft.visibility = params.visibility;
    draft.quote_policy = params.quote_approval_policy;
    draft.reply_policy = params.reply_policy.value_or(ReplyPolicy::public_);
    draft.language = params.language;
    draft.in_reply_to = {params.in_reply_to_id.value_or(0)};
    draft.quoted_status = params.quoted_status_id.value_or(StatusId{});
    draft.media = params.media_ids.value_or(std::vector<MediaId>());
    draft.poll = params.poll;
    draft.local_only = scheduled.local_only;
    draft.allowed_mentions = params.allowed_mentions;
    draft.content = compose(db, draft.account, draft.text, draft.content_type);
    return draft;
}

bool may_publish(db::Write& db, const Draft& draft, ScheduledId id) {
    auto user = accounts::find_user_of(db, draft.account);
    if (!user || !user->usable() || accounts::account(db, draft.account).suspended_at) return false;
    try {
        check(db, draft);
        refuse_unexpected(db, draft);
        media::usable(db, draft.account, draft.media, {}, id);
    } catch (const base::Error&) {
        return false;  // nothing was written yet
    }
    return true;
}

}  // namespace

jobs::Change publish_scheduled(db::Read& db, const ScheduledDue& due) {
    auto scheduled = db.maybe(scheduled_if_due, due.id, due.scheduled_at);
    if (!scheduled) return {};  // deleted, rescheduled or published
    auto draft = draft_of(db, *scheduled);
    judge(db, draft);
    return [due, draft](db::Write& change) {
        if (!change.maybe(scheduled_if_due, due.id, due.scheduled_at)) return;
        bool refused = draft.verdict && draft.verdict->refused;
        if (refused) tell_judged(change, draft.verdict, {}, draft.account);
        if (refused || !may_publish(change, draft, due.id)) {
            change.run(fail_scheduled, due.id);
            return;
        }
        cancel_scheduled(change, draft.account, due.id);
        auto status = create(change, draft).id;
        remember_instead(change, draft.account, {due.id.value}, status);
    };
}

}  // namespace statuses

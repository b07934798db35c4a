// SPDX-License-Identifier: AGPL-3.0-or-later
// Statuses to be published later. One stays a draft until it is published or its author deletes it: if
// publishing fails it is kept, and not tried again until it is rescheduled.
#pragma once
#include "base/page.hpp"
#include "base/schema.hpp"
#include "social/media/media.hpp"
#include "social/statuses/polls/poll.hpp"

namespace statuses {

using ScheduledId = base::ScheduledStatusId;

// `due`: a job is to publish it; `failed`: it could not be published.
BOOST_DEFINE_ENUM_CLASS(State, waiting, due, failed)

constexpr std::int64_t schedule_ahead_seconds = 300;
constexpr std::int64_t most_scheduled_a_day = 25, most_scheduled = 300;

// Member `params` of the entity, and the stored form. Two ids are numbers, as in Mastodon's API.
struct ScheduledParams {
    std::string text;
    std::optional<std::vector<MediaId>> media_ids;
    bool sensitive = false;
    std::optional<std::string> spoiler_text;
    Visibility visibility = Visibility::public_;
    std::optional<std::string> language;
    std::optional<PollDraft> poll;
    std::optional<std::int64_t> in_reply_to_id;
    std::optional<StatusId> quoted_status_id;
    QuotePolicy quote_approval_policy = QuotePolicy::public_;
    std::optional<ReplyPolicy> reply_policy;
    std::optional<std::vector<AccountId>> allowed_mentions;
    std::optional<std::int64_t> application_id;
    std::optional<std::string> scheduled_at, idempotency;  // always null
    bool with_rate_limit = false;
};
DESCRIBE(
    ScheduledParams, text, media_ids, sensitive, spoiler_text, visibility, language, poll, in_reply_to_id,
    quoted_status_id, quote_approval_policy, reply_policy, allowed_mentions, application_id, scheduled_at,
    idempotency, with_rate_limit
)

struct Scheduled {
    ScheduledId id;
    AccountId account_id;
    Time scheduled_at;
    State state = State::waiting;
    bool local_only = false;
    std::string content_type, params;
};
DESCRIBE(Scheduled, id, account_id, scheduled_at, state, local_only, content_type, params)

// The id is that of the scheduled status. Throws Invalid (too soon, too many, or what create() refuses) and NotFound.
Creation schedule(db::Write&, const Draft&);

std::optional<Scheduled> find_scheduled(db::Read&, AccountId me, ScheduledId);
std::vector<Scheduled> scheduled(db::Read&, AccountId me, const base::Range&);  // newest first

// Both throw NotFound; move_scheduled() also throws Invalid, as schedule() does.
void move_scheduled(db::Write&, AccountId me, ScheduledId, Time);
void cancel_scheduled(db::Write&, AccountId me, ScheduledId);

// A scheduled status is due.
struct ScheduledDue {
    ScheduledId id;
    Time scheduled_at;
};
DESCRIBE(ScheduledDue, id, scheduled_at)

jobs::Change announce_due(db::Read&);                            // periodic
jobs::Change publish_scheduled(db::Read&, const ScheduledDue&);  // reaction

// Deletes at most `most` of them together with their account (server/private_rows.cpp); returns the number.
std::int64_t drop_own_scheduled(db::Write&, AccountId, int most);

// Entity ScheduledStatus.
std::string scheduled_json(db::Read&, const std::vector<Scheduled>&);  // an array
std::string scheduled_json(db::Read&, const Scheduled&);

void describe_scheduled(base::json::Components&);  // for OpenAPI

}  // namespace statuses

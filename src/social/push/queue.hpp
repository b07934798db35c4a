// SPDX-License-Identifier: AGPL-3.0-or-later
// The queue of push messages: one row for each subscription that gets a notification. The content is
// determined when it is sent (message.hpp).
#pragma once
#include "base/fetch.hpp"
#include "social/notifications/notify.hpp"
#include "social/push/subscription.hpp"

namespace push {

using base::Time;
using MessageId = base::Id<struct PushMessageTag>;

// Announced when there are new rows.
constexpr std::string_view push_channel = "push";
// An attempt that has not ended by then was lost.
constexpr std::int64_t lease_seconds = 120;
constexpr std::int64_t most_tries = 5, longest_retry_after_seconds = 6 * 3600;

// Reaction: adds a row for each subscription of the recipient that wants this type from this sender; none
// during quiet hours.
void want_pushes(db::Write&, const notifications::Notified&);

// The meaning of a response. Everything else is retried.
BOOST_DEFINE_ENUM_CLASS(Verdict, sent, gone, failed)
Verdict verdict(base::FetchFailure, int status);

struct Outcome {
    MessageId id;
    PushId subscription;
    std::int64_t attempts = 0;  // earlier attempts
    Verdict verdict = Verdict::failed;
    std::int64_t wish_seconds = 0;  // the service's Retry-After; 0: none
};
struct Report {
    std::vector<Outcome> outcomes;
    std::vector<MessageId> needless;     // there is nothing to send any more
    std::vector<MessageId> rescheduled;  // their service does not respond; not counted as an attempt
    std::vector<MessageId> crowded;      // no capacity was left
    std::vector<MessageId> released;     // were not tried
    bool empty() const {
        return outcomes.empty() && needless.empty() && rescheduled.empty() && crowded.empty() &&
               released.empty();
    }
};

struct Work {
    std::vector<MessageId> leased;
    std::optional<Time> next_at;  // when the next message is due
};

// Stores the results and leases up to `room` other messages that are due.
Work exchange(db::Write&, const Report&, int room, std::int64_t retry_ms);
// Like jobs::release_leases.
void release_messages(db::Write&, std::string_view node);

std::int64_t waiting(db::Read&);  // rows

}  // namespace push

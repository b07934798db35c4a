// SPDX-License-Identifier: AGPL-3.0-or-later
// The messages that wait to be sent: one row for each subscription that is to hear of a notification. What a message
// says is found when it is sent (message.hpp).
#pragma once
#include "base/fetch.hpp"
#include "social/notifications/notify.hpp"
#include "social/push/subscription.hpp"

namespace push {

using base::Time;
using MessageId = base::Id<struct PushMessageTag>;

// The announcement that tells of new rows.
constexpr std::string_view push_channel = "push";
// A try is over by then, or it was lost.
constexpr std::int64_t lease_seconds = 120;
constexpr std::int64_t most_tries = 5, longest_retry_after_seconds = 6 * 3600;

// Reaction: one row for each subscription of the recipient that wants to hear of such a thing by such a person; none in their
// quiet hours.
void want_pushes(db::Write&, const notifications::Notified&);

// What an answer means. Everything else is tried again.
BOOST_DEFINE_ENUM_CLASS(Verdict, sent, gone, failed)
Verdict verdict(base::FetchFailure, int status);

struct Outcome {
    MessageId id;
    PushId subscription;
    std::int64_t attempts = 0;  // before
    Verdict verdict = Verdict::failed;
    std::int64_t wish_seconds = 0;  // as the service said, 0: nothing
};
struct Report {
    std::vector<Outcome> outcomes;
    std::vector<MessageId> needless;     // there is nothing to send any more
    std::vector<MessageId> rescheduled;  // wait for a service that does not answer; no try is counted
    std::vector<MessageId> crowded;      // found no place
    std::vector<MessageId> released;     // were not tried
    bool empty() const {
        return outcomes.empty() && needless.empty() && rescheduled.empty() && crowded.empty() &&
               released.empty();
    }
};

struct Work {
    std::vector<MessageId> leased;
    std::optional<Time> next_at;  // when something is due that is not yet
};

// Writes down what became of messages and leases up to `room` others that are due.
Work exchange(db::Write&, const Report&, int room, std::int64_t retry_ms);
// As jobs::release_leases.
void release_messages(db::Write&, std::string_view node);

std::int64_t waiting(db::Read&);  // rows

}  // namespace push

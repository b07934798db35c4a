// SPDX-License-Identifier: AGPL-3.0-or-later
// Received activities that cannot be verified yet, because the server of their key could not be asked
// (known_keys.hpp). They are accepted and verified later, host by host, and not processed before. Limits per
// host and in total keep them from filling the disk, and they cause no more requests for keys than without
// this queue.
#pragma once
#include "ap/activity.hpp"
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"
#include "social/federation/inbox/inbox_item.hpp"
#include "social/federation/verifying/known_keys.hpp"

namespace federation {

constexpr std::int64_t most_unverified_of_host = 1000, most_unverified = 20'000;
constexpr std::int64_t most_unverified_bytes_of_host = 8 << 20, most_unverified_bytes = 128 << 20;

struct Unverified {
    ItemId id;
    std::string host, key;  // of the signature
    AccountId recipient_id;
    Time received_at;  // set by keep()
    std::int64_t attempts = 0;
    std::string target;
    std::string headers;  // JSON
    std::string body;
};
DESCRIBE(Unverified, id, host, key, recipient_id, received_at, attempts, target, headers, body)

// Announced when some were written.
constexpr std::string_view unverified_channel = "unverified";

// The row for a request that `verdict` could not judge.
Unverified unverified(const Authenticated& verdict, const ap::SignedRequest&, AccountId recipient);
// False: too many are waiting already.
bool keep(db::Write&, const Unverified&);
// Whether an activity signed with this key is waiting.
bool waits(db::Read&, std::string_view key);

// Judges a request that delivered an activity. With status 200 the activity is to be kept as sent by the
// actor who signed; otherwise it is refused, or not judged yet. `may_ask` as in Judging.
Authenticated bringer(
    const base::Ask&, db::Read&, const ap::SignedRequest&, const ap::Activity&, const Judging& = {}
);
Item received(
    const Authenticated& bringer, const ap::SignedRequest&, AccountId recipient
);  // as it is processed

// Verifies waiting activities of the next host.
jobs::Idle verify_some(const jobs::Sessions&);
void release_unverified(db::Write&, std::string_view node);  // as release_items

}  // namespace federation

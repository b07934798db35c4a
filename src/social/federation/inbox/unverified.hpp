// SPDX-License-Identifier: AGPL-3.0-or-later
// What was received and cannot be verified yet, because the server of its key could not be asked (known_keys.hpp): it is
// taken all the same and waits for its turn, which comes host by host. Nothing is done about it before. So much is kept of
// a host, and of all, that nobody fills a disk; what a stranger sends in vain makes us ask as often as without it.
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

// Of what `verdict` could not say anything about.
Unverified unverified(const Authenticated& verdict, const ap::SignedRequest&, AccountId recipient);
// False: too much waits already.
bool keep(db::Write&, const Unverified&);
// Whether something waits that was signed with this key.
bool waits(db::Read&, std::string_view key);

// What a request is that brought an activity. With status 200 it is to be kept, as that of the actor who signed it;
// otherwise it is refused, or not judged yet. `may_ask` as in Judging.
Authenticated bringer(
    const base::Ask&, db::Read&, const ap::SignedRequest&, const ap::Activity&, const Judging& = {}
);
Item received(
    const Authenticated& bringer, const ap::SignedRequest&, AccountId recipient
);  // as it is processed

// Verifies what waits for the host whose turn it is.
jobs::Idle verify_some(const jobs::Sessions&);
void release_unverified(db::Write&, std::string_view node);  // as release_items

}  // namespace federation

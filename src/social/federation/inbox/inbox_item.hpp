// SPDX-License-Identifier: AGPL-3.0-or-later
// The rows of what was received and is to be processed. An item is leased, done and removed; what failed for now comes
// back later, eight times at most. Items about one thing go one after another.
#pragma once
#include "db/session.hpp"

namespace federation {

using base::AccountId;
using base::Time;
using ItemId = base::Id<struct InboxItemTag>;

struct Item {
    ItemId id;
    AccountId recipient_id;  // whose own inbox it came to; 0: the shared one
    std::int64_t attempts = 0;
    std::string signer;           // the actor whose key signed the request
    std::string synchronization;  // the header Collection-Synchronization
    std::string body;
};
DESCRIBE(Item, id, recipient_id, attempts, signer, synchronization, body)

// Announced when items were written.
constexpr std::string_view inbox_channel = "inbox";

// `about`: what an item is about, for the order. One that has an id already keeps its place.
void keep(db::Write&, const Item&, std::string_view about);

// In the order they came. `asking`: those for which another server has to be asked.
std::vector<Item> lease_items(db::Write&, int at_most, bool asking);
std::optional<Time> next_due(db::Read&, bool asking);  // of those that wait for their next try
void ask_for(db::Write&, const std::vector<ItemId>&);  // they turned out to be of that kind
db::Changed remove_item(db::Write&, ItemId);           // 0: somebody else did it
void give_back(db::Write&, ItemId);                    // it was not tried
// Tried again later, or given up.
void postpone(db::Write&, const Item&, std::string_view error);
// Its turn comes again in so many seconds, and no try is counted: who has to be asked was not, because others ask it now.
void wait(db::Write&, ItemId, std::int64_t seconds);

// What was processed, by seen_as() of inbox.hpp: 0 when it was already, or was taken back by its actor.
db::Changed mark_seen(
    db::Write&, std::string_view seen_as, std::string_view activity, std::string_view actor
);
bool was_seen(db::Read&, std::string_view seen_as);
void expect_seen(db::Read&, std::string_view seen_as);  // db::Read::expect
db::Remembering ask_whether_seen(db::Read&, const std::vector<std::string>& seen_as);
void forget_seen(db::Write&, std::string_view seen_as);

// What an actor took back before it came shall not come for six hours.
void end_early(db::Write&, std::string_view uri, std::string_view actor);
bool ended_early(db::Read&, std::string_view uri, std::string_view actor);
// What of these uris, each with who might have ended it.
db::Remembering ask_whether_ended_early(
    db::Read&, const std::vector<std::pair<std::string, std::string>>& uris
);

// More of what was seen is old than one change takes.
struct SeenLeft {};
DESCRIBE(SeenLeft)
void purge_more_seen(db::Write&, const SeenLeft&);
void purge_inbox(db::Write&);                           // periodic
void release_items(db::Write&, std::string_view node);  // as jobs::release_leases

}  // namespace federation

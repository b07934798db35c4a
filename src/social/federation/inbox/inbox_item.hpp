// SPDX-License-Identifier: AGPL-3.0-or-later
// Rows of received activities that are to be processed. An item is leased, processed and removed; after a
// temporary failure it is retried, eight times at most. Items about one object are processed in order.
#pragma once
#include "db/session.hpp"

namespace federation {

using base::AccountId;
using base::Time;
using ItemId = base::Id<struct InboxItemTag>;

struct Item {
    ItemId id;
    AccountId recipient_id;  // the owner of the inbox; 0: the shared one
    std::int64_t attempts = 0;
    std::string signer;           // the actor whose key signed the request
    std::string synchronization;  // the header Collection-Synchronization
    std::string body;
};
DESCRIBE(Item, id, recipient_id, attempts, signer, synchronization, body)

// Announced when items were written.
constexpr std::string_view inbox_channel = "inbox";

// `about`: the object by which items are ordered. An item that has an id already keeps its place.
void keep(db::Write&, const Item&, std::string_view about);

// In the order of arrival. `asking`: those that need requests to other servers.
std::vector<Item> lease_items(db::Write&, int at_most, bool asking);
std::optional<Time> next_due(db::Read&, bool asking);  // of those waiting for a retry
void ask_for(db::Write&, const std::vector<ItemId>&);  // marks them as `asking`
db::Changed remove_item(db::Write&, ItemId);           // 0: another thread did it
void give_back(db::Write&, ItemId);                    // without a try
// Schedules a retry, or gives up.
void postpone(db::Write&, const Item&, std::string_view error);
// Schedules it again without counting a try: a server was not asked because other requests to it are running.
void wait(db::Write&, ItemId, std::int64_t seconds);

// Marks an activity as processed, by seen_as() of inbox.hpp. Returns 0 when it was already, or was undone by
// its actor.
db::Changed mark_seen(
    db::Write&, std::string_view seen_as, std::string_view activity, std::string_view actor
);
bool was_seen(db::Read&, std::string_view seen_as);
void expect_seen(db::Read&, std::string_view seen_as);  // db::Read::expect
db::Remembering ask_whether_seen(db::Read&, const std::vector<std::string>& seen_as);
void forget_seen(db::Write&, std::string_view seen_as);

// When an actor's Undo or Delete arrives before its object, the object is ignored for six hours.
void end_early(db::Write&, std::string_view uri, std::string_view actor);
bool ended_early(db::Read&, std::string_view uri, std::string_view actor);
// The same for many, each URI with the actor that may have ended it.
db::Remembering ask_whether_ended_early(
    db::Read&, const std::vector<std::pair<std::string, std::string>>& uris
);

// Event: more old rows are left than one change deletes.
struct SeenLeft {};
DESCRIBE(SeenLeft)
void purge_more_seen(db::Write&, const SeenLeft&);
void purge_inbox(db::Write&);                           // periodic
void release_items(db::Write&, std::string_view node);  // as jobs::release_leases

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Who beyond this server is told of what: as steps, each of which finds its accounts a page at a time, so that twenty
// thousand followers are never one piece of work.
#pragma once
#include "jobs/reactions.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/statuses/core/status.hpp"

namespace federation {

using base::StatusId;

BOOST_DEFINE_ENUM_CLASS(
    Source, followers,  // of an account; all others of a status:
    mentioned, author, boosters, favouriters, repliers, quoters,
    correspondents,  // of an account, in two days
    everybody,       // each server that is known here, by its shared inbox
    alone,           // each account of other servers that has none
    relays,
    blockers,    // of an account
    recipients,  // of a status: who was sent it before
    featured     // in a collection
)

struct Step {
    Source source = Source::followers;
    std::int64_t of = 0;     // account, status or collection
    std::int64_t after = 0;  // those up to here were found before
};
DESCRIBE(Step, source, of, after)

// What of a status decides who hears of it.
struct Telling {
    StatusId id;
    AccountId account;
    StatusId reblog_of, in_reply_to, quoted;
    AccountId in_reply_to_account;
    bool in_reply_to_local = false, own_reblog = false, deleted = false;
    statuses::Visibility visibility = statuses::Visibility::direct;
};
DESCRIBE(
    Telling, id, account, reblog_of, in_reply_to, quoted, in_reply_to_account, in_reply_to_local, own_reblog,
    deleted, visibility
)
// Of a status of ours that may leave this server, deleted or not; nothing as long as no other server is known, and of
// authors who are gone, which says it all.
std::optional<Telling> telling(db::Read&, StatusId);

// Facts 21.4. Of a deleted one also those who may have got it in other ways than its visibility says.
std::vector<Step> reach(const Telling&);
std::vector<Step> reach_of_actor(AccountId);
std::vector<Step> reach_of_everybody(AccountId);  // its followers first
std::vector<Step> reach_of_move(AccountId);

struct Reached {
    std::vector<std::string> inboxes;  // shared ones where there are some
    std::optional<Step> rest;
};
Reached reached(db::Read&, const Step&);

// Where to write to one account only; empty: not one of another server.
std::string inbox_of(db::Read&, AccountId, bool farewell = false);
// Where it gets what is for many: the shared one where there is one.
std::string wide_inbox_of(db::Read&, AccountId);

// A recorded activity goes on its way: a page of the first step, then the event again for what is left. `unless_deleted`
// is a status whose end makes it pointless and whose recipients are kept, `ended` one whose recipients are not needed when
// all of them were told, `except` an inbox that has it already.
struct Spreading {
    ActivityId activity;
    StatusId unless_deleted;
    std::vector<Step> steps;
    std::string except;
    StatusId ended;
};
DESCRIBE(Spreading, activity, unless_deleted, steps, except, ended)
jobs::Change spread(db::Read&, const Spreading&);  // reaction

}  // namespace federation

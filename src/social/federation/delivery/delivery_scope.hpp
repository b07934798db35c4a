// SPDX-License-Identifier: AGPL-3.0-or-later
// Which other servers receive an activity: groups of recipients whose accounts are read a page at a time, so
// that 20,000 followers are never one unit of work.
#pragma once
#include "jobs/reactions.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/statuses/core/status.hpp"

namespace federation {

using base::StatusId;

BOOST_DEFINE_ENUM_CLASS(
    Source, followers,  // of an account; all others of a status:
    mentioned, author, boosters, favouriters, repliers, quoters,
    correspondents,  // of an account, of the last two days
    everybody,       // the shared inbox of each known server
    alone,           // each remote account without a shared inbox
    relays,
    blockers,    // of an account
    recipients,  // of a status: the inboxes that it was sent to
    featured     // in a collection
)

struct RecipientGroup {
    Source source = Source::followers;
    std::int64_t of = 0;     // account, status or collection
    std::int64_t after = 0;  // those up to here were read before
};
DESCRIBE(RecipientGroup, source, of, after)

// The properties of a status that decide who receives it.
struct DeliveryScope {
    StatusId id;
    AccountId account;
    StatusId reblog_of, in_reply_to, quoted;
    AccountId in_reply_to_account;
    bool in_reply_to_local = false, own_reblog = false, deleted = false;
    statuses::Visibility visibility = statuses::Visibility::direct;
    std::int64_t version = 0;  // when it was edited last; 0: never
};
DESCRIBE(
    DeliveryScope, id, account, reblog_of, in_reply_to, quoted, in_reply_to_account, in_reply_to_local,
    own_reblog, deleted, visibility, version
)
// The scope of a local status that may be federated, deleted or not. Empty while no other server is known,
// and for deleted authors, because deleting the actor covers their statuses.
std::optional<DeliveryScope> delivery_scope(db::Read&, StatusId);

// The recipients; for a deleted status also those who may have received it for reasons other than its
// visibility.
std::vector<RecipientGroup> recipients_of(const DeliveryScope&);
std::vector<RecipientGroup> recipients_of_actor(AccountId);
std::vector<RecipientGroup> recipients_of_everybody(AccountId);  // its followers first
std::vector<RecipientGroup> recipients_of_move(AccountId);

struct RecipientPage {
    std::vector<std::string> inboxes;  // shared ones where there are some
    std::optional<RecipientGroup> rest;
};
RecipientPage recipient_page(db::Read&, const RecipientGroup&);

// The inbox of one account; empty for accounts of this server.
std::string inbox_of(db::Read&, AccountId, bool deletion_notice = false);
// The inbox for what goes to many recipients: the shared one where there is one.
std::string wide_inbox_of(db::Read&, AccountId);

BOOST_DEFINE_ENUM_CLASS(ActivityKind, create, announce, update, delete_, undo_announce, add, remove)

// Delivers a recorded activity to each inbox once, in steps, in the order of the inboxes' URLs: those up to
// `told` have it. `unless_deleted`: a status whose recipients are recorded, and whose deletion ends the
// delivery. `ended`: a deleted status whose recorded recipients are dropped when all of them got the
// activity. `except`: an inbox that has it already. `version`: that of the status (with `kind`) or of the
// `profile` when the activity was written.
struct ActivityFanOut {
    ActivityId activity;
    StatusId unless_deleted;
    std::vector<RecipientGroup> groups;
    std::string except;
    StatusId ended;
    std::string told;
    std::optional<ActivityKind> kind;
    AccountId profile;
    std::int64_t version = 0;
};
DESCRIBE(ActivityFanOut, activity, unless_deleted, groups, except, ended, told, kind, profile, version)
jobs::Change fan_out_activity(db::Read&, const ActivityFanOut&);  // reaction

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Which other servers receive an activity: as groups of recipients, each of which finds its accounts a page at a time, so
// that twenty thousand followers are never one unit of work.
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

struct RecipientGroup {
    Source source = Source::followers;
    std::int64_t of = 0;     // account, status or collection
    std::int64_t after = 0;  // those up to here were found before
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
// Of a local status that may be federated, deleted or not. Empty while no other server is known, and for authors who are
// gone, because deleting the actor covers their statuses.
std::optional<DeliveryScope> delivery_scope(db::Read&, StatusId);

// The recipients. Of a deleted status also those who may have received it in other ways than its visibility says.
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
// The inbox for what goes to many: the shared one where there is one.
std::string wide_inbox_of(db::Read&, AccountId);

BOOST_DEFINE_ENUM_CLASS(ActivityKind, create, announce, update, delete_, undo_announce, add, remove)

// Delivers a recorded activity, to each inbox once, some in a step, in the order of their addresses: up to `told` they have
// it. `unless_deleted` is a status whose end makes it pointless and whose recipients are kept, `ended` one whose recipients
// are not needed when all of them were told, `except` an inbox that has it already. What tells of that status (`kind`), or of a `profile`,
// was written when they were of this `version`.
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

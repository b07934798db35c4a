// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers that moderators apply: all follows between local accounts and the servers that a list
// suspends end, for many accounts at a time, so that counters are updated once. Nothing is delivered, because
// suspended servers receive nothing. The caller (moderation/server_lists) keeps the progress.
#pragma once
#include "social/instance/list_rule.hpp"
#include "social/relationships/severance.hpp"

#include <map>
#include <span>

namespace relationships {

using instance::ListBatchId;

// Follows of local accounts that ended together, and followers that an account lost.
struct EndedFollows {
    AccountId account;
    std::vector<AccountId> targets;
};
DESCRIBE(EndedFollows, account, targets)
struct FollowsSevered {
    std::vector<EndedFollows> people;
};
DESCRIBE(FollowsSevered, people)
std::vector<AccountId> all_targets(const FollowsSevered&);
struct FollowersSevered {
    AccountId account;
    std::vector<AccountId> followers;
};
DESCRIBE(FollowersSevered, account, followers)

// The servers that a list has suspended.

void note_list_servers(db::Write&, ListBatchId, const std::vector<std::string>& servers);
std::vector<std::string> servers_of_list(db::Read&, ListBatchId, std::string_view after, int limit);

// The local accounts with follows from or to them.

struct ListPerson {
    AccountId account;
    SeveranceId severance;  // the event that notifies them, if there is one
};
DESCRIBE(ListPerson, account, severance)
// Local accounts with a follow or follow request from or to one of these accounts, not yet recorded for the
// list.
std::vector<AccountId> people_tied_to(db::Read&, ListBatchId, const std::vector<AccountId>& there);
void note_list_person(db::Write&, ListBatchId, AccountId);
std::vector<ListPerson> people_of_list(db::Read&, ListBatchId, AccountId from, int limit);
// The same, only accounts that lost something, with greater ids than `after`.
std::vector<ListPerson> losers_of_list(db::Read&, ListBatchId, AccountId after, int limit);

// The follows and requests between them.

BOOST_DEFINE_ENUM_CLASS(TieKind, following, followers, asking, asked)

struct ListTie {
    base::FollowId id;  // of the follow or the request
    TieKind kind = TieKind::following;
    ListPerson person;
    AccountId there;
};
// With suspended accounts on servers of the list; by id.
std::vector<ListTie> ties_of_person(
    db::Read&, ListBatchId, const ListPerson&, TieKind, std::int64_t after, int limit
);

// Sorts follows first, and by their position in the database: the rows of one person are scattered across the
// table, so deleting them one by one wrote five pages each.
void put_in_order(std::vector<ListTie>&);
// As many of them, in that order, as one call of sever() handles in some milliseconds.
std::span<const ListTie> next_ties(std::span<const ListTie>);

// What a change has removed.
struct TiesEnded {
    struct OfPerson {
        SeveranceId event;
        std::vector<AccountId> following, followers;
    };
    std::map<AccountId, OfPerson> people;
    std::vector<AccountId> lost_follower, lost_followed;  // remote accounts, listed once per lost follow
};
// Removes the ties that still exist. conclude() handles the consequences once for the whole change.
void sever(db::Write&, ListBatchId, std::span<const ListTie>, TiesEnded&);

struct FollowsEnded {
    std::int64_t following = 0, followers = 0;
};
// `list`: its name, shown to the affected people.
FollowsEnded conclude(db::Write&, std::string_view list, const TiesEnded&);

// Restoring them when the list is undone.

std::vector<AccountId> severed_by_list(db::Read&, SeveranceId, AccountId after, int limit);
// Sends a follow request again; returns false if the rules forbid it now.
bool follow_again(db::Write&, const ListPerson&, AccountId there);

// Deleting them after a month.

// Deletes some hundred rows; returns false if nothing is left.
bool forget_list(db::Write&, ListBatchId);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_list_people;

}  // namespace relationships

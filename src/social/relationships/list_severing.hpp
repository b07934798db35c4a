// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers that moderators apply: all follows with the servers that a list suspends end, those of many people of
// this site together, so that what is counted of them is counted once. Nothing is sent: nobody there would be heard or told.
// Who goes through the list says how far (moderation/server_lists).
#pragma once
#include "social/instance/list_rule.hpp"
#include "social/relationships/severance.hpp"

#include <map>
#include <span>

namespace relationships {

using instance::ListBatchId;

// Follows of people here that ended together, and followers that somebody lost.
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

// ---- the servers that a list has suspended ----

void note_list_servers(db::Write&, ListBatchId, const std::vector<std::string>& servers);
std::vector<std::string> servers_of_list(db::Read&, ListBatchId, std::string_view after, int limit);

// ---- the people here who have to do with them ----

struct ListPerson {
    AccountId account;
    SeveranceId severance;  // the event that tells them, if there is one
};
DESCRIBE(ListPerson, account, severance)
// Who follows one of these accounts, or is followed by one, asked or accepted, and is not noted for the list yet.
std::vector<AccountId> people_tied_to(db::Read&, ListBatchId, const std::vector<AccountId>& there);
void note_list_person(db::Write&, ListBatchId, AccountId);
std::vector<ListPerson> people_of_list(db::Read&, ListBatchId, AccountId from, int limit);
// The same, of those alone who lost something, with greater ids than `after`.
std::vector<ListPerson> losers_of_list(db::Read&, ListBatchId, AccountId after, int limit);

// ---- what they have to do with them ----

BOOST_DEFINE_ENUM_CLASS(TieKind, following, followers, asking, asked)

struct ListTie {
    base::FollowId id;  // of the follow or the request
    TieKind kind = TieKind::following;
    ListPerson person;
    AccountId there;
};
// With accounts that are suspended, of servers of the list; by id.
std::vector<ListTie> ties_of_person(
    db::Read&, ListBatchId, const ListPerson&, TieKind, std::int64_t after, int limit
);

// Follows first, and what lies beside each other in the database together: ties of a person are all over what is kept of
// accounts elsewhere, so that each one that ended by itself wrote five pages.
void put_in_order(std::vector<ListTie>&);
// As many of them, in that order, as one call of sever() takes: some milliseconds.
std::span<const ListTie> next_ties(std::span<const ListTie>);

// What has ended in a change.
struct TiesEnded {
    struct OfPerson {
        SeveranceId event;
        std::vector<AccountId> following, followers;
    };
    std::map<AccountId, OfPerson> people;
    std::vector<AccountId> lost_follower, lost_followed;  // there, each as often as it lost one
};
// Those that are still there end. What follows from that is done by conclude(), once for all of a change.
void sever(db::Write&, ListBatchId, std::span<const ListTie>, TiesEnded&);

struct FollowsEnded {
    std::int64_t following = 0, followers = 0;
};
// `list`: what people are told.
FollowsEnded conclude(db::Write&, std::string_view list, const TiesEnded&);

// ---- and again, when the list is undone ----

std::vector<AccountId> severed_by_list(db::Read&, SeveranceId, AccountId after, int limit);
// Whom the person followed is asked again; false: the rules refuse now.
bool follow_again(db::Write&, const ListPerson&, AccountId there);

// ---- and no more, after a month ----

// False: nothing is left of it. Some hundred rows at a time.
bool forget_list(db::Write&, ListBatchId);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_list_people;

}  // namespace relationships

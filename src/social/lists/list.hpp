// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists: some of the accounts that an account follows, with a timeline of their own
// (timelines/followed_feed.hpp). Members of an exclusive list are left out of home. Each change increases the
// owner's relations_version.
#pragma once
#include "base/page.hpp"
#include "social/relationships/list_severing.hpp"
#include "social/relationships/move.hpp"
#include "social/relationships/relationship.hpp"

#include <memory>
#include <unordered_set>

namespace lists {

using base::AccountId;
using ListId = base::Id<struct ListTag>;

// Which replies a list shows: those to anybody its owner follows, to other members, or none.
BOOST_DEFINE_ENUM_CLASS(RepliesPolicy, followed, list, none)

struct List {
    ListId id;
    std::string title;
    RepliesPolicy replies_policy = RepliesPolicy::list;
    bool exclusive = false;
};
DESCRIBE(List, id, title, replies_policy, exclusive)

// Values that are not given stay unchanged.
struct Changes {
    std::optional<std::string> title;
    std::optional<RepliesPolicy> replies_policy;
    std::optional<bool> exclusive;
};

std::vector<List> lists_of(db::Read&, AccountId owner);
std::vector<List> lists_with(db::Read&, AccountId owner, AccountId member);
List list(db::Read&, AccountId owner, ListId);  // throws NotFound, also for somebody else's list

ListId create(db::Write&, AccountId me, const Changes&);  // throws Invalid: title, limit
void change(db::Write&, AccountId me, ListId, const Changes&);
void remove(db::Write&, AccountId me, ListId);

// All or none. Throws NotFound (list or account unknown), Invalid (not followed, already a member).
void add_members(db::Write&, AccountId me, ListId, std::vector<AccountId>);
void remove_members(db::Write&, AccountId me, ListId, const std::vector<AccountId>&);

// By account id, without suspended accounts.
std::vector<AccountId> members(db::Read&, ListId, const base::Range&);

// The members of this account's exclusive lists; cached by its relations_version. Never null.
std::shared_ptr<const std::unordered_set<AccountId>> exclusive_members(
    db::Read&, AccountId owner, std::int64_t relations_version
);

// Reactions: accounts that are neither followed nor requested any more are removed from all lists.
void take_moved_along(db::Write&, const relationships::FollowTakenAlong&);
void drop_unfollowed(db::Write&, const relationships::Unfollowed&);
void drop_severed(db::Write&, const relationships::FollowsSevered&);
void drop_refused(db::Write&, const relationships::FollowRequestAnswered&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_list_members;
extern const db::Command drop_own_lists;

}  // namespace lists

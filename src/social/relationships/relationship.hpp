// SPDX-License-Identifier: AGPL-3.0-or-later
// Who follows, asks to follow, blocks and mutes whom: the rules. Every change here also moves the relations_version of
// those whose relationships changed (viewer_relationships.hpp).
#pragma once
#include "base/page.hpp"
#include "social/accounts/account_list.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/accounts/users/user.hpp"

namespace relationships {

using base::AccountId;
using base::BlockId;
using base::FollowId;
using base::FollowRequestId;
using base::Time;

// Options of a follow; what is not given stays as it is (for a new follow: reblogs shown, no notice, all languages).
struct FollowOptions {
    std::optional<bool> reblogs, notify;
    std::optional<std::vector<std::string>> languages;  // empty: all
};

// Events
struct Followed {
    FollowId follow;
    AccountId account, target;
};
DESCRIBE(Followed, follow, account, target)
struct FollowRequested {
    AccountId account, target;
};
DESCRIBE(FollowRequested, account, target)
struct FollowRequestAnswered {
    AccountId account, target;
    bool accepted = false;    // else refused or taken back
    bool taken_back = false;  // by who asked
    FollowRequestId request;
    std::string uri;  // of the Follow, where it is not made of the number of the request
};
DESCRIBE(FollowRequestAnswered, account, target, accepted, taken_back, request, uri)
struct Unfollowed {
    AccountId account, target;
    bool refused = false;  // by the target
    FollowId follow;
    std::string uri;  // of the Follow between two servers
};
DESCRIBE(Unfollowed, account, target, refused, follow, uri)
// Somebody of another server wants to follow and may not (target 0: the server itself), or does already.
struct FollowRefused {
    AccountId account, target;
    std::string uri;
};
DESCRIBE(FollowRefused, account, target, uri)
struct FollowRepeated {
    AccountId account, target;
    std::string uri;
};
DESCRIBE(FollowRepeated, account, target, uri)
// Another server believes that this local account follows somebody there.
struct FollowDisowned {
    AccountId account, target;
};
DESCRIBE(FollowDisowned, account, target)
struct Blocked {
    AccountId account, target;
};
DESCRIBE(Blocked, account, target)
struct Unblocked {
    AccountId account, target;
    BlockId block;
};
DESCRIBE(Unblocked, account, target, block)
struct Muted {
    AccountId account, target;
    bool notifications = true;
};
DESCRIBE(Muted, account, target, notifications)

// What the rules need to know about a pair of accounts.
struct PairState {
    bool following = false, requested = false, blocking = false, blocked_by = false, blocking_domain = false;
};
DESCRIBE(PairState, following, requested, blocking, blocked_by, blocking_domain)
PairState pair_state(db::Read&, AccountId account, AccountId target);

// True when something new began (a follow or a request), false when only options changed.
// Throws Forbidden (self, blocked either way, blocked domain, moved target), NotFound (suspended), Invalid (limit).
// `uri`: of the Follow that came from another server.
bool follow(db::Write&, AccountId me, AccountId target, const FollowOptions&, std::string_view uri = {});
void unfollow(db::Write&, AccountId me, AccountId target);  // or takes the request back
void remove_follower(db::Write&, AccountId me, AccountId follower);
void refuse(db::Write&, AccountId me, AccountId follower);              // also one who only asks to follow
void authorize_request(db::Write&, AccountId me, AccountId requester);  // throws NotFound
void reject_request(db::Write&, AccountId me, AccountId requester);     // throws NotFound
// Whoever accepted a follow takes that back: the follow is a request again.
void withdraw_acceptance(db::Write&, AccountId me, AccountId follower);

// Two accounts by the id of the Follow or Block between them.
struct AccountPair {
    AccountId account, target;
};
DESCRIBE(AccountPair, account, target)
std::optional<AccountPair> followed_by(db::Read&, std::string_view uri);  // also while it is a request
std::optional<AccountPair> followed_by_number(db::Read&, FollowRequestId);
std::optional<AccountPair> blocked_by(db::Read&, std::string_view uri);

void block(db::Write&, AccountId me, AccountId target, std::string_view uri = {});
void unblock(db::Write&, AccountId me, AccountId target);
// `seconds` 0: for ever.
void mute(db::Write&, AccountId me, AccountId target, bool notifications, std::int64_t seconds);
void mute_until(db::Write&, AccountId me, AccountId target, bool notifications, std::optional<Time> until);
void unmute(db::Write&, AccountId me, AccountId target);
void purge_mutes(db::Write&);  // periodic: those that have expired

// ---- for timelines: how far a follow's older statuses are in home (docs/decisions/0007) ----
struct Backfill {
    FollowId follow;
    AccountId target;
    std::int64_t below = 0;
};
DESCRIBE(Backfill, follow, target, below)
std::vector<Backfill> backfills(db::Read&, AccountId follower);
std::optional<Backfill> backfill(db::Read&, FollowId);
void set_backfill(db::Write&, FollowId, std::int64_t below);

// Who unlocks their account accepts all who wait to follow it, but for limited accounts, chunk after chunk.

// Event: more are waiting than are accepted at once.
struct AcceptPendingContinued {
    AccountId account;
    FollowRequestId after;
};
DESCRIBE(AcceptPendingContinued, account, after)

// Reactions
void accept_pending(db::Write&, const accounts::Unlocked&);
void continue_accepting_pending(db::Write&, const AcceptPendingContinued&);

// Accounts that somebody features on their profile, and private notes about accounts. Neither is federated.
void endorse(db::Write&, base::AccountId me, base::AccountId target);  // throws Invalid: not followed
void unendorse(db::Write&, base::AccountId me, base::AccountId target);
extern const db::Command delete_endorsement;  // by $1 of $2

// By account id, greatest first; the cursor is the account. Without suspended ones.
std::vector<accounts::ListedAccount> endorsements(db::Read&, base::AccountId by, const base::Range&);

// A blank comment removes the note. Throws Invalid: too long.
void set_note(db::Write&, base::AccountId me, base::AccountId about, std::string_view comment);

// Reaction to a new user: follows who invited them, where the invite says so.
void follow_inviter(db::Write&, const accounts::Activated&);

}  // namespace relationships

// SPDX-License-Identifier: AGPL-3.0-or-later
// The rules of follows, follow requests, blocks and mutes. Every change here also increases the
// relations_version of the accounts concerned (viewer_relationships.hpp).
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

// Options of a follow; values that are not given stay unchanged (for a new follow: reblogs shown, no
// notifications, all languages).
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
    bool accepted = false;    // otherwise rejected or withdrawn
    bool taken_back = false;  // by the requester
    FollowRequestId request;
    std::string uri;  // of the Follow, if it is not derived from the request's id
};
DESCRIBE(FollowRequestAnswered, account, target, accepted, taken_back, request, uri)
struct Unfollowed {
    AccountId account, target;
    bool refused = false;  // by the target
    FollowId follow;
    std::string uri;  // of the Follow, if one side is remote
};
DESCRIBE(Unfollowed, account, target, refused, follow, uri)
// A remote account tried to follow and may not (target 0: the server itself), or follows already.
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
// Another server wrongly believes that this local account follows an account there.
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

// Returns true if a follow or request was created, false if only options changed. Throws Forbidden (self,
// blocked either way, blocked domain, moved target), NotFound (suspended), Invalid (limit). `uri`: of the
// Follow received from another server.
bool follow(db::Write&, AccountId me, AccountId target, const FollowOptions&, std::string_view uri = {});
void unfollow(db::Write&, AccountId me, AccountId target);  // or withdraws the request
void remove_follower(db::Write&, AccountId me, AccountId follower);
void refuse(db::Write&, AccountId me, AccountId follower);              // also a follow request
void authorize_request(db::Write&, AccountId me, AccountId requester);  // throws NotFound
void reject_request(db::Write&, AccountId me, AccountId requester);     // throws NotFound
// Withdraws the acceptance of a follow, which becomes a request again.
void withdraw_acceptance(db::Write&, AccountId me, AccountId follower);

// Two accounts, by the id of the Follow or Block between them.
struct AccountPair {
    AccountId account, target;
};
DESCRIBE(AccountPair, account, target)
std::optional<AccountPair> followed_by(db::Read&, std::string_view uri);  // also a follow request
std::optional<AccountPair> followed_by_number(db::Read&, FollowRequestId);
std::optional<AccountPair> blocked_by(db::Read&, std::string_view uri);

void block(db::Write&, AccountId me, AccountId target, std::string_view uri = {});
void unblock(db::Write&, AccountId me, AccountId target);
// `seconds` 0: forever.
void mute(db::Write&, AccountId me, AccountId target, bool notifications, std::int64_t seconds);
void mute_until(db::Write&, AccountId me, AccountId target, bool notifications, std::optional<Time> until);
void unmute(db::Write&, AccountId me, AccountId target);
void purge_mutes(db::Write&);  // periodic: deletes expired ones

// For timelines: how far the older statuses of a followed account are in home (docs/decisions/0007).
struct Backfill {
    FollowId follow;
    AccountId target;
    std::int64_t below = 0;
};
DESCRIBE(Backfill, follow, target, below)
std::vector<Backfill> backfills(db::Read&, AccountId follower);
std::optional<Backfill> backfill(db::Read&, FollowId);
void set_backfill(db::Write&, FollowId, std::int64_t below);

// Unlocking an account accepts all pending follow requests, except those of limited accounts, in chunks.

// Event: more requests are pending than are accepted at once.
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

// Reaction to a new user: follows the inviter, if the invite says so.
void follow_inviter(db::Write&, const accounts::Activated&);

}  // namespace relationships

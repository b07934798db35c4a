// SPDX-License-Identifier: AGPL-3.0-or-later
// Activities of actors about themselves: profiles, deletions, pins, moves.
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/inbox/incoming_posts.hpp"
#include "social/statuses/interactions/pin.hpp"

namespace federation {

using base::AccountId;
using base::StatusId;

// The actor is fetched, so that its keys and its handle are verified as for a new one.
std::optional<AccountId> updated_actor(const base::Ask& ask, db::Read&, const ap::Incoming& in) {
    accounts::Resolve again{in.activity.actor};
    again.again = true;
    const auto& found = ask(again);
    reschedule_or_fail(found);
    return in.actor;
}

// Already stored by the answer to the question.
bool take_profile(db::Write&, const AccountId&) { return true; }

std::optional<AccountId> deleted_actor(db::Read&, const ap::Incoming& in) { return in.actor; }

bool take_account_deletion(db::Write& db, const AccountId& account) {
    accounts::delete_remote(db, account);
    return true;
}

namespace {

bool is_their_own_list(db::Read& db, const ap::Incoming& in) {
    auto actor = stored_actor(db, in.actor);
    return actor && !actor->featured.empty() && in.activity.target.id == actor->featured;
}

std::optional<PinnedPost> own_post(db::Read& db, AccountId actor, std::optional<StatusId> id) {
    auto status = id ? statuses::find_status(db, *id) : std::nullopt;
    if (!status || status->account_id != actor || status->reblog_of_id) return std::nullopt;
    return PinnedPost{actor, status->id};
}

}  // namespace

std::optional<PinnedPost> pinned_post(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    if (!is_their_own_list(db, in)) return std::nullopt;
    const auto& uri = in.activity.object.id;
    auto id = statuses::find_by_uri(db, uri);
    if (!id && !uri.empty())
        if (auto found = ask(accounts::Resolve{uri, {}, false, 0, false, in.activity.actor}); found.status)
            id = found.status;
    return own_post(db, in.actor, id);
}

bool take_pin(db::Write& db, const PinnedPost& post) {
    statuses::pin(db, post.account, post.status);
    return true;
}

std::optional<PinnedPost> unpinned_post(db::Read& db, const ap::Incoming& in) {
    if (!is_their_own_list(db, in)) return std::nullopt;
    return own_post(db, in.actor, statuses::find_by_uri(db, in.activity.object.id));
}

bool take_unpin(db::Write& db, const PinnedPost& post) {
    statuses::unpin(db, post.account, post.status);
    return true;
}

namespace {

// The old account's server may be gone: then the last known movedTo is used.
std::optional<AccountId> left_for(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& activity = in.activity;
    auto known = accounts::find_by_uri(db, activity.object.id);
    if (!known || *known == in.actor || accounts::account(db, *known).local()) return std::nullopt;
    if (moved_lately(db, *known)) return std::nullopt;
    accounts::Resolve again{activity.object.id};
    again.again = true;
    again.depth = 1;  // without pins and movedTo: another actor caused the fetch
    if (const auto& found = ask(again); found.busy_for > 0) reschedule_or_fail(found);
    return named_move_of(db, *known) == activity.actor ? known : std::nullopt;
}

}  // namespace

std::optional<MovedActor> moved_actor(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& activity = in.activity;
    std::optional<AccountId> account;
    if (activity.object.id == activity.actor) account = in.actor;
    else if (activity.target.id == activity.actor) account = left_for(ask, db, in);
    if (!account || activity.target.id.empty() || moved_lately(db, *account)) return std::nullopt;
    auto target = confirmed_target(ask, db, *account, activity.target.id);
    return target ? std::optional(MovedActor{*account, *target}) : std::nullopt;
}

}  // namespace federation

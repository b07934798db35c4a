// SPDX-License-Identifier: AGPL-3.0-or-later
// Activities about posts, boosts and profiles. A preparing function returns an empty result when there is
// nothing to do; an acting one returns whether it found its object.
#pragma once
#include "ap/incoming.hpp"
#include "base/ask.hpp"
#include "social/federation/moving/moving.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

// Create: a post that concerns a local account.
std::optional<statuses::RemoteStatus> created_post(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_post(db::Write&, const statuses::RemoteStatus&);

// Update: of a known post, or of a recent one that concerns a local account.
std::optional<statuses::RemoteStatus> updated_post(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_edit(db::Write&, const statuses::RemoteStatus&);

struct EndedPost {
    base::AccountId account;
    std::string uri;
};
std::optional<EndedPost> deleted_post(db::Read&, const ap::Incoming&);
bool take_end(db::Write&, const EndedPost&);

// An Announce of an Update or Delete, as groups send it, of a post that is known here. The server of the post
// is asked what happened, whatever is embedded, unless it is itself the announcer of its author's Delete. The
// Announce of a Delete also undoes the announcer's boost of the post.
struct AnnouncedChange {
    base::AccountId by;
    base::StatusId post;
    bool ends = false;
    bool vanished = false;  // according to the post's own server
};
std::optional<AnnouncedChange> announced_change(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_change(db::Write&, const AnnouncedChange&);

// Announce: by an account that somebody here follows, of a known post or one that is fetched from its own
// server; or by anybody, of a local post. The Announce of the Create of a reply is no boost.
std::optional<statuses::RemoteReblog> announced_post(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_boost(db::Write&, const statuses::RemoteReblog&);

// Update and Delete of the actor itself.
std::optional<base::AccountId> updated_actor(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_profile(db::Write&, const base::AccountId&);
std::optional<base::AccountId> deleted_actor(db::Read&, const ap::Incoming&);
bool take_account_deletion(db::Write&, const base::AccountId&);

// Add and Remove: pins.
struct PinnedPost {
    base::AccountId account;
    base::StatusId status;
};
std::optional<PinnedPost> pinned_post(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_pin(db::Write&, const PinnedPost&);
std::optional<PinnedPost> unpinned_post(db::Read&, const ap::Incoming&);
bool take_unpin(db::Write&, const PinnedPost&);

// Move: to an account whose alsoKnownAs lists this one. The new account may send it, too, when the old one
// names it.
std::optional<MovedActor> moved_actor(const base::Ask&, db::Read&, const ap::Incoming&);

}  // namespace federation

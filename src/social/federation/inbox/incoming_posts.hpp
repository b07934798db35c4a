// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts, boosts and profiles as other servers send them: from the activity to what is stored. A preparing function
// answers nothing where there is nothing to do here; an acting one says whether it found what it was about.
#pragma once
#include "ap/incoming.hpp"
#include "base/ask.hpp"
#include "social/federation/moving/moving.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

// Create: a post that concerns somebody here.
std::optional<statuses::RemoteStatus> created_post(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_post(db::Write&, const statuses::RemoteStatus&);

// Update: one that is known, or young and concerns somebody here.
std::optional<statuses::RemoteStatus> updated_post(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_edit(db::Write&, const statuses::RemoteStatus&);

struct EndedPost {
    base::AccountId account;
    std::string uri;
};
std::optional<EndedPost> deleted_post(db::Read&, const ap::Incoming&);
bool take_end(db::Write&, const EndedPost&);

// An Announce of an Update or Delete, as groups send it, of a post that is known here. The server of the post is asked what
// happened, whatever is embedded, unless it is itself the announcer of its author's Delete. Who announces a Delete also
// takes back their own boost of the post.
struct AnnouncedChange {
    base::AccountId by;
    base::StatusId post;
    bool ends = false;
    bool vanished = false;  // as its own server says in this
};
std::optional<AnnouncedChange> announced_change(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_change(db::Write&, const AnnouncedChange&);

// Announce: of a post that is known here or is fetched from its own server, by somebody whom somebody here follows, or
// of a post that was written here. The Create of an answer is no boost of it.
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

// Move: to an account that lists this one among its own. The new account may say so, too, when the old one names it.
std::optional<MovedActor> moved_actor(const base::Ask&, db::Read&, const ap::Incoming&);

}  // namespace federation

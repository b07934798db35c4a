// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/interactions_ap.hpp"

#include "base/uris.hpp"
#include "social/former/former.hpp"
#include "social/statuses/interactions/rejection.hpp"

namespace statuses {

std::optional<Rejection> rejected_interaction(db::Read& db, const ap::Incoming& in) {
    using base::uris::Kind;
    const auto& object = in.activity.object;
    const auto requested = object.embedded ? object.embedded["instrument"].id() : std::string();
    const auto ours = former::ours(db, requested.empty() ? object.id : requested);
    if (!ours) {
        // An imported Like has the id that it had on the former server.
        auto like = favourite_named(db, requested.empty() ? object.id : requested);
        return like ? std::optional(Rejection{in.actor, *like, {}}) : std::nullopt;
    }
    if (ours->kind == Kind::action && ours->action == "likes") return Rejection{in.actor, {ours->id}, {}};
    if (ours->kind == Kind::status || ours->kind == Kind::activity)
        return Rejection{in.actor, {}, ours->status()};
    return std::nullopt;
}

bool take_rejection(db::Write& db, const Rejection& what) {
    if (what.favourite) return reject_favourite(db, what.author, what.favourite);
    return reject_boost(db, what.author, what.status) || reject_reply(db, what.author, what.status);
}

}  // namespace statuses

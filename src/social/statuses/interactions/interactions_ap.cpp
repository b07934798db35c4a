// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/interactions_ap.hpp"

#include "base/uris.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/remote/remote.hpp"

namespace statuses {

namespace {

std::optional<StatusId> find_local(db::Read& db, std::string_view uri) {
    if (!base::uris::is_ours(db.site(), uri)) return std::nullopt;
    return find_by_uri(db, uri);
}

}  // namespace

std::optional<Liking> liked_status(db::Read& db, const ap::Incoming& in) {
    auto status = find_local(db, in.activity.object.id);
    if (!status) return std::nullopt;
    return Liking{in.actor, *status, in.activity.id, !ap::reaction_of(in.activity).empty()};
}

bool take_like(db::Write& db, const Liking& like) {
    statuses::like(db, like);
    return true;
}

namespace {

std::optional<Liking> undone(const ap::Incoming& in, std::optional<StatusId> status) {
    auto what = ap::inner(in);
    if (!what.actor.empty() && what.actor != in.activity.actor) return std::nullopt;
    if (what.id.empty() && !status) return std::nullopt;
    return Liking{in.actor, status.value_or(StatusId{}), what.id};
}

}  // namespace

std::optional<Liking> unliked_status(db::Read& db, const ap::Incoming& in) {
    return undone(in, find_local(db, ap::inner(in).object));
}

bool take_undo_like(db::Write& db, const Liking& like) { return withdraw_remote_favourite(db, like); }

std::optional<Liking> unboosted_status(db::Read& db, const ap::Incoming& in) {
    auto original = ap::inner(in).object;
    return undone(in, original.empty() ? std::nullopt : find_by_uri(db, original));
}

bool take_undo_announce(db::Write& db, const Liking& boost) {
    if (!boost.uri.empty()) {
        if (auto known = find_by_uri(db, boost.uri)) {
            auto status = find_status(db, *known);
            if (!status || status->account_id != boost.account || !status->reblog_of_id) return false;
            remove_remote(db, boost.account, boost.uri);
            return true;
        }
    }
    if (!boost.status || !reblog_by(db, boost.account, boost.status)) return false;
    unreblog(db, boost.account, boost.status);
    return true;
}

std::optional<RemoteVote> vote_on_status(db::Read& db, const ap::Incoming& in) {
    const auto& note = in.activity.object.embedded;
    if (!note || !note.node().is("Note")) return std::nullopt;
    auto name = note["name"].text(2048);
    if (name.empty() || !note["content"].text(1).empty()) return std::nullopt;
    if (auto voter = note["attributedTo"].id(); !voter.empty() && voter != in.activity.actor)
        return std::nullopt;
    auto id = find_local(db, note["inReplyTo"].id());
    if (!id) return std::nullopt;
    auto poll = find_poll(db, *id);
    if (!poll) return std::nullopt;
    for (std::size_t i = 0; i < poll->options.size(); ++i)
        if (poll->options[i].title == name) return RemoteVote{in.actor, *id, static_cast<std::int64_t>(i)};
    return std::nullopt;
}

bool take_vote(db::Write& db, const RemoteVote& vote_on_status) {
    vote(db, vote_on_status.account, vote_on_status.poll, {vote_on_status.choice});
    return true;
}

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/incoming_replies.hpp"

#include "ap/url.hpp"
#include "base/uris.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/fetch/read_status.hpp"
#include "social/federation/inbox/incoming_quotes.hpp"

namespace federation {

std::optional<statuses::RemoteStatus> reply_wanted(
    const base::Ask& ask, db::Read& db, const ap::Incoming& in
) {
    const auto& activity = in.activity;
    const auto& reply = activity.instrument.id;
    if (activity.id.empty() || !has_our_host(db.site(), activity.object.id)) return std::nullopt;
    if (!ap::same_host(reply, activity.actor)) return std::nullopt;
    auto parent = statuses::find_by_uri(db, activity.object.id);
    if (!parent || !statuses::written_here(db, *parent)) return std::nullopt;
    auto object = instrument(ask, db, in);
    if (!object || object->id != reply || statuses::find_by_uri(db, object->in_reply_to) != parent)
        return std::nullopt;
    auto out = status_of(db, *object, in.actor, activity.audience, {});
    out.delivered = true;
    out.reply_request = activity.id;
    statuses::judge(db, out);
    return out;
}

bool take_reply_request(db::Write& db, const statuses::RemoteStatus& reply) {
    auto stored = statuses::store_remote(db, reply);
    if (stored && !stored->created) statuses::answer_reply_again(db, stored->id, reply.reply_request);
    return true;
}

namespace {

// The local reply that a remote author answers to: named itself, or by its request.
std::optional<base::StatusId> own_reply(db::Read& db, const ap::Reference& object) {
    bool request = object.embedded && object.embedded.node().is("ReplyRequest");
    auto requested = request ? object.embedded["instrument"].id() : std::string();
    auto ours = base::uris::ours(db.site(), requested.empty() ? object.id : requested);
    using base::uris::Kind;
    if (!ours || (ours->kind != Kind::status && ours->kind != Kind::activity)) return std::nullopt;
    return ours->status();
}

}  // namespace

std::optional<ReplyVerdict> allowed_reply(db::Read& db, const ap::Incoming& in) {
    constexpr std::size_t longest_authorization_uri = 2048;
    // GoToSocial's Accept of a reply names no authorization: it can be fetched and serves as one.
    const auto& named = in.activity.result.id;
    const auto& authorization_uri = named.empty() ? in.activity.id : named;
    if (authorization_uri.empty() || authorization_uri.size() > longest_authorization_uri ||
        !ap::same_host(authorization_uri, in.activity.actor))
        return std::nullopt;
    auto reply = own_reply(db, in.activity.object);
    auto approval = reply ? statuses::reply_approval_of(db, *reply) : std::nullopt;
    if (!approval || !approval->account_local || approval->author != in.actor) return std::nullopt;
    return ReplyVerdict{*reply, authorization_uri};
}

bool take_reply_authorization(db::Write& db, const ReplyVerdict& verdict) {
    return statuses::authorize_reply(db, verdict.reply, verdict.authorization_uri);
}

std::optional<ReplyVerdict> revoked_reply(db::Read& db, const ap::Incoming& in) {
    if (in.activity.object.id.empty()) return std::nullopt;
    auto approval = statuses::reply_approval_by_uri(db, in.actor, in.activity.object.id);
    if (!approval) return std::nullopt;
    return ReplyVerdict{approval->reply, {}};
}

bool take_reply_end(db::Write& db, const ReplyVerdict& verdict) {
    statuses::revoke_reply(db, verdict.reply);
    return true;
}

}  // namespace federation

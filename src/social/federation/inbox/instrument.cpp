// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/instrument.hpp"

#include "social/federation/fetch/fetch.hpp"
#include "social/federation/fetch/read_status.hpp"

namespace federation {

std::optional<ap::Object> instrument(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& post = in.activity.instrument;
    auto document = post.embedded;
    if (!document || !ap::may_trust_embedded(in.activity, post)) {
        auto shown = fetch(ask, db, post.id, fetch_signer(db, in));
        if (shown.outcome == FetchOutcome::failed) throw base::Unavailable();
        if (shown.outcome != FetchOutcome::found || shown.id != post.id) return std::nullopt;
        document = shown.document;
    }
    auto object = ap::read_object(document, db.now(), in.activity.actor);
    if (!object || object->attributed_to != in.activity.actor || !is_status(*object)) return std::nullopt;
    return *std::move(object);
}

}  // namespace federation

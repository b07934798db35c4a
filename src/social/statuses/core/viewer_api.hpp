// SPDX-License-Identifier: AGPL-3.0-or-later
// What the API layer adds to the rules: the viewer of a request as an audience, and their posting defaults.
#pragma once
#include "base/describe.hpp"
#include "http/viewer.hpp"
#include "social/accounts/profile/posting_defaults.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/render/status_entity.hpp"

namespace statuses {

inline Audience audience(db::Read& db, const http::Viewer& me) {
    return audience(db, me.account, me.relations_version);
}
inline Audience audience(db::Read& db, const std::optional<http::Viewer>& me) {
    return me ? audience(db, *me) : nobody(db);
}

inline Visibility default_visibility(const accounts::PostingDefaults& defaults, bool locked) {
    auto usual = accounts::usual_privacy(defaults.privacy, locked);
    if (usual == "unlisted") return Visibility::unlisted;
    if (usual == "private") return Visibility::private_;
    if (usual == "direct") return Visibility::direct;
    return Visibility::public_;
}

inline QuotePolicy default_quote_policy(const accounts::PostingDefaults& defaults) {
    if (defaults.quote_policy == "followers") return QuotePolicy::followers;
    if (defaults.quote_policy == "nobody") return QuotePolicy::nobody;
    return QuotePolicy::public_;
}

inline ReplyPolicy default_reply_policy(const accounts::PostingDefaults& defaults) {
    using enum ReplyPolicy;
    for (auto policy : {followers, following, mentioned, nobody})
        if (defaults.reply_policy == base::word(policy)) return policy;
    return public_;
}

// The path that names a status, and the response to every change of one: the status after the change.
struct ById {
    StatusId id;
};
DESCRIBE(ById, id)

inline base::json::Raw show_changed(db::Read& db, const http::Viewer& me, const ById& path) {
    auto viewer = audience(db, me);
    return {json(db, viewer, visible_facts(db, viewer, path.id))};
}

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/verifying/fetch_key.hpp"

#include "ap/keys.hpp"
#include "ap/url.hpp"
#include "social/federation/fetch/fetch.hpp"

#include <algorithm>

namespace federation {

namespace {

ShownKey not_shown(FetchOutcome why, const VerifiedDocument& answer = {}) {
    ShownKey out;
    out.asked = answer.asked;
    out.retry_after = answer.retry_after;
    out.gone = why == FetchOutcome::gone;
    // A server that is being moved or repaired may answer 404 for a while, so it does not count as deletion.
    out.nowhere = why == FetchOutcome::refused || why == FetchOutcome::missing;
    return out;
}

std::optional<ap::Key> listed(const VerifiedDocument& actor, const std::string& key_id) {
    if (ap::kind_of(actor.document.node()) != ap::Kind::actor) return std::nullopt;
    auto keys = ap::read_keys(actor.document.node());
    auto found = std::ranges::find(keys, key_id, &ap::Key::id);
    // PeerTube uses the actor's id as that of its key: before version 7 in requests, and always in embedded
    // signatures.
    if (found == keys.end() && key_id == actor.id)
        found = std::ranges::find_if(keys, [&](const ap::Key& key) { return key.is_own(actor.id); });
    if (found == keys.end()) return std::nullopt;
    return *found;
}

ShownKey shown(const std::string& actor, const ap::Key& key, base::Time now) {
    bool over = key.expires && *key.expires < now;
    if (over || !key.known() || key.owner != actor) return not_shown(FetchOutcome::refused);
    return {actor, key.pem.empty() ? key.multibase : key.pem};
}

}  // namespace

ShownKey fetch_key(const base::Ask& ask, db::Read& db, const std::string& key_id) {
    auto first = fetch_of_key(ask, db, key_id);
    if (first.outcome != FetchOutcome::found) return not_shown(first.outcome, first);
    if (auto key = listed(first, key_id)) return shown(first.id, *key, db.now());
    // A document with the key only: its owner must list the key.
    auto alone = ap::read_key(first.document.node(), key_id);
    if (!alone || !ap::same_host(alone->owner, key_id)) return not_shown(FetchOutcome::refused);
    auto owner = fetch_of_key(ask, db, alone->owner);
    if (owner.outcome != FetchOutcome::found) return not_shown(owner.outcome, owner);
    auto key = listed(owner, key_id);
    if (!key || owner.id != alone->owner) return not_shown(FetchOutcome::refused);
    return shown(owner.id, key->known() ? *key : *alone, db.now());
}

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Staff's acts on lists of hashes of forbidden pictures.
#pragma once
#include "social/accounts/users/role.hpp"
#include "social/media/hashes/hash_list.hpp"

namespace moderation {

using media::HashListId;

struct HashListFacts {
    std::string name;
    media::HashEffect effect = media::HashEffect::quarantine;
    std::int64_t distance = media::usual_distance;
};

// Those that are not on the list yet. Slow for long lists.
media::Hashes new_on(db::Read&, HashListId, const media::Hashes&);

// Each needs manage_blocks. Throw Forbidden, Invalid and NotFound.
HashListId create_hash_list(db::Write&, const accounts::Actor&, const HashListFacts&, const media::Hashes&);
void change_hash_list(db::Write&, const accounts::Actor&, HashListId, const HashListFacts&);
void extend_hash_list(db::Write&, const accounts::Actor&, HashListId, const media::Hashes&);
void remove_hash_list(db::Write&, const accounts::Actor&, HashListId);

}  // namespace moderation

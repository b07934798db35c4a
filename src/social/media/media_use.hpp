// SPDX-License-Identifier: AGPL-3.0-or-later
// Changes of a status's media by an edit, and media as its history shows them.
#pragma once
#include "social/media/media.hpp"

namespace media {

// Of these ids, in no order; checks no visibility.
std::vector<Media> by_ids(db::Read&, const std::vector<MediaId>&);

// The change of one attachment.
struct Change {
    MediaId id;
    Changes changes;
};

// Whether an edit changes the media of a status, and the change. `wanted`: usable().
bool would_change(
    db::Read&, StatusId, const std::vector<MediaId>& wanted, const std::vector<Change>& changes
);
void replace(
    db::Write&, AccountId owner, StatusId, const std::vector<MediaId>& wanted,
    const std::vector<Change>& changes
);

}  // namespace media

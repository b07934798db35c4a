// SPDX-License-Identifier: AGPL-3.0-or-later
// Media of statuses of other servers: rows whose file is an address there. Copies are made when somebody looks
// (remote_file.hpp).
#pragma once
#include "social/media/media.hpp"
#include "social/media/store.hpp"

namespace media {

// As it came; all but the address may be missing.
struct RemoteMedia {
    std::string url, preview, mime, description, blurhash;
    std::int64_t width = 0, height = 0;
    std::optional<double> focus_x, focus_y, duration;
};
DESCRIBE(RemoteMedia, url, preview, mime, description, blurhash, width, height, focus_x, focus_y, duration)

// What the status shows from now on, in this order; what it showed before stays with it, for its history. False when
// that is how it was. Those without a web address are passed over.
bool put_remote(db::Write&, AccountId owner, StatusId, const std::vector<RemoteMedia>&);

// Fills in from our copy the dimensions that the origin left out, as Misskey always does. True if something changed.
bool complete_remote(db::Write&, StatusId, std::string_view url, const Stored& copy);

}  // namespace media

// SPDX-License-Identifier: AGPL-3.0-or-later
// Media of remote statuses: rows whose file is a remote address. Copies are made on demand (remote_file.hpp).
#pragma once
#include "social/media/media.hpp"
#include "social/media/store.hpp"

namespace media {

// As received; everything except the address may be missing.
struct RemoteMedia {
    std::string url, preview, mime, description, blurhash;
    std::int64_t width = 0, height = 0;
    std::optional<double> focus_x, focus_y, duration;
};
DESCRIBE(RemoteMedia, url, preview, mime, description, blurhash, width, height, focus_x, focus_y, duration)

// Whether the status shows something else than this.
bool shows_else(db::Read&, StatusId, const std::vector<RemoteMedia>&);
// What the status shows from now on, in this order; what it showed before stays with it, for its history. False when
// that is how it was. Those without a web address are passed over.
bool put_remote(db::Write&, AccountId owner, StatusId, const std::vector<RemoteMedia>&);

// Fills in dimensions that the origin omitted (Misskey always does) from our copy. Returns true if something
// changed.
bool complete_remote(db::Write&, StatusId, std::string_view url, const Stored& copy);

}  // namespace media

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

// Sets what the status shows, in this order; former media are kept for its history. Returns false if nothing
// changed. Media without a web address are skipped.
bool put_remote(db::Write&, AccountId owner, StatusId, const std::vector<RemoteMedia>&);

// Fills in dimensions that the origin omitted (Misskey always does) from our copy. Returns true if something
// changed.
bool complete_remote(db::Write&, StatusId, std::string_view url, const Stored& copy);

}  // namespace media

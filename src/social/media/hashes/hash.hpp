// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashes of all stored pictures, by original (store.hpp): added and removed with the files.
#pragma once
#include "db/session.hpp"
#include "jobs/sessions.hpp"
#include "social/media/store.hpp"

namespace media {

// Makes the store hash and look up every picture before it is visible. Must be called once, before the store
// is used.
void watch_pictures(Store&, const jobs::Sessions&);

void keep_hashes(db::Write&, const Stored&);
void forget_hashes(db::Write&, const std::vector<std::string>& files);
// Only the preview of this picture is kept: its hashes are moved from the original to the preview, and the
// original is deleted.
void keep_preview_alone(db::Write&, const std::string& original, const std::string& preview);

struct Hashed {
    std::string file;
    Print print;
};
std::vector<Hashed> hashes_of(db::Read&, const std::string& file);
// Hashes of some files after `file`, by name; all hashes of the last one are included.
std::vector<Hashed> hashes_after(db::Read&, const std::string& file, int most);
std::vector<std::string> files_with_sha256(
    db::Read&, std::string_view hex, const std::string& after, int most
);

// The stored and transmitted form: 32 bytes per hash, most significant bit first, as its digits are written.
std::string bytes_of(const sandbox::PdqBits&);
sandbox::PdqBits pdq_bits(std::string_view bytes);  // of 32 bytes

}  // namespace media

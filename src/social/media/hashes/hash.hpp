// SPDX-License-Identifier: AGPL-3.0-or-later
// The hashes of all that is stored, by its original (store.hpp): they come and go with the files.
#pragma once
#include "db/session.hpp"
#include "jobs/sessions.hpp"
#include "social/media/store.hpp"

namespace media {

// Has everything that the store makes hashed and looked up before anybody hears of it. To be called once, before the store is used.
void watch_pictures(Store&, const jobs::Sessions&);

void keep_hashes(db::Write&, const Stored&);
void forget_hashes(db::Write&, const std::vector<std::string>& files);
// Of this picture no more than its preview is shown and kept: what was known by the original is known by that, and the original goes.
void keep_preview_alone(db::Write&, const std::string& original, const std::string& preview);

struct Hashed {
    std::string file;
    Print print;
};
std::vector<Hashed> hashes_of(db::Read&, const std::string& file);
// Some of those behind a file, by name; all parts of the last one are among them.
std::vector<Hashed> hashes_after(db::Read&, const std::string& file, int most);
std::vector<std::string> files_with_sha256(
    db::Read&, std::string_view hex, const std::string& after, int most
);

// As they are stored and sent: 32 bytes a hash, the highest bit first, as its digits are written.
std::string bytes_of(const sandbox::PdqBits&);
sandbox::PdqBits pdq_bits(std::string_view bytes);  // of 32 bytes

}  // namespace media

// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of pictures that must not be here, known by their hashes alone. What is on a list is sealed in the database, and no function gives
// it to people. Who may change them, and the log of it: moderation/pictures.
#pragma once
#include "db/session.hpp"
#include "sandbox/pdq.hpp"

namespace media {

using HashListId = base::Id<struct HashListTag>;

// What becomes of a picture that is on it: nobody can reach it until the team has looked, or it is taken for one that cannot be read.
BOOST_DEFINE_ENUM_CLASS(HashEffect, quarantine, refuse)

constexpr int usual_distance = 31, most_distance = 64, least_quality = 50;
constexpr std::int64_t most_hash_lists = 50, most_hashes = 1'000'000;

struct HashList {
    HashListId id;
    std::string name;
    HashEffect effect = HashEffect::quarantine;
    std::int64_t distance = usual_distance, size = 0;
    base::Time created_at, updated_at;
};
DESCRIBE(HashList, id, name, effect, distance, size, created_at, updated_at)

using Sha256 = std::array<std::uint8_t, 32>;
struct Hashes {  // in order, each once
    std::vector<Sha256> sha256;
    std::vector<sandbox::PdqBits> pdq;
    std::int64_t size() const { return std::ssize(sha256) + std::ssize(pdq); }
    void settle();
    friend bool operator==(const Hashes&, const Hashes&) = default;
};

Hashes without(const Hashes&, const Hashes& known);

BOOST_DEFINE_ENUM_CLASS(HashKind, pdq, sha256)

// The hashes of a text: JSON, or CSV with a hash and its kind in each line, in any order; what stands beside them is left out. `kind`:
// of those that do not say their own. Takes time for long ones. Throws Invalid, which names the line.
struct ReadHashes {
    Hashes hashes;
    std::int64_t skipped = 0;  // of a kind that is not known here
};
constexpr std::size_t largest_hash_file = 8 << 20;
ReadHashes read_hashes(std::string_view text, std::optional<HashKind> kind);

// How far the nearest of these is from any symmetry of the picture, if that is no more than so many bits.
std::optional<int> nearest(const std::vector<sandbox::PdqBits>&, const sandbox::Pdq&, int distance);

// Of 64 hexadecimal digits; nothing: it is something else.
std::optional<sandbox::PdqBits> pdq_of_digits(std::string_view);
std::optional<Sha256> sha256_of_digits(std::string_view);

std::vector<HashList> hash_lists(db::Read&);  // by name
HashList hash_list(db::Read&, HashListId);    // throws NotFound
Hashes hashes_on(db::Read&, HashListId);      // throws Invalid when the key is another one

// Throw Invalid and NotFound.
HashListId add_hash_list(db::Write&, const std::string& name, HashEffect, std::int64_t distance);
void change_hash_list(db::Write&, HashListId, const std::string& name, HashEffect, std::int64_t distance);
void remove_hash_list(db::Write&, HashListId);
// Those that are on it already are left out by whoever asks hashes_on before. Answers the number of the first row of them.
void add_hashes(db::Write&, HashListId, const Hashes&);

void check_distance(std::int64_t);  // throws Invalid

// Some hashes as one text that nobody reads without the key, which there is from then on; and back. Throws Invalid for another key.
std::string sealed(db::Write&, const Hashes&);
Hashes unsealed(db::Read&, std::string_view);
Hashes hashes_of_row(std::string_view);  // not sealed any more

// Another one with every change; empty: there never was a list.
std::string hash_lists_version(db::Read&);

// With what hashes are sealed, and names in quarantine are made; nothing: there never was a list.
std::string picture_key(db::Read&);

}  // namespace media

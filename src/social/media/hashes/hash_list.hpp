// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of prohibited pictures, known only by their hashes. Their contents are encrypted in the database, and
// no function shows them to people. moderation/pictures decides who may change them, and logs it.
#pragma once
#include "db/session.hpp"
#include "sandbox/pdq.hpp"

namespace media {

using HashListId = base::Id<struct HashListTag>;

// The effect on a picture on the list: quarantined until the team has reviewed it, or rejected like an
// unreadable one.
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
struct Hashes {  // sorted, without duplicates
    std::vector<Sha256> sha256;
    std::vector<sandbox::PdqBits> pdq;
    std::int64_t size() const { return std::ssize(sha256) + std::ssize(pdq); }
    void settle();
    friend bool operator==(const Hashes&, const Hashes&) = default;
};

Hashes without(const Hashes&, const Hashes& known);

BOOST_DEFINE_ENUM_CLASS(HashKind, pdq, sha256)

// Reads hashes from JSON, or from CSV with one hash and its kind per line, in any order; other columns are
// ignored. `kind`: for hashes that do not state theirs. Slow for long texts. Throws Invalid, which names the
// line.
struct ReadHashes {
    Hashes hashes;
    std::int64_t skipped = 0;  // of an unknown kind
};
constexpr std::size_t largest_hash_file = 8 << 20;
ReadHashes read_hashes(std::string_view text, std::optional<HashKind> kind);

// The distance of the nearest hash from any symmetry of the picture, if it is at most `distance` bits.
std::optional<int> nearest(const std::vector<sandbox::PdqBits>&, const sandbox::Pdq&, int distance);

// Parses 64 hexadecimal digits; nullopt if it is something else.
std::optional<sandbox::PdqBits> pdq_of_digits(std::string_view);
std::optional<Sha256> sha256_of_digits(std::string_view);

std::vector<HashList> hash_lists(db::Read&);  // by name
HashList hash_list(db::Read&, HashListId);    // throws NotFound
Hashes hashes_on(db::Read&, HashListId);      // throws Invalid if the encryption key has changed

// They throw Invalid and NotFound.
HashListId add_hash_list(db::Write&, const std::string& name, HashEffect, std::int64_t distance);
void change_hash_list(db::Write&, HashListId, const std::string& name, HashEffect, std::int64_t distance);
void remove_hash_list(db::Write&, HashListId);
// The caller removes those that are already on it, known from hashes_on().
void add_hashes(db::Write&, HashListId, const Hashes&);

void check_distance(std::int64_t);  // throws Invalid

// Encrypts hashes into one text, creating the key if necessary, and back. Throws Invalid for another key.
std::string sealed(db::Write&, const Hashes&);
Hashes unsealed(db::Read&, std::string_view);
Hashes hashes_of_row(std::string_view);  // already decrypted

// Changes with every change of a list; empty: there never was a list.
std::string hash_lists_version(db::Read&);

// The key for encrypting hashes and naming files in quarantine; empty: there never was a list.
std::string picture_key(db::Read&);

}  // namespace media

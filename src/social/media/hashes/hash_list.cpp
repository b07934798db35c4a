// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/hash_list.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "base/text/blank.hpp"
#include "social/instance/settings.hpp"
#include "social/media/hashes/hash.hpp"

#include <algorithm>
#include <iterator>

namespace media {

#define HASH_LISTS "SELECT id, name, effect, distance, size, created_at, updated_at FROM hash_lists "

const db::Query<HashList> all_hash_lists{"all_hash_lists", HASH_LISTS "ORDER BY name"};
const db::Query<HashList> hash_list_by_id{"hash_list_by_id", HASH_LISTS "WHERE id = $1"};
const db::Query<HashListId> hash_list_named{"hash_list_named", "SELECT id FROM hash_lists WHERE name = $1"};
struct HashSum {
    std::int64_t lists = 0, hashes = 0;
};
DESCRIBE(HashSum, lists, hashes)
const db::Query<HashSum> sum_of_hash_lists{
    "sum_of_hash_lists",
    "SELECT count(*) AS lists, CAST(coalesce(sum(size), 0) AS BIGINT) AS hashes FROM hash_lists"
};
const db::Query<std::string> sealed_hashes{
    "sealed_hashes", "SELECT sealed FROM hash_entries WHERE list_id = $1 ORDER BY part"
};
const db::Query<std::int64_t> next_part_of_hashes{
    "next_part_of_hashes", "SELECT coalesce(max(part), 0) + 1 FROM hash_entries WHERE list_id = $1"
};
const db::Command insert_hash_list{
    "insert_hash_list",
    R"(INSERT INTO hash_lists (id, name, effect, distance, size, created_at, updated_at)
       VALUES ($1, $2, $3, $4, 0, $5, $5))"
};
const db::Command update_hash_list{
    "update_hash_list",
    "UPDATE hash_lists SET name = $2, effect = $3, distance = $4, updated_at = $5 WHERE id = $1"
};
const db::Command lengthen_hash_list{
    "lengthen_hash_list", "UPDATE hash_lists SET size = size + $2, updated_at = $3 WHERE id = $1"
};
const db::Command insert_hash_entries{
    "insert_hash_entries", "INSERT INTO hash_entries (list_id, part, sealed) VALUES ($1, $2, $3)"
};
const db::Command delete_hash_list{"delete_hash_list", "DELETE FROM hash_lists WHERE id = $1"};
const db::Command delete_hash_entries{"delete_hash_entries", "DELETE FROM hash_entries WHERE list_id = $1"};

namespace {

constexpr std::string_view version_setting = "hash_lists_version", key_setting = "picture_key";
constexpr std::size_t longest_name = 50, hash_bytes = 32, most_in_row = 4000;

std::string key(db::Write& db) {
    if (auto known = picture_key(db); !known.empty()) return known;
    auto made = base::new_secret_key();
    instance::set_setting(db, key_setting, base::base64(made));
    return made;
}

void check_name(db::Read& db, const std::string& name, HashListId id) {
    if (base::text::is_blank(name)) throw base::Invalid("Validation failed: Name can't be blank");
    if (name.size() > longest_name)
        throw base::Invalid("Validation failed: Name is too long (maximum is 50 characters)");
    if (auto known = db.maybe(hash_list_named, name); known && *known != id)
        throw base::Invalid("Validation failed: Name has already been taken");
}

// A byte for the kind and 32 for the hash, each.
class Rows {
public:
    void add(HashKind kind, std::string_view bytes) {
        row_ += static_cast<char>(kind);
        row_ += bytes;
        if (row_.size() >= most_in_row * (1 + hash_bytes)) end();
    }
    std::vector<std::string> rows() && {
        if (!row_.empty()) end();
        return std::move(rows_);
    }

private:
    void end() { rows_.push_back(std::exchange(row_, {})); }

    std::string row_;
    std::vector<std::string> rows_;
};

std::vector<std::string> rows_of(const Hashes& hashes) {
    Rows rows;
    for (const auto& one : hashes.sha256)
        rows.add(HashKind::sha256, {reinterpret_cast<const char*>(one.data()), one.size()});
    for (const auto& one : hashes.pdq) rows.add(HashKind::pdq, bytes_of(one));
    return std::move(rows).rows();
}

std::string opened(db::Read& db, std::string_view sealed) {
    auto row = base::unseal(picture_key(db), sealed);
    if (!row) throw base::Invalid("This list was sealed with another key");
    return *std::move(row);
}

void read_row(std::string_view row, Hashes& out) {
    for (; row.size() > hash_bytes; row.remove_prefix(1 + hash_bytes)) {
        const auto bytes = row.substr(1, hash_bytes);
        if (row[0] == static_cast<char>(HashKind::pdq)) {
            out.pdq.push_back(pdq_bits(bytes));
        } else {
            auto& hash = out.sha256.emplace_back();
            std::ranges::copy(bytes, hash.begin());
        }
    }
}

template <class T>
void settle(std::vector<T>& all) {
    std::ranges::sort(all);
    const auto same = std::ranges::unique(all);
    all.erase(same.begin(), same.end());
}

}  // namespace

void check_distance(std::int64_t distance) {
    if (distance < 0 || distance > most_distance)
        throw base::Invalid("The distance must be at most " + std::to_string(most_distance));
}

Hashes without(const Hashes& all, const Hashes& known) {
    Hashes out;
    std::ranges::set_difference(all.sha256, known.sha256, std::back_inserter(out.sha256));
    std::ranges::set_difference(all.pdq, known.pdq, std::back_inserter(out.pdq));
    return out;
}

void Hashes::settle() {
    media::settle(sha256);
    media::settle(pdq);
}

std::vector<HashList> hash_lists(db::Read& db) { return db.all(all_hash_lists); }
HashList hash_list(db::Read& db, HashListId id) { return db.one(hash_list_by_id, id); }

Hashes hashes_on(db::Read& db, HashListId id) {
    Hashes out;
    for (const auto& sealed : db.all(sealed_hashes, id)) read_row(opened(db, sealed), out);
    out.settle();
    return out;
}

std::string sealed(db::Write& db, const Hashes& hashes) {
    std::string row;
    for (const auto& one : rows_of(hashes)) row += one;
    return base::seal(key(db), row);
}

Hashes unsealed(db::Read& db, std::string_view text) { return hashes_of_row(opened(db, text)); }

Hashes hashes_of_row(std::string_view row) {
    Hashes out;
    read_row(row, out);
    out.settle();
    return out;
}

HashListId add_hash_list(db::Write& db, const std::string& name, HashEffect effect, std::int64_t distance) {
    check_name(db, name, {});
    check_distance(distance);
    if (db.one(sum_of_hash_lists).lists >= most_hash_lists)
        throw base::Invalid("There are too many lists of pictures");
    key(db);
    const auto id = db.new_id<HashListId>();
    db.run(insert_hash_list, id, name, effect, distance, db.now());
    instance::move_version(db, version_setting);
    return id;
}

void change_hash_list(
    db::Write& db, HashListId id, const std::string& name, HashEffect effect, std::int64_t distance
) {
    hash_list(db, id);
    check_name(db, name, id);
    check_distance(distance);
    db.run(update_hash_list, id, name, effect, distance, db.now());
    instance::move_version(db, version_setting);
}

void remove_hash_list(db::Write& db, HashListId id) {
    hash_list(db, id);
    db.run(delete_hash_entries, id);
    db.run(delete_hash_list, id);
    instance::move_version(db, version_setting);
}

void add_hashes(db::Write& db, HashListId id, const Hashes& hashes) {
    if (db.one(sum_of_hash_lists).hashes + hashes.size() > most_hashes)
        throw base::Invalid(
            "All lists of pictures would have more than " + std::to_string(most_hashes) + " entries"
        );
    auto part = db.one(next_part_of_hashes, id);
    for (const auto& row : rows_of(hashes)) {
        const auto sealed = base::seal(key(db), row);
        db.run(insert_hash_entries, id, part++, db::Blob{sealed});
    }
    db.run(lengthen_hash_list, id, hashes.size(), db.now());
    instance::move_version(db, version_setting);
}

std::string hash_lists_version(db::Read& db) {
    return db.memoized("hash lists version", [&] {
        return instance::setting(db, version_setting).value_or("");
    });
}

std::string picture_key(db::Read& db) {
    const auto known = instance::setting(db, key_setting);
    return known ? base::from_base64(*known).value_or("") : std::string();
}

}  // namespace media

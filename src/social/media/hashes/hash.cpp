// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/hash.hpp"

#include "social/media/media.hpp"

namespace media {

namespace {

constexpr std::size_t hash_bytes = 32;

struct Row {
    std::string file, sha256;
    std::int64_t quality = 0;
    std::string pdq;
};
DESCRIBE(Row, file, sha256, quality, pdq)

bool tells_something(const Print& print) { return !print.sha256.empty() || print.pdq.quality > 0; }

Hashed hashed(Row row) {
    Hashed out{std::move(row.file), {std::move(row.sha256), {}}};
    auto& pdq = out.print.pdq;
    if (row.pdq.size() != pdq.bits.size() * hash_bytes) return out;
    pdq.quality = static_cast<int>(row.quality);
    for (std::size_t i = 0; i < pdq.bits.size(); ++i)
        pdq.bits[i] = pdq_bits(std::string_view(row.pdq).substr(i * hash_bytes, hash_bytes));
    return out;
}

}  // namespace

std::string bytes_of(const sandbox::PdqBits& bits) {
    std::string out;
    for (std::size_t word = bits.size(); word-- > 0;)
        for (int shift = 56; shift >= 0; shift -= 8)
            out += static_cast<char>(static_cast<std::uint8_t>(bits[word] >> shift));
    return out;
}

sandbox::PdqBits pdq_bits(std::string_view bytes) {
    sandbox::PdqBits out{};
    for (std::size_t i = 0; i < hash_bytes; ++i) {
        auto& word = out[out.size() - 1 - i / 8];
        word = word << 8 | static_cast<std::uint8_t>(bytes[i]);
    }
    return out;
}

const db::Command insert_media_hash{
    "insert_media_hash",
    R"(INSERT INTO media_hashes (file, part, sha256, quality, pdq) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (file, part) DO NOTHING)"
};
// Hashes of quarantined pictures are kept until the team has decided.
const db::Command delete_media_hashes{
    "delete_media_hashes",
    R"(DELETE FROM media_hashes WHERE file IN LIST($1)
       AND NOT EXISTS (SELECT 1 FROM quarantine q WHERE q.file = media_hashes.file AND q.state = 'held'))"
};

void keep_hashes(db::Write& db, const Stored& stored) {
    for (std::int64_t part = 0; const auto& print : stored.prints) {
        std::string pdq;
        if (print.pdq.quality > 0)
            for (const auto& bits : print.pdq.bits) pdq += bytes_of(bits);
        if (tells_something(print))
            db.run(insert_media_hash, stored.file, part, print.sha256, print.pdq.quality, db::Blob{pdq});
        ++part;
    }
}

void forget_hashes(db::Write& db, const std::vector<std::string>& files) {
    db.run(delete_media_hashes, files);
}

const db::Command rename_media_hashes{
    "rename_media_hashes", "UPDATE media_hashes SET file = $2 WHERE file = $1"
};
const db::Command rename_quarantined{
    "rename_quarantined", "UPDATE quarantine SET file = $2 WHERE file = $1 AND state = 'held'"
};

void keep_preview_alone(db::Write& db, const std::string& original, const std::string& preview) {
    db.run(rename_media_hashes, original, preview);
    db.run(rename_quarantined, original, preview);
    db.emit(FilesReleased{{original}});
}

const db::Query<Row> media_hashes_of{
    "media_hashes_of", "SELECT file, sha256, quality, pdq FROM media_hashes WHERE file = $1 ORDER BY part"
};
const db::Query<Row> media_hashes_after{
    "media_hashes_after",
    "SELECT file, sha256, quality, pdq FROM media_hashes WHERE file > $1 ORDER BY file, part LIMIT $2"
};
const db::Query<std::string> media_with_sha256{
    "media_with_sha256",
    "SELECT DISTINCT file FROM media_hashes WHERE sha256 = $1 AND file > $2 ORDER BY file LIMIT $3"
};

std::vector<Hashed> hashes_of(db::Read& db, const std::string& file) {
    std::vector<Hashed> out;
    for (auto& row : db.all(media_hashes_of, file)) out.push_back(hashed(std::move(row)));
    return out;
}

std::vector<Hashed> hashes_after(db::Read& db, const std::string& file, int most) {
    std::vector<Hashed> out;
    for (auto& row : db.all(media_hashes_after, file, most)) out.push_back(hashed(std::move(row)));
    if (std::ssize(out) < most) return out;
    const auto last = out.back().file;
    std::erase_if(out, [&](const Hashed& one) { return one.file == last; });
    for (auto& one : hashes_of(db, last)) out.push_back(std::move(one));
    return out;
}

std::vector<std::string> files_with_sha256(
    db::Read& db, std::string_view hex, const std::string& after, int most
) {
    return db.all(media_with_sha256, hex, after, most);
}

}  // namespace media

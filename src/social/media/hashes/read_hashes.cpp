// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/hash_list.hpp"

#include "base/json_read.hpp"
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"
#include "social/media/hashes/hash.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace media {

namespace {

constexpr std::size_t digits = 64;

std::optional<std::string> bytes_of_digits(std::string_view text) {
    if (text.size() != digits) return std::nullopt;
    std::string out;
    for (std::size_t i = 0; i < digits; i += 2) {
        unsigned value = 0;
        const auto* end = text.data() + i + 2;
        if (const auto read = std::from_chars(text.data() + i, end, value, 16); read.ptr != end)
            return std::nullopt;
        out += static_cast<char>(static_cast<std::uint8_t>(value));
    }
    return out;
}

// One entry of an export, with the names of ThreatExchange, of its matcher, and plain ones.
struct Entry {
    std::string hash, value, signal_str, indicator, type, kind, signal_type;
};
DESCRIBE(Entry, hash, value, signal_str, indicator, type, kind, signal_type)

std::string_view first_of(std::initializer_list<std::string_view> all) {
    for (const auto one : all)
        if (!one.empty()) return one;
    return {};
}

enum class Said { nothing, pdq, sha256, other };

// Accepts the kinds of ThreatExchange (HASH_MD5), of its matcher (video_md5), and plain ones (SHA-256).
std::string plain_kind(std::string_view word) {
    auto plain = base::text::ascii_lowered(word);
    std::erase_if(plain, [](char c) { return c == '-' || c == '_' || c == ' ' || c == '+'; });
    if (plain.starts_with("hash")) plain.erase(0, 4);
    if (plain.ends_with("hash") && plain != "phash" && plain != "dhash") plain.resize(plain.size() - 4);
    return plain;
}

Said kind_said(std::string_view word) {
    if (base::text::is_blank(word)) return Said::nothing;
    const auto plain = plain_kind(word);
    return plain == "pdq" ? Said::pdq : plain == "sha256" ? Said::sha256 : Said::other;
}

bool names_a_kind(std::string_view word) {
    constexpr std::string_view kinds[] = {"pdq",      "sha256",   "md5",      "sha1",     "sha224",
                                          "sha384",   "sha512",   "sha3256",  "blake3",   "ssdeep",
                                          "tlsh",     "photodna", "pdna",     "tmk",      "tmkpdqf",
                                          "tmkpdq",   "vpdq",     "phash",    "dhash",    "netclean",
                                          "videomd5", "photomd5", "imagemd5", "videopdq", "videosha256",
                                          "videotmk"};
    return std::ranges::find(kinds, plain_kind(word)) != std::end(kinds);
}

bool names_the_kinds(std::string_view column) {
    constexpr std::string_view names[] = {"type", "kind", "signaltype", "algorithm"};
    auto plain = plain_kind(column);
    return std::ranges::find(names, plain) != std::end(names);
}

class Reader {
public:
    explicit Reader(std::optional<HashKind> usual) : usual_(usual) {}

    void add(std::string_view hash, std::string_view kind, std::size_t line) {
        auto said = kind_said(kind);
        if (said == Said::nothing && usual_) said = *usual_ == HashKind::pdq ? Said::pdq : Said::sha256;
        if (said == Said::nothing)
            throw base::Invalid(
                "Line " + std::to_string(line) + ": it does not say of which kind the hash is"
            );
        if (said == Said::other) {
            ++out.skipped;
            return;
        }
        if (said == Said::pdq) {
            const auto bits = pdq_of_digits(hash);
            if (!bits)
                throw base::Invalid(
                    "Line " + std::to_string(line) + ": this is no hash of 64 hexadecimal digits"
                );
            out.hashes.pdq.push_back(*bits);
        } else {
            const auto bytes = sha256_of_digits(hash);
            if (!bytes)
                throw base::Invalid(
                    "Line " + std::to_string(line) + ": this is no hash of 64 hexadecimal digits"
                );
            out.hashes.sha256.push_back(*bytes);
        }
        if (out.hashes.size() > most_hashes)
            throw base::Invalid("The list has more than " + std::to_string(most_hashes) + " entries");
    }

    ReadHashes out;

private:
    const std::optional<HashKind> usual_;
};

std::string_view cell(std::string_view text) {
    auto out = base::text::trimmed(text);
    if (out.size() > 1 && out.front() == '"' && out.back() == '"') out = out.substr(1, out.size() - 2);
    return out;
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> out;
    for (;;) {
        const auto end = std::min(line.find(','), line.size());
        out.push_back(cell(line.substr(0, end)));
        if (end == line.size()) return out;
        line.remove_prefix(end + 1);
    }
}

// A cell with 64 digits is the hash, one with the name of a kind its kind. A first line without either
// contains the names of columns; if there is one for kinds, it decides the kind, including unknown ones.
class Lines {
public:
    explicit Lines(Reader& reader) : reader_(reader) {}

    void add(std::string_view line, std::size_t number) {
        const auto cells = cells_of(line);
        if (cells[0].empty() || cells[0].starts_with('#')) return;
        const auto hash =
            std::ranges::find_if(cells, [](auto one) { return bytes_of_digits(one).has_value(); });
        const auto named = std::ranges::find_if(cells, names_a_kind);
        if (number == 1 && hash == cells.end() && named == cells.end()) {
            column_ = std::ranges::find_if(cells, names_the_kinds) - cells.begin();
            return;
        }
        auto kind = named == cells.end() ? std::string_view() : *named;
        if (kind.empty() && column_ < std::ssize(cells) && column_ != hash - cells.begin())
            kind = cells[static_cast<std::size_t>(column_)];
        reader_.add(hash == cells.end() ? cells[0] : *hash, kind, number);
    }

private:
    Reader& reader_;
    std::ptrdiff_t column_ = std::numeric_limits<std::ptrdiff_t>::max();
};

template <class T>
std::vector<T> read_array(std::string_view text) {
    try {
        return base::json::read<std::vector<T>>(text);
    } catch (const std::exception&) {
        throw base::Invalid("This is not a list in JSON: an array of hashes, or of objects with hash and type"
        );
    }
}

void read_json(std::string_view text, Reader& reader) {
    std::size_t number = 0;
    if (base::text::trimmed(base::text::trimmed(text).substr(1)).starts_with('"')) {
        for (const auto& hash : read_array<std::string>(text)) reader.add(hash, {}, ++number);
        return;
    }
    for (const auto& one : read_array<Entry>(text))
        reader.add(
            first_of({one.hash, one.value, one.signal_str, one.indicator}),
            first_of({one.type, one.kind, one.signal_type}),
            ++number
        );
}

}  // namespace

std::optional<sandbox::PdqBits> pdq_of_digits(std::string_view text) {
    const auto bytes = bytes_of_digits(text);
    return bytes ? std::optional(pdq_bits(*bytes)) : std::nullopt;
}

std::optional<Sha256> sha256_of_digits(std::string_view text) {
    const auto bytes = bytes_of_digits(text);
    if (!bytes) return std::nullopt;
    Sha256 out;
    std::ranges::copy(*bytes, out.begin());
    return out;
}

ReadHashes read_hashes(std::string_view text, std::optional<HashKind> kind) {
    if (text.size() > largest_hash_file) throw base::Invalid("The list is larger than 8 MB");
    Reader reader(kind);
    if (base::text::trimmed(text).starts_with('[')) {
        read_json(text, reader);
    } else {
        Lines lines(reader);
        for (std::size_t number = 1; !text.empty(); ++number) {
            const auto line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            lines.add(line, number);
        }
    }
    reader.out.hashes.settle();
    if (reader.out.hashes.size() == 0) throw base::Invalid("There is nothing in the list");
    return std::move(reader.out);
}

}  // namespace media

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/hash_list.hpp"

#include "base/json_read.hpp"
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"
#include "social/media/hashes/hash.hpp"

#include <charconv>

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

// One entry of an export: the names are those of ThreatExchange, its matcher, and plain ones.
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

Said kind_said(std::string_view word) {
    auto plain = base::text::ascii_lowered(word);
    std::erase_if(plain, [](char c) { return c == '-' || c == '_' || c == ' '; });
    if (plain.empty()) return Said::nothing;
    if (plain == "pdq" || plain == "hashpdq" || plain == "pdqhash") return Said::pdq;
    if (plain == "sha256" || plain == "hashsha256") return Said::sha256;
    return Said::other;
}

bool names_a_kind(std::string_view word) {
    const auto said = kind_said(word);
    if (said == Said::pdq || said == Said::sha256) return true;
    const auto plain = base::text::ascii_lowered(word);
    return plain == "md5" || plain == "sha1" || plain == "photodna" || plain == "tmk" || plain == "vpdq" ||
           plain == "md5hash" || plain == "videomd5" || plain == "video_md5";
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

// The cell with 64 digits is the hash, one with the name of a kind its kind. A first line without either names the columns.
void read_line(std::string_view line, std::size_t number, Reader& reader) {
    std::string_view hash, kind, first = cell(line.substr(0, line.find(',')));
    if (first.empty() || first.starts_with('#')) return;
    while (!line.empty()) {
        const auto end = std::min(line.find(','), line.size());
        const auto one = cell(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
        if (hash.empty() && bytes_of_digits(one)) hash = one;
        else if (kind.empty() && names_a_kind(one)) kind = one;
    }
    if (hash.empty() && kind.empty() && number == 1) return;
    reader.add(hash.empty() ? first : hash, kind, number);
}

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
        for (std::size_t number = 1; !text.empty(); ++number) {
            const auto line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            read_line(line, number, reader);
        }
    }
    reader.out.hashes.settle();
    if (reader.out.hashes.size() == 0) throw base::Invalid("There is nothing in the list");
    return std::move(reader.out);
}

}  // namespace media

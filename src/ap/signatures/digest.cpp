// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/digest.hpp"

#include "ap/signatures/signature_parts.hpp"
#include "ap/signatures/structured_field.hpp"
#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"

#include <sodium.h>

namespace ap {

namespace {

constexpr std::size_t most_digests = 16;

std::string sha512(std::string_view s) {
    std::string out(crypto_hash_sha512_BYTES, '\0');
    crypto_hash_sha512(
        reinterpret_cast<unsigned char*>(out.data()),
        reinterpret_cast<const unsigned char*>(s.data()),
        s.size()
    );
    return out;
}

}  // namespace

std::string digest(std::string_view body) { return "SHA-256=" + base::base64(base::sha256(body)); }

std::string content_digest(std::string_view body) {
    return "sha-256=:" + base::base64(base::sha256(body)) + ":";
}

DigestVerdict check_digest(std::string_view header, std::string_view body) {
    std::optional<std::string> told;
    for (std::size_t count = 0;; ++count) {
        if (count == most_digests) return DigestVerdict::unreadable;
        const auto end = std::min(header.find(','), header.size());
        const auto one = base::text::trimmed(header.substr(0, end), " \t");
        const auto equals = one.find('=');
        if (equals == one.npos) return DigestVerdict::unreadable;
        if (base::text::same_ignoring_ascii_case(one.substr(0, equals), "sha-256")) {
            if (told) return DigestVerdict::unreadable;  // which of them was meant to be checked?
            told = base::from_base64(one.substr(equals + 1));
            if (!told || told->size() != 32) return DigestVerdict::unreadable;
        }
        if (end == header.size()) break;
        header.remove_prefix(end + 1);
    }
    if (!told) return DigestVerdict::unknown_algorithm;
    return *told == base::sha256(body) ? DigestVerdict::right : DigestVerdict::wrong;
}

DigestVerdict check_content_digest(std::string_view header, std::string_view body) {
    const auto members = fields::read_dictionary(header);
    if (!members || members->size() > most_digests) return DigestVerdict::unreadable;
    auto verdict = DigestVerdict::unknown_algorithm;
    for (const auto& member : *members) {
        const auto* bytes = member.is_list ? nullptr : std::get_if<fields::Bytes>(&member.item.value);
        if (!bytes) return DigestVerdict::unreadable;
        const bool short_one = member.key == "sha-256";
        if (!short_one && member.key != "sha-512") continue;
        if (bytes->value != (short_one ? base::sha256(body) : sha512(body))) return DigestVerdict::wrong;
        verdict = DigestVerdict::right;
    }
    return verdict;
}

}  // namespace ap

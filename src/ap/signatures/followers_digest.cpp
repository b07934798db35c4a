// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/followers_digest.hpp"

#include "ap/signatures/signature_parts.hpp"
#include "base/crypto.hpp"
#include "base/text/utf8.hpp"

namespace ap {

void FollowersDigest::toggle(std::string_view id) {
    const auto hash = base::sha256(id);
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] ^= static_cast<unsigned char>(hash[i]);
}

std::string FollowersDigest::hex() const {
    return base::hex({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
}

std::string to_header(const Synchronization& header) {
    return "collectionId=\"" + header.collection_id + "\", url=\"" + header.url + "\", digest=\"" +
           header.digest + "\"";
}

std::optional<Synchronization> read_synchronization(std::string_view header) {
    const auto fields = parts::read_fields(header);
    if (!fields) return std::nullopt;
    const auto field = [&](std::string_view name) {
        const auto found = fields->find(name);
        return found == fields->end() ? std::string() : found->second;
    };
    Synchronization out{field("collectionId"), field("url"), base::text::ascii_lowered(field("digest"))};
    const bool is_hex =
        out.digest.size() == 64 && out.digest.find_first_not_of("0123456789abcdef") == out.digest.npos;
    if (out.collection_id.empty() || out.url.empty() || !is_hex) return std::nullopt;
    return out;
}

}  // namespace ap

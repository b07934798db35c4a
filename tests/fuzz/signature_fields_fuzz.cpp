// SPDX-License-Identifier: AGPL-3.0-or-later
// Headers that speak about signatures: Accept-Signature, Content-Digest, Digest, Collection-Synchronization. What can
// be wished for must be something that we can sign and read again.
#include "ap/signatures/digest.hpp"
#include "ap/signatures/followers_digest.hpp"
#include "ap/signatures/signature.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
    const std::string_view header(data, size);
    ap::check_digest(header, "body");
    ap::check_content_digest(header, "body");
    if (auto read = ap::read_synchronization(header); read && read->digest.size() != 64) std::abort();

    static const auto key = ap::PrivateKey::new_rsa();
    const auto requested = ap::read_accept_signature(header);
    if (!requested) return 0;
    ap::Headers headers;
    const ap::SignedRequest request{"GET", "/", "https://local.example", headers, ""};
    headers = ap::sign_rfc9421(request, {key, "https://peer.example/#key"}, {1'772'366'400'000}, &*requested);
    headers.emplace_back("host", "local.example");
    const auto reading = ap::read_signature(request, {1'772'366'400'000});
    if (reading.claims.size() != 1 || !ap::holds(reading.claims[0], key.public_key())) std::abort();
    return 0;
}

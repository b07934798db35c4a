// SPDX-License-Identifier: AGPL-3.0-or-later
// Signed requests, their headers a line each: draft-cavage and RFC 9421. Whatever they say, there is a claim with
// something to verify, or a refusal with a sentence.
#include "ap/signatures/signature.hpp"

#include <algorithm>
#include <cstdlib>

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
    std::string_view rest(data, size);
    ap::Headers headers = {
        {"host", "local.example"},
        {"date", "Sun, 01 Mar 2026 12:00:00 GMT"},
        {"digest", "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
        {"content-digest", "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"}
    };
    for (auto name : {"signature", "signature-input"}) {
        if (rest.empty()) break;
        const auto end = std::min(rest.find('\n'), rest.size());
        headers.emplace_back(name, rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const auto reading = ap::read_signature(
        {"POST", "/bob/inbox?a=b", "https://local.example", headers, ""}, {1'772'366'400'000}
    );
    require(reading.claims.empty() == !reading.refusal.sentence.empty());
    require(reading.claims.size() <= 3);
    for (const auto& claim : reading.claims) {
        require(!claim.key_id.empty() && claim.key_id.size() <= 2048);
        require(!claim.texts.empty());
        for (const auto& text : claim.texts) require(!text.empty());
    }
    if (reading.claims.empty()) require(reading.refusal.status == 400 || reading.refusal.status == 401);
    return 0;
}

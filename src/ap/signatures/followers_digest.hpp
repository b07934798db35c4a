// SPDX-License-Identifier: AGPL-3.0-or-later
// Digests of followers, by which two servers compare who follows whom between them (FEP-8fcf).
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace ap {

// Digest of a set of ids in any order; initially of the empty set.
class FollowersDigest {
public:
    void toggle(std::string_view id);  // adds an id, or removes it again
    std::string hex() const;

private:
    std::array<unsigned char, 32> bytes_{};
};

// The header Collection-Synchronization.
struct Synchronization {
    std::string collection_id, url, digest;
};
std::string to_header(const Synchronization&);
std::optional<Synchronization> read_synchronization(std::string_view header);

}  // namespace ap

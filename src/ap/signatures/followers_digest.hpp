// SPDX-License-Identifier: AGPL-3.0-or-later
// Do two servers agree on who of one follows an account of the other? FEP-8fcf.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace ap {

// Of any number of ids in any order; begins as the digest of none.
class FollowersDigest {
public:
    void toggle(std::string_view id);  // adds one, or takes it out again
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

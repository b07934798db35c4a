// SPDX-License-Identifier: AGPL-3.0-or-later
// A hash for tables filled with untrusted data: without the random key, nobody can construct collisions.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace base {

class KeyedHash {
public:
    KeyedHash();
    explicit KeyedHash(std::string_view secret);       // the same for everybody with this secret
    std::uint64_t operator()(std::string_view) const;  // SipHash-2-4

private:
    std::array<unsigned char, 16> key_;
};

}  // namespace base

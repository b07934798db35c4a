// SPDX-License-Identifier: AGPL-3.0-or-later
// Columns that Rails has encrypted: JSON with a text sealed by AES-256-GCM, under a key that is made of two words of the
// configuration.
#pragma once
#include "takeover/source.hpp"

namespace takeover::mastodon {

class Secrets {
public:
    // Without the words of the configuration what is encrypted cannot be read.
    explicit Secrets(const Settings&);

    bool has_keys() const { return !keys_.empty(); }
    static bool is_sealed(std::string_view stored) { return stored.starts_with('{'); }
    // What is not sealed is as it stands. Nothing: no key opens it.
    std::optional<std::string> open(std::string_view stored) const;

private:
    std::vector<std::string> keys_;  // as newer and as older versions make them
};

}  // namespace takeover::mastodon

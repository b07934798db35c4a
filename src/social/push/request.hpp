// SPDX-License-Identifier: AGPL-3.0-or-later
// The request that delivers a message to a push service (RFC 8030), and our identification (VAPID, RFC 8292).
#pragma once
#include "base/fetch.hpp"
#include "base/time.hpp"
#include "social/notifications/notification.hpp"
#include "social/push/message.hpp"

#include <map>

namespace push {

// Identifies the sender to push services. A token is valid for one origin and one day; it is cached for half
// of that.
class VapidTokens {
public:
    explicit VapidTokens(const Identity&);

    struct VapidToken {
        std::string token, key;  // the JSON Web Token, and the public key that it is signed with
    };
    VapidToken vapid_token(const std::string& origin, base::Time now);
    const Identity& identity() const { return identity_; }

private:
    struct Kept {
        std::string token;
        base::Time until;
    };
    Identity identity_;
    base::P256 key_;
    std::string public_key_;
    std::map<std::string, Kept> kept_;  // by origin
};

// Scheme, host and port of an address, the names in lower case: the audience of a vapid_token.
std::string origin_of(std::string_view url);

// Encrypts, so it must be called where CPU time is available.
base::Fetch request(const Message&, const VapidTokens::VapidToken&);

}  // namespace push

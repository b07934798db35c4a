// SPDX-License-Identifier: AGPL-3.0-or-later
// Which addresses are on the public internet. The outgoing client refuses all others, so that nobody can make
// us send requests to machines behind our firewall, or to ourselves.
#pragma once
#include "net/forwarded.hpp"

namespace net {

// Addresses that embed an IPv4 one (mapped, 6to4, Teredo, NAT64) never count as public: no server is
// reachable only there.
bool is_public(const Address&);

}  // namespace net

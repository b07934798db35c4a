// SPDX-License-Identifier: AGPL-3.0-or-later
// Which addresses belong to the public internet. Everything else is refused by the outgoing client, so that nobody
// can have us ask the machines behind our firewall, or ourselves.
#pragma once
#include "net/forwarded.hpp"

namespace net {

// Addresses that hold an IPv4 one (mapped, 6to4, Teredo, NAT64) are never public: nobody needs them to be reached.
bool is_public(const Address&);

}  // namespace net

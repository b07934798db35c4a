// SPDX-License-Identifier: AGPL-3.0-or-later
// NodeInfo 2.0: what crawlers of the fediverse ask of a server.
#pragma once
#include "db/session.hpp"

#include <string>

namespace instance {

std::string nodeinfo_discovery(const base::Site&);
std::string nodeinfo(db::Read&, std::string_view version);  // "2.0" or "2.1"

// The beginning of a host name in the form in which domains are stored; nullopt for what none begins with.
std::optional<std::string> peer_prefix(std::string_view);

}  // namespace instance

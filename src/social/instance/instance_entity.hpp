// SPDX-License-Identifier: AGPL-3.0-or-later
// Entities Instance (v2) and V1::Instance, as JSON: this server and its limits.
#pragma once
#include "base/schema.hpp"
#include "db/session.hpp"

#include <string>

namespace instance {

// The Account of the site's contact; accounts are a layer above this folder, so the caller provides the
// lookup.
using ContactOf = std::optional<base::json::Raw> (*)(db::Read&);

base::json::Raw instance_v2(db::Read&, ContactOf);
base::json::Raw instance_v1(db::Read&, ContactOf);

void describe_instances(base::json::Components&);  // for OpenAPI

// NodeInfo 2.0: what fediverse crawlers request.
std::string nodeinfo_discovery(const base::Site&);
std::string nodeinfo(db::Read&, std::string_view version);  // "2.0" or "2.1"

// The prefix of a host name in the form in which domains are stored; nullopt if no host name can begin with
// it.
std::optional<std::string> peer_prefix(std::string_view);

}  // namespace instance

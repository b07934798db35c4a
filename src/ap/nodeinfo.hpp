// SPDX-License-Identifier: AGPL-3.0-or-later
// NodeInfo: what a server says it runs. None of it is to be relied on: the server reads none, dunlin-fixtures-check does.
#pragma once
#include "ap/document.hpp"

#include <string>

namespace ap {

// Of /.well-known/nodeinfo: the address of the highest version that is read here, on any host; "" when there is none.
std::string nodeinfo_link(std::string_view json);

struct NodeInfo {
    std::string software, version;  // software: lower case, "" when it says none
    std::string name;               // of the server
    std::optional<std::int64_t> users, active_month, posts;
    bool open_registrations = false;
};
Reading<NodeInfo> read_nodeinfo(std::string_view json);

}  // namespace ap

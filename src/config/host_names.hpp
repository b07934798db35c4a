// SPDX-License-Identifier: AGPL-3.0-or-later
// The host names of this server.
#pragma once
#include "config/config.hpp"

#include <string>
#include <string_view>
#include <unordered_set>

namespace server {

class HostNames {
public:
    explicit HostNames(const Config&);
    // Takes a Host header, with or without a port; true for one of our names, or one that means the machine
    // itself.
    bool contains(std::string_view host) const;

private:
    std::unordered_set<std::string> names_;
};

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures and files of other servers. A row names one by its address there; who reads it gets an address of ours, under
// which a copy is made when it is first asked for.
#pragma once
#include "base/site.hpp"

#include <string>
#include <string_view>

namespace instance {

// Whether what a row holds is an address elsewhere and no path below data/media.
bool is_elsewhere(std::string_view file);

// The address that clients are told. `way` names the row and the part of it: "avatars/12", "media/34/small".
std::string file_address(const base::Site&, std::string_view file, std::string_view way);

// The address that other servers are told: of a server that was taken over, files of people here may lie elsewhere, too.
std::string published_address(const base::Site&, const std::string& file);

// What the address ends in, after ?v=.
std::string remote_mark(std::string_view file);

}  // namespace instance

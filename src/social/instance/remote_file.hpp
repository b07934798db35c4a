// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures and files on other servers. A row contains the remote address; clients get an address of this
// site, where a copy is made on the first request.
#pragma once
#include "base/site.hpp"

#include <string>
#include <string_view>

namespace instance {

// Whether the value in a row is a remote address and not a path below data/media.
bool is_elsewhere(std::string_view file);

// The address for clients. `way` names the row and the part of it: "avatars/12", "media/34/small".
std::string file_address(const base::Site&, std::string_view file, std::string_view way);

// The address for other servers: after a takeover, files of local accounts may be stored elsewhere, too.
std::string published_address(const base::Site&, const std::string& file);

// The end of the address, after ?v=.
std::string remote_mark(std::string_view file);

}  // namespace instance

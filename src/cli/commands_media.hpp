// SPDX-License-Identifier: AGPL-3.0-or-later
// dunlin media: the room that copies of pictures of other servers take.
#pragma once
#include "cli/commands.hpp"

#include <cstdint>

namespace server {

int show_media_usage(const Settings&, std::optional<std::int64_t> most_megabytes);
int prune_media(const Settings&, std::int64_t megabytes);

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// What is done about activities of other servers, by their type and the type of their object.
#pragma once
#include "social/federation/inbox/inbox.hpp"

namespace server {

federation::Handlers inbox();

}  // namespace server

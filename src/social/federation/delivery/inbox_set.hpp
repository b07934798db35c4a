// SPDX-License-Identifier: AGPL-3.0-or-later
// Sets of inbox ids, packed for the database as differences between neighbours, of which those below 128 take
// one byte: 2,000 of 30,000 inboxes take two kilobytes.
#pragma once
#include "base/ids.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace federation {

using InboxId = base::Id<struct InboxTag>;
using InboxSet = std::vector<InboxId>;  // in order, each once

std::string pack(const InboxSet&);
InboxSet unpack(std::string_view);

InboxSet united(const InboxSet&, const InboxSet&);
InboxSet without(const InboxSet&, const InboxSet&);

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "social/statuses/remote/unearthed.hpp"

namespace timelines {

// Reaction: an older status takes its place in the homes of those who follow its author.
void fan_out_unearthed(db::Write&, const statuses::Unearthed&);

}  // namespace timelines

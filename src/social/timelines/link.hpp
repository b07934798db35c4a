// SPDX-License-Identifier: AGPL-3.0-or-later
// The timeline of a link that trends: public posts that show its card, by people who want to be found.
#pragma once
#include "social/timelines/feed.hpp"

namespace timelines {

// Throws NotFound unless the link is an approved trend now.
std::vector<Facts> linking(db::Read&, const Audience&, const base::Range&, std::string_view url);

}  // namespace timelines

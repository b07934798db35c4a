// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashtags that people here show on their profiles, as their followers elsewhere learn of it: reactions.
#pragma once
#include "social/tags/featured_tag.hpp"

namespace federation {

void tell_tag_featured(db::Write&, const tags::TagFeatured&);
void tell_tag_unfeatured(db::Write&, const tags::TagUnfeatured&);

}  // namespace federation

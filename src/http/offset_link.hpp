// SPDX-License-Identifier: AGPL-3.0-or-later
// The Link header of families paged by offset (behaviours, section 7).
#pragma once
#include "base/site.hpp"
#include "http/message.hpp"

namespace http {

// Next while the page is full, prev while there is anything before it.
void add_offset_link(Response&, const base::Site&, const Request&, int offset, int limit, std::size_t items);

}  // namespace http

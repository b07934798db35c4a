// SPDX-License-Identifier: AGPL-3.0-or-later
// Which part of a list is requested, and where the neighbouring pages begin (behaviours: section 7).
#pragma once
#include <cstdint>
#include <limits>
#include <optional>

namespace base {

// Ids strictly between the bounds, newest first.
struct Range {
    std::int64_t below = std::numeric_limits<std::int64_t>::max();
    std::int64_t above = 0;
    bool ascending = false;  // read upwards from `above`; the page is reversed afterwards
    int limit = 20;
};

struct Cursors {
    std::optional<std::int64_t> next;  // max_id of the next page
    std::optional<std::int64_t> prev;  // min_id (or since_id) of the previous page
    bool prev_since = false;           // lists without min_id use since_id
};

// For a page whose first and last entries have these ids. `next` is set only if the page is full, except for
// lists that always set it (feeds and notifications).
inline Cursors cursors_of(std::int64_t first, std::int64_t last, bool full, bool prev_since) {
    return {full ? std::optional(last) : std::nullopt, first, prev_since};
}

}  // namespace base

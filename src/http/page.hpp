// SPDX-License-Identifier: AGPL-3.0-or-later
// One page of a paginated response. Dispatch builds the Link header from the cursors.
#pragma once
#include "base/page.hpp"
#include "base/site.hpp"
#include "http/message.hpp"

#include <string>
#include <vector>

namespace http {

template <class T>
struct Page {
    std::vector<T> items;
    base::Cursors cursors;
};

// For rows that are paged by their ids, in the order of the response.
template <class T>
Page<T> page_by_id(std::vector<T> rows, int limit) {
    Page<T> out{std::move(rows), {}};
    const bool full = out.items.size() == static_cast<std::size_t>(limit);
    if (!out.items.empty())
        out.cursors = base::cursors_of(out.items.front().id.value, out.items.back().id.value, full, false);
    return out;
}

// The same for a response whose JSON was assembled elsewhere.
struct RawPage {
    std::string body;
    base::Cursors cursors;
};

// From a form with max_id, since_id, limit and possibly min_id.
template <class Form>
base::Range range_of(const Form& form) {
    base::Range range;
    if (form.max_id) range.below = *form.max_id;
    if (form.since_id) range.above = *form.since_id;
    if constexpr (requires { form.min_id; }) {
        if (form.min_id) {
            range.above = std::max(range.above, *form.min_id);
            range.ascending = true;
        }
    }
    range.limit = form.limit.value;
    return range;
}

// The Link header for lists paged by offset (behaviours, section 7).

// Contains next if the page is full, and prev unless it is the first one.
void add_offset_link(Response&, const base::Site&, const Request&, int offset, int limit, std::size_t items);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/refusals.hpp"

#include <algorithm>

namespace http {

void Refusals::note(LimitRefusal refused, base::Time now) {
    const std::lock_guard lock(mutex_);
    auto row = std::ranges::find_if(rows_, [&](const LimitRefusal& one) {
        return one.limit == refused.limit && one.who == refused.who && one.id == refused.id &&
               one.address == refused.address;
    });
    if (row == rows_.end()) {
        if (rows_.size() == most)
            rows_.erase(std::ranges::min_element(rows_, {}, [](const LimitRefusal& one) {
                return one.last.ms;
            }));
        refused.first = now;
        row = rows_.insert(rows_.end(), std::move(refused));
    }
    ++row->times;
    row->last = now;
}

std::vector<LimitRefusal> Refusals::all() const {
    std::vector<LimitRefusal> out;
    {
        const std::lock_guard lock(mutex_);
        out = rows_;
    }
    std::ranges::sort(out, [](const LimitRefusal& a, const LimitRefusal& b) {
        return a.times != b.times ? a.times > b.times : a.last.ms > b.last.ms;
    });
    return out;
}

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/filters/filter_entity.hpp"

namespace filters {

FilterKeyword entity(const Keyword& k) { return {k.id, k.keyword, k.whole_word}; }
FilterStatus entity(const FilteredStatus& s) { return {s.id, s.status_id}; }

std::vector<FilterKeyword> entities(const std::vector<Keyword>& keywords) {
    std::vector<FilterKeyword> out;
    for (const auto& keyword : keywords) out.push_back(entity(keyword));
    return out;
}

std::vector<FilterStatus> entities(const std::vector<FilteredStatus>& statuses) {
    std::vector<FilterStatus> out;
    for (const auto& status : statuses) out.push_back(entity(status));
    return out;
}

std::vector<WholeFilter> entities(
    const std::vector<Filter>& filters, const std::vector<Keyword>& keywords,
    const std::vector<FilteredStatus>& statuses
) {
    std::vector<WholeFilter> out;
    for (const auto& f : filters) {
        auto& whole =
            out.emplace_back(WholeFilter{f.id, f.title, {f.context}, f.expires_at, f.filter_action, {}, {}});
        for (const auto& keyword : keywords)
            if (keyword.filter_id == f.id) whole.keywords.push_back(entity(keyword));
        for (const auto& status : statuses)
            if (status.filter_id == f.id) whole.statuses.push_back(entity(status));
    }
    return out;
}

V1Filter v1_entity(const Filter& f, const Keyword& k) {
    return {k.id, k.keyword, {f.context}, k.whole_word, f.expires_at, f.filter_action == Action::hide};
}

}  // namespace filters

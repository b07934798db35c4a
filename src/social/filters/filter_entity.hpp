// SPDX-License-Identifier: AGPL-3.0-or-later
// The entities of filters: Filter with all its parts, the parts, and the older V1::Filter, which is one
// keyword.
#pragma once
#include "base/json.hpp"
#include "social/filters/filter.hpp"

namespace filters {

struct FilterKeyword {
    KeywordId id;
    std::string keyword;
    bool whole_word = true;
};
DESCRIBE(FilterKeyword, id, keyword, whole_word)

struct FilterStatus {
    FilteredStatusId id;
    StatusId status_id;
};
DESCRIBE(FilterStatus, id, status_id)

struct WholeFilter {
    FilterId id;
    std::string title;
    base::json::Raw context;
    std::optional<Time> expires_at;
    Action filter_action = Action::warn;
    std::vector<FilterKeyword> keywords;
    std::vector<FilterStatus> statuses;
};
DESCRIBE(WholeFilter, id, title, context, expires_at, filter_action, keywords, statuses)

struct V1Filter {
    KeywordId id;
    std::string phrase;
    base::json::Raw context;
    bool whole_word = true;
    std::optional<Time> expires_at;
    bool irreversible = false;
};
DESCRIBE(V1Filter, id, phrase, context, whole_word, expires_at, irreversible)

FilterKeyword entity(const Keyword&);
FilterStatus entity(const FilteredStatus&);
std::vector<FilterKeyword> entities(const std::vector<Keyword>&);
std::vector<FilterStatus> entities(const std::vector<FilteredStatus>&);
std::vector<WholeFilter>
entities(const std::vector<Filter>&, const std::vector<Keyword>&, const std::vector<FilteredStatus>&);
V1Filter v1_entity(const Filter&, const Keyword&);

}  // namespace filters

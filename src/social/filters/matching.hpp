// SPDX-License-Identifier: AGPL-3.0-or-later
// Matches texts against an account's filters, compiled once per relations_version and cached.
#pragma once
#include "base/schema.hpp"
#include "social/filters/filter.hpp"

#include <limits>
#include <memory>
#include <unordered_map>

namespace filters {

// The result for one status: a JSON array of FilterResult ("[]" if nothing matches), valid until `until`,
// because a filter that matched may expire.
struct Outcome {
    std::string json = "[]";
    Time until{std::numeric_limits<std::int64_t>::max()};
};

class Filters {
public:
    Filters(std::vector<Filter>, const std::vector<Keyword>&, const std::vector<FilteredStatus>&);

    bool empty() const { return filters_.empty(); }
    bool has_keywords() const { return has_keywords_; }
    // Whether some filter lists this status.
    bool names(StatusId id) const { return named_.contains(id); }

    // `text`: what the author wrote, without markup.
    Outcome match(StatusId, std::string_view text, Time now) const;

    std::size_t bytes() const;

private:
    struct Word {
        std::string folded;
        bool begins_word = false, ends_word = false;  // where word boundaries are required
    };
    struct Compiled {
        FilterId id;
        std::string json;  // entity Filter, as in a FilterResult
        std::optional<Time> expires_at;
        std::vector<Word> words;
    };
    std::vector<Compiled> filters_;
    std::unordered_map<StatusId, std::vector<FilterId>> named_;
    bool has_keywords_ = false;
};

// Never null. No query if it is cached.
std::shared_ptr<const Filters> filters(db::Read&, AccountId, std::int64_t relations_version);

void describe_filter_result(base::json::Components&);  // for OpenAPI

}  // namespace filters

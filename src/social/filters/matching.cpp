// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/filters/matching.hpp"

#include "base/cache.hpp"
#include "base/json.hpp"
#include "base/text/utf8.hpp"

#include <unicode/uchar.h>

#include <algorithm>

namespace filters {

namespace {

// A case-folded text, with the position in the original of each of its bytes.
struct Folded {
    std::string text;
    std::vector<std::uint32_t> origin;  // one more than bytes: the end of the original
};

Folded fold(std::string_view text) {
    Folded out;
    out.text.reserve(text.size());
    out.origin.reserve(text.size() + 1);
    for (std::size_t at = 0; at < text.size();) {
        auto [c, size, valid] = base::text::decode(text, at);
        if (c < 0x80) out.text += base::text::ascii_lower(static_cast<char>(c));
        else
            base::text::append_utf8(
                out.text, static_cast<char32_t>(u_foldCase(static_cast<UChar32>(c), U_FOLD_CASE_DEFAULT))
            );
        out.origin.resize(out.text.size(), static_cast<std::uint32_t>(at));
        at += size;
    }
    out.origin.push_back(static_cast<std::uint32_t>(text.size()));
    return out;
}

bool word_before(std::string_view text, std::size_t at) {
    return at > 0 && base::text::is_word(base::text::decode_before(text, at).c);
}
bool word_at(std::string_view text, std::size_t at) {
    return at < text.size() && base::text::is_word(base::text::decode(text, at).c);
}

// Entity Filter without its keywords and statuses.
struct FilterEntity {
    FilterId id;
    std::string title;
    base::json::Raw context;
    std::optional<Time> expires_at;
    Action filter_action;
};
DESCRIBE(FilterEntity, id, title, context, expires_at, filter_action)

struct FilterResult {
    base::json::Raw filter;
    std::optional<std::vector<std::string>> keyword_matches;
    std::optional<std::vector<StatusId>> status_matches;
};
DESCRIBE(FilterResult, filter, keyword_matches, status_matches)

}  // namespace

Filters::Filters(
    std::vector<Filter> filters, const std::vector<Keyword>& keywords,
    const std::vector<FilteredStatus>& statuses
) {
    for (auto& f : filters) {
        auto& compiled = filters_.emplace_back();
        compiled.id = f.id;
        compiled.expires_at = f.expires_at;
        compiled.json = base::json::to_string(
            FilterEntity{f.id, std::move(f.title), {std::move(f.context)}, f.expires_at, f.filter_action}
        );
        for (const auto& keyword : keywords) {
            if (keyword.filter_id != f.id) continue;
            auto folded = fold(keyword.keyword).text;
            bool begins = keyword.whole_word && word_at(folded, 0);
            bool ends = keyword.whole_word && word_before(folded, folded.size());
            compiled.words.push_back({std::move(folded), begins, ends});
        }
        has_keywords_ = has_keywords_ || !compiled.words.empty();
    }
    for (const auto& status : statuses) named_[status.status_id].push_back(status.filter_id);
}

std::size_t Filters::bytes() const {
    std::size_t bytes = sizeof *this + named_.size() * 96;
    for (const auto& filter : filters_) {
        bytes += sizeof filter + filter.json.size();
        for (const auto& word : filter.words) bytes += sizeof word + word.folded.size();
    }
    return bytes;
}

namespace {

// The first position of the word, or npos.
template <class Word>
std::size_t find(const std::string& text, const Word& word) {
    for (std::size_t at = 0; (at = text.find(word.folded, at)) != text.npos; ++at) {
        if (word.begins_word && word_before(text, at)) continue;
        if (word.ends_word && word_at(text, at + word.folded.size())) continue;
        return at;
    }
    return text.npos;
}

// The matched text of the first word that matches, as it was written.
template <class Words>
std::optional<std::string> first_match(std::string_view text, const Folded& folded, const Words& words) {
    std::size_t first = std::string::npos, end = 0;
    for (const auto& word : words) {
        auto at = find(folded.text, word);
        if (at >= first) continue;
        first = at;
        end = at + word.folded.size();
    }
    if (first == std::string::npos) return std::nullopt;
    auto from = folded.origin[first];
    return std::string(text.substr(from, folded.origin[end] - from));
}

}  // namespace

Outcome Filters::match(StatusId id, std::string_view text, Time now) const {
    Outcome outcome;
    auto folded = has_keywords_ ? fold(text) : Folded{};
    auto named = named_.find(id);
    std::vector<FilterResult> results;
    for (const auto& filter : filters_) {
        if (filter.expires_at && *filter.expires_at <= now) continue;
        FilterResult result;
        if (auto found = first_match(text, folded, filter.words)) result.keyword_matches = {{*found}};
        if (named != named_.end() && std::ranges::find(named->second, filter.id) != named->second.end())
            result.status_matches = {{id}};
        if (!result.keyword_matches && !result.status_matches) continue;
        result.filter = {filter.json};
        results.push_back(std::move(result));
        if (filter.expires_at) outcome.until = std::min(outcome.until, *filter.expires_at);
    }
    if (!results.empty()) outcome.json = base::json::to_string(results);
    return outcome;
}

namespace {

base::Cache<Filters>& kept() {
    static base::Cache<Filters> cache(8 << 20);
    return cache;
}

}  // namespace

std::shared_ptr<const Filters> filters(db::Read& db, AccountId account, std::int64_t relations_version) {
    if (auto found = kept().find({account.value, relations_version})) return found;
    auto of_account = filters_of(db, account);
    auto made = of_account.empty()
                    ? std::make_shared<const Filters>(
                          std::vector<Filter>{}, std::vector<Keyword>{}, std::vector<FilteredStatus>{}
                      )
                    : std::make_shared<const Filters>(
                          std::move(of_account), keywords_of(db, account), statuses_of(db, account)
                      );
    if (db.is_committed()) kept().put({account.value, relations_version}, made, made->bytes());
    return made;
}

void describe_filter_result(base::json::Components& all) { base::json::component<FilterResult>(all); }

}  // namespace filters

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/list_sources/fires.hpp"

#include "base/json_read.hpp"
#include "base/text/host.hpp"
#include "base/text/utf8.hpp"

#include <boost/json/value.hpp>
#include <map>
#include <unordered_map>

namespace moderation {

namespace {

constexpr std::size_t longest_text = 1000, longest_word = 200, most_words = 20;

boost::json::object object_in(std::string_view text) {
    try {
        auto all = base::json::parse(text);
        if (all.is_object()) return std::move(all.as_object());
    } catch (const std::exception&) {}
    throw Unreadable("The answer is no JSON object");
}

std::string text_in(const boost::json::object& from, std::initializer_list<const char*> names) {
    for (const auto* name : names)
        if (const auto* value = from.if_contains(name); value && value->is_string()) {
            const auto text = std::string_view(value->as_string());
            return base::text::clean_utf8(std::string(text.substr(0, longest_text)));
        }
    return {};
}

const boost::json::array* array_in(
    const boost::json::object& from, std::initializer_list<const char*> names
) {
    for (const auto* name : names)
        if (const auto* value = from.if_contains(name); value && value->is_array()) return &value->as_array();
    return nullptr;
}

// Types and kinds are written with a prefix, in capitals or not: "fires:Domain", "email_domain", "EmailDomain".
std::string plain_word(std::string_view text) {
    const auto begin = text.find_last_of(":/#");
    auto out = base::text::ascii_lowered(begin == text.npos ? text : text.substr(begin + 1));
    std::erase(out, '_');
    return out;
}

std::vector<std::string> texts_in(const boost::json::object& from, std::initializer_list<const char*> names) {
    std::vector<std::string> out;
    if (const auto* all = array_in(from, names))
        for (const auto& one : *all) {
            if (out.size() == most_words) break;
            if (one.is_string()) out.emplace_back(std::string_view(one.as_string()));
            else if (one.is_object()) out.push_back(text_in(one.as_object(), {"id"}));
        }
    else if (auto one = text_in(from, names); !one.empty()) out.push_back(std::move(one));
    for (auto& one : out) one = base::text::clean_utf8(one.substr(0, longest_word));
    return out;
}

std::string last_word(std::string_view address) {
    while (address.ends_with('/')) address.remove_suffix(1);
    const auto begin = address.find_last_of(":/#");
    return base::text::ascii_lowered(begin == address.npos ? address : address.substr(begin + 1));
}

std::optional<AdviceAbout> about(std::string_view kind) {
    if (kind == "domain") return AdviceAbout::domain;
    if (kind == "actor") return AdviceAbout::actor;
    if (kind == "emaildomain") return AdviceAbout::email_domain;
    return {};
}

AdvicePolicy policy(std::string_view word) {
    if (word == "accept") return AdvicePolicy::accept;
    if (word == "filter") return AdvicePolicy::filter;
    if (word == "reject") return AdvicePolicy::reject;
    if (word == "drop") return AdvicePolicy::drop;
    return AdvicePolicy::none;
}

// Its key in the spelling that is stored; empty: it is none.
std::string key_of(AdviceAbout about, const std::string& said) {
    if (about != AdviceAbout::actor) return base::text::normalized_domain(said).value_or("");
    return said.starts_with("https://") || said.find('@') != said.npos ? said : std::string();
}

// Nothing: it is of a kind that is not known, or about no valid name.
std::optional<FiresChange> change_in(const boost::json::object& said, std::string_view own) {
    const auto type = plain_word(text_in(said, {"type"}));
    FiresChange out;
    out.withdraws = type == "retraction" || type == "tombstone";
    if (!out.withdraws && type != "advisory" && type != "recommendation") return {};
    auto& advice = out.advice;
    advice.change = text_in(said, {"id"});
    auto kind = text_in(said, {"entityKind", "entity_kind"}),
         key = text_in(said, {"entityKey", "entity_key"});
    if (const auto* entity = said.if_contains("entity"); entity && entity->is_object()) {
        kind = text_in(entity->as_object(), {"type"});
        key = text_in(entity->as_object(), {"value"});
    }
    if (type == "tombstone" && key.empty()) return out;
    const auto of_what = about(plain_word(kind));
    if (!of_what) return {};
    advice.about = *of_what;
    advice.key = key_of(*of_what, key);
    if (advice.key.empty()) return {};
    if (*of_what == AdviceAbout::domain && instance::is_within(own, advice.key)) return {};
    advice.type = type == "advisory" ? AdviceType::advisory : AdviceType::recommendation;
    advice.labels = texts_in(said, {"labels"});
    advice.comment = text_in(said, {"comment", "summary"});
    if (type != "recommendation") return out;
    advice.policy = policy(plain_word(text_in(said, {"recommendedPolicy", "recommended_policy"})));
    for (const auto& filter : texts_in(said, {"recommendedFilters", "recommended_filters"}))
        advice.filters.push_back(last_word(filter));
    return out;
}

}  // namespace

FiresDataset read_fires_dataset(std::string_view text) {
    const auto said = object_in(text);
    FiresDataset out;
    if (const auto* points = said.if_contains("endpoints"); points && points->is_object()) {
        out.snapshot = text_in(points->as_object(), {"snapshot"});
        out.changes = text_in(points->as_object(), {"changes"});
    }
    if (out.snapshot.empty() || out.changes.empty())
        throw Unreadable("The address is not that of a FIRES dataset: it names no snapshot and changes");
    return out;
}

FiresPage read_fires_page(std::string_view text, std::string_view own) {
    const auto said = object_in(text);
    const auto type = plain_word(text_in(said, {"type"}));
    const bool is_page = type == "orderedcollectionpage" || type == "collectionpage";
    if (!is_page && type != "orderedcollection" && type != "collection")
        throw Unreadable("The answer is no collection of changes");
    FiresPage out;
    out.first = text_in(said, {"first"});
    out.next = text_in(said, {"next"});
    out.goes_on = text_in(said, {"changes"});
    const auto* items = array_in(said, {"orderedItems", "items"});
    if (!items) return out;
    if (items->size() > most_list_lines) throw Unreadable("The answer has more than 20,000 entries");
    for (const auto& one : *items) {
        auto change = one.is_object() ? change_in(one.as_object(), own) : std::nullopt;
        if (change) out.changes.push_back(*std::move(change));
        else ++out.refused;
    }
    return out;
}

void apply_changes(Copy& copy, const std::vector<FiresChange>& changes) {
    using Key = std::pair<AdviceAbout, std::string>;
    std::map<Key, Advice> all;
    std::unordered_map<std::string, Key> by_change;
    auto put = [&](const Advice& one) {
        const Key key{one.about, one.key};
        if (!one.change.empty()) by_change.insert_or_assign(one.change, key);
        all.insert_or_assign(key, one);
    };
    for (const auto& one : copy) put(one);
    for (const auto& [withdraws, advice] : changes) {
        if (!withdraws) {
            put(advice);
        } else if (!advice.key.empty()) {
            all.erase({advice.about, advice.key});
        } else if (const auto known = by_change.find(advice.change); known != by_change.end()) {
            const auto at = all.find(known->second);
            if (at != all.end() && at->second.change == advice.change) all.erase(at);
        }
    }
    if (all.size() > most_list_lines) throw Unreadable("The dataset has more than 20,000 entries");
    copy.clear();
    for (auto& [key, advice] : all) copy.push_back(std::move(advice));
}

}  // namespace moderation

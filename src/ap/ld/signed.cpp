// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/signed.hpp"

#include "ap/ld/compact.hpp"
#include "ap/ld/expand.hpp"
#include "ap/ld/iri.hpp"
#include "base/embedded.hpp"
#include "base/json_read.hpp"

#include <algorithm>

namespace ap::ld {
namespace {

using json = boost::json::value;
using boost::json::array, boost::json::object;

// An integrity proof stands in a graph of its own. It speaks for itself, so it may be signed over but is not kept.
constexpr std::string_view proof = "https://w3id.org/security#proof";

bool is_refused(std::string_view word) {
    return word == "@graph" || word == "@included" || word == "@reverse";
}

// Contexts can give them other names, so expand_signed() looks at what comes out as well.
void refuse_words(const json& value) {
    if (auto* list = value.if_array())
        for (const auto& item : *list) refuse_words(item);
    else if (auto* node = value.if_object())
        for (const auto& [key, inner] : *node) {
            if (is_refused(key)) throw Failure("refused in signed documents");
            refuse_words(inner);
        }
}

using Told = std::unordered_map<std::string, const object*>;

void check_nodes(const json& value, Told& told) {
    if (auto* list = value.if_array()) {
        for (const auto& item : *list) check_nodes(item, told);
        return;
    }
    auto* node = value.if_object();
    if (!node || node->contains("@value")) return;
    if (auto* id = node->if_contains("@id"); id && id->is_string() && node->size() > 1) {
        auto [at, first] = told.emplace(std::string(id->get_string()), node);
        if (!first && *at->second != *node) throw Failure("a node is told in several places");
    }
    for (const auto& [key, inner] : *node) {
        if (key == proof) continue;
        if (is_refused(key)) throw Failure("refused in signed documents");
        check_nodes(inner, told);
    }
}

bool keep_said_value(object& value) {
    value.erase("@index");
    value.erase("@direction");
    if (auto* language = value.if_contains("@language"))
        if (!language->is_string() || !is_language_tag(language->get_string())) return false;
    auto* type = value.if_contains("@type");
    return !type || (type->is_string() && is_well_formed(type->get_string()));
}

bool keep_said_item(json& item);

void keep_said_items(json& items) {
    auto& all = items.as_array();
    auto end = std::remove_if(all.begin(), all.end(), [](json& item) { return !keep_said_item(item); });
    all.erase(end, all.end());
}

bool keep_said_node(object& node) {
    node.erase("@index");
    node.erase(proof);
    if (auto* id = node.if_contains("@id")) {
        if (!id->is_string()) return false;
        // The label of a blank node is no part of what is signed.
        if (is_blank(id->get_string())) node.erase("@id");
        else if (!is_well_formed(id->get_string())) return false;
    }
    if (auto* types = node.if_contains("@type")) {
        auto& all = types->as_array();
        auto unsaid = [](const json& type) {
            return !type.is_string() || !is_well_formed(type.get_string());
        };
        all.erase(std::remove_if(all.begin(), all.end(), unsaid), all.end());
        if (all.empty()) node.erase("@type");
    }
    std::vector<std::string> empty;
    for (auto& [key, items] : node) {
        if (is_keyword(key)) continue;
        if (is_well_formed(key)) keep_said_items(items);
        if (!is_well_formed(key) || items.get_array().empty()) empty.emplace_back(key);
    }
    for (const auto& key : empty) node.erase(key);
    return !node.empty();
}

bool keep_said_item(json& item) {
    auto* node = item.if_object();
    if (!node) return false;
    if (node->contains("@value")) return keep_said_value(*node);
    if (auto* list = node->if_contains("@list")) {
        node->erase("@index");
        keep_said_items(*list);
        return true;
    }
    return keep_said_node(*node);
}

const Vocabulary& own() {
    static const Vocabulary words = [] {
        static const auto document = base::json::parse(base::embedded("web/contexts/own.json").value());
        Work work;
        return Vocabulary(process(Context::initial(), document.at("@context"), work));
    }();
    return words;
}

bool is_nothing(const json& value) {
    return value.is_null() || (value.is_array() && value.get_array().empty());
}

const json& alone(const json& value) {
    if (auto* list = value.if_array(); list && list->size() == 1) return (*list)[0];
    if (auto* node = value.if_object(); node && node->size() == 1)
        if (auto* id = node->if_contains("id")) return *id;
    return value;
}

bool is_public(std::string_view iri) {
    return iri == "as:Public" || iri == "Public" || iri == "https://www.w3.org/ns/activitystreams#Public";
}

bool same(const json& left, const json& right);

bool same_members(const object& left, const object& right) {
    auto plain = [](std::string_view key) { return key == "@id" ? "id" : key == "@type" ? "type" : key; };
    std::size_t count = 0;
    for (const auto& [key, value] : left) {
        if (is_nothing(value)) continue;
        auto* other = right.if_contains(plain(key));
        if (!other || !same(value, *other)) return false;
        count++;
    }
    auto empty = std::ranges::count_if(right, [](const auto& entry) { return is_nothing(entry.value()); });
    return count + static_cast<std::size_t>(empty) == right.size();
}

bool same(const json& left, const json& right) {
    const auto &one = alone(left), &other = alone(right);
    if (auto* list = one.if_array()) {
        auto* others = other.if_array();
        return others && std::ranges::equal(*list, *others, same);
    }
    if (auto* node = one.if_object()) return other.is_object() && same_members(*node, other.get_object());
    if (one.is_string() && other.is_string())
        return one == other || (is_public(one.get_string()) && is_public(other.get_string()));
    if (one.is_number() && other.is_number()) return one.to_number<double>() == other.to_number<double>();
    return one == other;
}

}  // namespace

array expand_signed(const object& document, Work& work) {
    refuse_words(document);
    auto expanded = expand(document, work);
    if (expanded.size() != 1) throw Failure("not one node");
    Told told;
    check_nodes(expanded, told);
    return expanded;
}

bool keep_said(array& expanded) {
    json all = std::move(expanded);
    keep_said_items(all);
    expanded = std::move(all.get_array());
    return !expanded.empty();
}

object compact_signed(const array& said, Work& work) {
    auto node = compact(said, own(), work);
    object out;
    out["@context"] = "https://www.w3.org/ns/activitystreams";
    for (auto& [key, value] : node) out[key] = std::move(value);
    return out;
}

bool says_the_same(const object& document, const object& compacted) {
    auto one = document, other = compacted;
    for (auto* both : {&one, &other}) both->erase("@context");
    one.erase("signature");
    return same_members(one, other);
}

}  // namespace ap::ld

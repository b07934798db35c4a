// SPDX-License-Identifier: AGPL-3.0-or-later
// What expansion makes of each member of a node: keywords, and properties with their containers.
#include "ap/ld/expander.hpp"
#include "ap/ld/iri.hpp"

#include <algorithm>

namespace ap::ld {
namespace {

using json = boost::json::value;
using boost::json::array, boost::json::object;

json text_or_null(const std::optional<std::string>& text) { return text ? json(*text) : json(nullptr); }

const boost::json::string& text_of(const json& value, const char* otherwise) {
    if (auto* text = value.if_string()) return *text;
    throw Failure(otherwise);
}

json wrapped(std::string_view key, json value) {
    object out;
    out[key] = to_array(std::move(value));
    return out;
}

}  // namespace

void Expander::keyword(Frame& frame, std::string_view word, const json& value) {
    auto& out = frame.out;
    if (frame.property == "@reverse") throw Failure("invalid reverse property map");
    if (out.contains(word) && word != "@included" && word != "@type") throw Failure("colliding keywords");
    if (word == "@id") {
        const auto& text = text_of(value, "invalid @id value");
        out["@id"] = text_or_null(expand_iri(*frame.active, text, {.against_base = true}));
    } else if (word == "@type") {
        if (out.contains("@type")) append(out, "@type", types(frame, value));
        else out["@type"] = types(frame, value);
    } else if (word == "@graph") {
        auto items = element(frame.active, "@graph", value, false);
        out["@graph"] = items.is_null() ? array() : to_array(std::move(items));
    } else if (word == "@included") {
        included(frame, value);
    } else if (word == "@value") {
        value_of(frame, value);
    } else if (word == "@language") {
        out["@language"] = text_of(value, "invalid language-tagged string");
    } else if (word == "@direction") {
        if (value != "ltr" && value != "rtl") throw Failure("invalid base direction");
        out["@direction"] = value;
    } else if (word == "@index") {
        out["@index"] = text_of(value, "invalid @index value");
    } else if (word == "@list") {
        if (!frame.property || frame.property == "@graph") return;
        auto items = element(frame.active, frame.property, value, false);
        out["@list"] = items.is_null() ? array() : to_array(std::move(items));
    } else if (word == "@set") {
        auto items = element(frame.active, frame.property, value, false);
        out["@set"] = std::move(items);
    } else if (word == "@reverse") {
        reverse(frame, value);
    }
}

json Expander::types(const Frame& frame, const json& value) {
    auto meant = [&](const json& type) {
        const auto& text = text_of(type, "invalid type value");
        work_.spend();
        return text_or_null(expand_iri(*frame.types_in, text, {.against_base = true, .vocabulary = true}));
    };
    auto* list = value.if_array();
    if (!list) return meant(value);
    array out;
    for (const auto& type : *list) out.push_back(meant(type));
    return out;
}

void Expander::included(Frame& frame, const json& value) {
    auto items = element(frame.active, std::nullopt, value, false);
    if (items.is_null()) throw Failure("invalid @included value");
    auto all = to_array(std::move(items));
    if (!std::ranges::all_of(all, is_node)) throw Failure("invalid @included value");
    append(frame.out, "@included", std::move(all));
}

void Expander::value_of(Frame& frame, const json& value) {
    if (frame.input_type != "@json" && (value.is_object() || value.is_array()))
        throw Failure("invalid value object value");
    frame.out["@value"] = value;
}

void Expander::append_reverse(object& out, std::string_view iri, json items) {
    auto& all = out.emplace("@reverse", object()).first->value().get_object();
    for (auto& item : to_array(std::move(items))) {
        if (is_value(item) || is_list(item)) throw Failure("invalid reverse property value");
        append(all, iri, std::move(item));
    }
}

void Expander::reverse(Frame& frame, const json& value) {
    if (!value.is_object()) throw Failure("invalid @reverse value");
    auto expanded = element(frame.active, "@reverse", value, false);
    auto* all = expanded.if_object();
    if (!all) return;
    if (auto* back = all->if_contains("@reverse"))
        for (auto& [iri, items] : back->get_object()) append(frame.out, iri, std::move(items));
    for (auto& [iri, items] : *all)
        if (iri != "@reverse") append_reverse(frame.out, iri, std::move(items));
}

void Expander::property(Frame& frame, std::string_view key, const std::string& iri, const json& value) {
    static const Definition nothing;
    const auto* found = frame.active->find(key);
    const auto& definition = found ? *found : nothing;
    auto* map = value.if_object();
    json expanded;
    if (definition.type == "@json") {
        object literal;
        literal["@value"] = value;
        literal["@type"] = "@json";
        expanded = std::move(literal);
    } else if (map && definition.has(container::language)) {
        expanded = language_map(frame, definition, *map);
    } else if (map && definition.has(container::index | container::type | container::id)) {
        expanded = index_map(frame, key, definition, *map);
    } else {
        expanded = element(frame.active, key, value, false);
    }
    if (expanded.is_null()) return;
    if (definition.has(container::list) && !is_list(expanded))
        expanded = wrapped("@list", std::move(expanded));
    if (definition.has(container::graph) && !definition.has(container::id | container::index)) {
        array graphs;
        for (auto& item : to_array(std::move(expanded))) graphs.push_back(wrapped("@graph", std::move(item)));
        expanded = std::move(graphs);
    }
    if (definition.reverse) append_reverse(frame.out, iri, std::move(expanded));
    else append(frame.out, iri, std::move(expanded));
}

array Expander::language_map(const Frame& frame, const Definition& definition, const object& value) {
    array out;
    for (const auto& [language, texts] : value)
        for (const auto& text : to_array(texts)) {
            work_.spend(1 + language.size() / 64);
            if (text.is_null()) continue;
            object one;
            one["@value"] = text_of(text, "invalid language map value");
            if (expand_iri(*frame.active, language, {.vocabulary = true}) != "@none")
                one["@language"] = language;
            const auto& direction = definition.direction ? *definition.direction : frame.active->direction;
            if (!direction.empty()) one["@direction"] = direction;
            out.push_back(std::move(one));
        }
    return out;
}

array Expander::index_map(
    const Frame& frame, std::string_view key, const Definition& definition, const object& value
) {
    array out;
    auto outside = frame.active;
    if (definition.has(container::id | container::type) && outside->previous) outside = outside->previous;
    for (const auto& [index, items] : value) {
        auto inside = outside;
        if (definition.has(container::type))
            if (const auto* type = inside->find(index); type && type->scoped)
                inside = process(inside, *type->scoped, work_, {.propagate = false});
        auto expanded = element(inside, key, to_array(items), true);
        for (auto& item : to_array(std::move(expanded))) {
            work_.spend(1 + index.size() / 64);
            if (definition.has(container::graph) && !is_graph(item))
                item = wrapped("@graph", std::move(item));
            if (auto* one = item.if_object()) enter_index(*frame.active, definition, index, *one);
            out.push_back(std::move(item));
        }
    }
    return out;
}

// Writes the key of a map into the node that it stands for.
void Expander::enter_index(
    const Context& context, const Definition& definition, std::string_view index, object& item
) {
    auto meant = expand_iri(context, index, {.vocabulary = true});
    if (meant == "@none") return;
    if (definition.has(container::index) && !definition.index.empty()) {
        auto property = expand_iri(context, definition.index, {.vocabulary = true}).value_or("");
        array values;
        values.push_back(expand_value(context, definition.index, json(index)));
        if (auto* before = item.if_contains(property))
            for (auto& value : to_array(std::move(*before))) values.push_back(std::move(value));
        item[property] = std::move(values);
        if (item.contains("@value") && item.size() > 1) throw Failure("invalid value object");
    } else if (definition.has(container::index)) {
        if (!item.contains("@index")) item["@index"] = index;
    } else if (definition.has(container::id)) {
        if (!item.contains("@id"))
            item["@id"] = text_or_null(expand_iri(context, index, {.against_base = true}));
    } else if (definition.has(container::type)) {
        array types;
        types.push_back(text_or_null(meant));
        if (auto* before = item.if_contains("@type"))
            for (auto& type : to_array(std::move(*before))) types.push_back(std::move(type));
        item["@type"] = std::move(types);
    }
}

}  // namespace ap::ld

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/compact.hpp"

#include "ap/ld/compactor.hpp"
#include "ap/ld/expand.hpp"
#include "ap/ld/expander.hpp"
#include "ap/ld/iri.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace ap::ld {
namespace {

using json = boost::json::value;
using boost::json::array, boost::json::object;

const Definition& definition_of(const Context& context, std::optional<std::string_view> property) {
    static const Definition nothing;
    const auto* found = property ? context.find(*property) : nullptr;
    return found ? *found : nothing;
}

bool same_language(const object& value, const std::string& language) {
    auto* said = value.if_contains("@language");
    return said ? said->is_string() &&
                      base::text::ascii_lowered(said->get_string()) == base::text::ascii_lowered(language)
                : language.empty();
}

bool same_direction(const object& value, const std::string& direction) {
    auto* said = value.if_contains("@direction");
    return said ? *said == json(direction) : direction.empty();
}

}  // namespace

object compact(
    const array& expanded, const Vocabulary& vocabulary, Work& work, const CompactOptions& options
) {
    Compactor compactor(vocabulary, work, options);
    auto out = compactor.element(vocabulary.context, std::nullopt, expanded);
    if (auto* node = out.if_object()) return std::move(*node);
    object all;
    auto& items = out.get_array();
    if (!items.empty()) all[compactor.iri(vocabulary.context, "@graph", {})] = std::move(items);
    return all;
}

void Compactor::add(object& to, std::string_view key, json value, bool as_array) {
    auto* before = to.if_contains(key);
    if (!before) {
        if (as_array && !value.is_array()) value = to_array(std::move(value));
        to[key] = std::move(value);
        return;
    }
    if (value.is_array() && value.get_array().empty() && before->is_array()) return;
    append(to, key, std::move(value));
}

json Compactor::element(ContextPtr active, Property property, const json& value) {
    work_.spend();
    const auto& definition = definition_of(*active, property);
    if (auto* list = value.if_array()) {
        array out;
        for (const auto& item : *list)
            if (auto compacted = element(active, property, item); !compacted.is_null())
                out.push_back(std::move(compacted));
        bool as_list = out.size() != 1 || !options_.arrays || property == "@graph" || property == "@set" ||
                       definition.has(container::list | container::set);
        if (as_list) return out;
        json only = std::move(out[0]);
        return only;
    }
    if (auto* said = value.if_object()) return node(std::move(active), property, *said);
    return value;
}

json Compactor::value_of(const ContextPtr& active, Property property, const object& value) {
    const auto& definition = definition_of(*active, property);
    bool keeps_index = value.contains("@index") && !definition.has(container::index);
    if (auto* id = value.if_contains("@id")) {
        bool alone = value.size() == 1 || (value.size() == 2 && value.contains("@index"));
        if (alone && !keeps_index && id->is_string()) {
            if (definition.type == "@id") return json(iri(active, id->get_string(), {.vocabulary = false}));
            if (definition.type == "@vocab") return json(iri(active, id->get_string(), {}));
        }
    } else if (auto* type = value.if_contains("@type")) {
        if (*type == json(definition.type) && !keeps_index) return value.at("@value");
    } else if (definition.type != "@none" && !keeps_index) {
        const auto& said = value.at("@value");
        if (!said.is_string()) return said;
        if (same_language(value, definition.language ? *definition.language : active->language) &&
            same_direction(value, definition.direction ? *definition.direction : active->direction))
            return said;
    }
    object out;
    for (const auto& [key, said] : value) {
        auto name = alias(active, key);
        if (key == "@type" && said.is_string()) out[name] = iri(active, said.get_string(), {});
        else if (key == "@id" && said.is_string())
            out[name] = iri(active, said.get_string(), {.vocabulary = false});
        else if (key != "@index" || keeps_index) out[name] = said;
    }
    return out;
}

json Compactor::node(ContextPtr active, Property property, const object& value) {
    Frame frame{
        .active = active,
        .types_in = active,
        .property = property,
        .inside_reverse = property == "@reverse",
        .out = {}
    };
    auto scoped = definition_of(*active, property).scoped;
    if (active->previous && !value.contains("@value") && !(value.size() == 1 && value.contains("@id")))
        active = active->previous;
    if (scoped) active = process(active, *scoped, work_, {.override_protected = true});
    const auto& definition = definition_of(*active, property);
    if (value.contains("@value") || value.contains("@id")) {
        auto simple = value.contains("@value") || value.size() <= 2 ? value_of(active, property, value)
                                                                    : json(object());
        if (value.contains("@value") || !simple.is_object()) return simple;
    }
    if (auto* list = value.if_contains("@list"); list && definition.has(container::list))
        return element(active, property, *list);
    frame.active = active;
    if (auto* types = value.if_contains("@type")) {
        std::vector<std::string> names;
        for (const auto& type : to_array(*types))
            if (type.is_string()) names.push_back(iri(frame.types_in, type.get_string(), {}));
        std::ranges::sort(names);
        for (const auto& name : names)
            if (const auto* type = frame.types_in->find(name); type && type->scoped)
                frame.active = process(frame.active, *type->scoped, work_, {.propagate = false});
    }
    std::vector<std::string_view> keys;
    for (const auto& [key, ignored] : value) keys.push_back(key);
    std::ranges::sort(keys);
    for (auto key : keys) {
        const auto& said = value.at(key);
        bool is_content =
            !is_keyword(key) || key == "@graph" || key == "@included" || key == "@list" || key == "@set";
        if (is_content) items(frame, key, to_array(said));
        else keyword(frame, key, said);
    }
    return std::move(frame.out);
}

void Compactor::keyword(Frame& frame, std::string_view word, const json& value) {
    if (word == "@reverse") return reverse(frame, value);
    if (word == "@index" && definition_of(*frame.active, frame.property).has(container::index)) return;
    auto name = alias(frame.active, word);
    if (word == "@id") {
        if (value.is_string()) frame.out[name] = iri(frame.active, value.get_string(), {.vocabulary = false});
    } else if (word == "@type") {
        array types;
        for (const auto& type : to_array(value))
            if (type.is_string()) types.push_back(json(iri(frame.types_in, type.get_string(), {})));
        bool as_array =
            definition_of(*frame.active, name).has(container::set) || !options_.arrays || types.size() != 1;
        json all = as_array ? json(std::move(types)) : std::move(types[0]);
        add(frame.out, name, std::move(all), as_array);
    } else {
        frame.out[name] = value;
    }
}

void Compactor::reverse(Frame& frame, const json& value) {
    auto compacted = element(frame.active, "@reverse", value);
    auto* all = compacted.if_object();
    if (!all) return;
    object rest;
    for (auto& [term, items] : *all) {
        const auto& definition = definition_of(*frame.active, term);
        if (!definition.reverse) rest[term] = std::move(items);
        else add(frame.out, term, std::move(items), definition.has(container::set) || !options_.arrays);
    }
    if (!rest.empty()) frame.out[alias(frame.active, "@reverse")] = std::move(rest);
}

void Compactor::items(Frame& frame, std::string_view property, const array& values) {
    const json nothing = array();
    if (values.empty()) {
        auto term = iri(frame.active, property, {.reverse = frame.inside_reverse}, &nothing);
        add(nest(frame, term), term, array(), true);
    }
    for (const auto& value : values) item(frame, property, value);
}

// Where the term stands: in the node, or in the member that nests it.
object& Compactor::nest(Frame& frame, const std::string& term) {
    const auto& name = definition_of(*frame.active, term).nest;
    if (name.empty()) return frame.out;
    if (name != "@nest" && expand_iri(*frame.active, name, {.vocabulary = true}) != "@nest")
        throw Failure("invalid @nest value");
    auto& inner = frame.out.emplace(name, object()).first->value();
    if (!inner.is_object()) throw Failure("invalid @nest value");
    return inner.get_object();
}

void Compactor::item(Frame& frame, std::string_view property, const json& value) {
    auto term = iri(frame.active, property, {.reverse = frame.inside_reverse}, &value);
    auto& to = nest(frame, term);
    const auto& definition = definition_of(*frame.active, term);
    bool as_array = definition.has(container::set) || term == "@graph" || term == "@list" ||
                    !options_.arrays || property == "@graph" || property == "@list";
    auto* said = value.if_object();
    bool graph = is_graph(value) && property != "@graph";
    const json& inside = is_list(value) ? said->at("@list") : graph ? said->at("@graph") : value;
    auto compacted = element(frame.active, term, inside);
    if (is_list(value)) {
        compacted = to_array(std::move(compacted));
        if (definition.has(container::list)) {
            to[term] = std::move(compacted);
            return;
        }
        object list;
        list[alias(frame.active, "@list")] = std::move(compacted);
        if (auto* index = said->if_contains("@index")) list[alias(frame.active, "@index")] = *index;
        return add(to, term, std::move(list), as_array);
    }
    if (graph) return graph_item(frame, to, term, definition, *said, std::move(compacted));
    bool map = definition.has(container::language | container::index | container::id | container::type) &&
               !definition.has(container::graph);
    if (map && said) return map_item(frame, to, term, definition, *said, std::move(compacted));
    add(to, term, std::move(compacted), as_array);
}

void Compactor::graph_item(
    Frame& frame, object& to, const std::string& term, const Definition& definition, const object& said,
    json compacted
) {
    bool as_array = definition.has(container::set) || !options_.arrays;
    auto* id = said.if_contains("@id");
    auto* index = said.if_contains("@index");
    auto none = [&] { return alias(frame.active, "@none"); };
    auto in_map = [&](const std::string& key) {
        auto& map = to.emplace(term, object()).first->value();
        if (map.is_object()) add(map.get_object(), key, std::move(compacted), as_array);
    };
    if (definition.has(container::graph) && definition.has(container::id)) {
        in_map(id && id->is_string() ? iri(frame.active, id->get_string(), {.vocabulary = false}) : none());
    } else if (definition.has(container::graph) && definition.has(container::index) && !id) {
        in_map(index && index->is_string() ? std::string(index->get_string()) : none());
    } else if (definition.has(container::graph) && !id) {
        if (compacted.is_array() && compacted.get_array().size() > 1) {
            object several;
            several[alias(frame.active, "@included")] = std::move(compacted);
            compacted = std::move(several);
        }
        add(to, term, std::move(compacted), as_array);
    } else {
        object graph;
        graph[alias(frame.active, "@graph")] = std::move(compacted);
        if (id && id->is_string())
            graph[alias(frame.active, "@id")] = iri(frame.active, id->get_string(), {.vocabulary = false});
        if (index) graph[alias(frame.active, "@index")] = *index;
        add(to, term, std::move(graph), as_array);
    }
}

void Compactor::map_item(
    Frame& frame, object& to, const std::string& term, const Definition& definition, const object& said,
    json compacted
) {
    json key;
    auto* inner = compacted.if_object();
    auto take_first = [&](const std::string& name) {
        auto* found = inner ? inner->if_contains(name) : nullptr;
        if (!found) return;
        auto all = to_array(std::move(*found));
        inner->erase(name);
        if (all.empty() || !all[0].is_string()) {
            if (!all.empty())
                add(*inner, name, all.size() == 1 ? std::move(all[0]) : json(std::move(all)), false);
            return;
        }
        key = std::move(all[0]);
        all.erase(all.begin());
        if (all.size() == 1) add(*inner, name, std::move(all[0]), false);
        else if (!all.empty()) add(*inner, name, std::move(all), false);
    };
    if (definition.has(container::language)) {
        if (auto* value = said.if_contains("@value")) compacted = *value;
        if (auto* language = said.if_contains("@language")) key = *language;
    } else if (definition.has(container::index) && definition.index.empty()) {
        if (auto* index = said.if_contains("@index")) key = *index;
    } else if (definition.has(container::index)) {
        auto meant = expand_iri(*frame.active, definition.index, {.vocabulary = true});
        bool as_said = inner && inner->contains(definition.index);
        take_first(as_said ? definition.index : iri(frame.active, meant.value_or(""), {}));
    } else if (definition.has(container::id)) {
        take_first(alias(frame.active, "@id"));
    } else {
        take_first(alias(frame.active, "@type"));
        if (inner && inner->size() == 1 && said.contains("@id") &&
            expand_iri(*frame.active, inner->begin()->key(), {.vocabulary = true}) == "@id") {
            object reference;
            reference["@id"] = said.at("@id");
            compacted = element(frame.active, term, reference);
        }
    }
    auto name = key.is_string() ? std::string(key.get_string()) : alias(frame.active, "@none");
    auto& map = to.emplace(term, object()).first->value();
    bool as_array = definition.has(container::set) || !options_.arrays;
    if (map.is_object()) add(map.get_object(), name, std::move(compacted), as_array);
}

}  // namespace ap::ld

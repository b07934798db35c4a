// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/expand.hpp"

#include "ap/ld/expander.hpp"
#include "ap/ld/iri.hpp"

#include <algorithm>

namespace ap::ld {
namespace {

using json = boost::json::value;
using boost::json::array, boost::json::object;

bool is_scalar(const json& value) { return !value.is_null() && !value.is_object() && !value.is_array(); }

bool has(const json& value, std::string_view member) {
    return value.is_object() && value.get_object().contains(member);
}

bool includes(const object& node, std::initializer_list<std::string_view> others) {
    return std::ranges::any_of(node, [&](const auto& entry) {
        return std::ranges::find(others, std::string_view(entry.key())) == others.end();
    });
}

}  // namespace

bool is_value(const json& value) { return has(value, "@value"); }
bool is_list(const json& value) { return has(value, "@list"); }
bool is_graph(const json& value) {
    return has(value, "@graph") && !includes(value.get_object(), {"@graph", "@id", "@index", "@context"});
}
bool is_node(const json& value) {
    return value.is_object() && !has(value, "@value") && !has(value, "@list") && !has(value, "@set");
}

array to_array(json value) {
    if (value.is_array()) return std::move(value.get_array());
    array out;
    out.push_back(std::move(value));
    return out;
}

void append(object& to, std::string_view key, json value) {
    auto& all = to.emplace(key, array()).first->value();
    if (!all.is_array()) all = to_array(std::move(all));
    for (auto& item : to_array(std::move(value))) all.get_array().push_back(std::move(item));
}

object expand_value(const Context& context, std::string_view property, const json& scalar) {
    const auto* definition = context.find(property);
    std::string_view type = definition ? std::string_view(definition->type) : std::string_view();
    object out;
    if (scalar.is_string() && (type == "@id" || type == "@vocab")) {
        auto iri =
            expand_iri(context, scalar.get_string(), {.against_base = true, .vocabulary = type == "@vocab"});
        out["@id"] = iri ? json(*iri) : json(nullptr);
        return out;
    }
    out["@value"] = scalar;
    if (!type.empty() && type != "@id" && type != "@vocab" && type != "@none") {
        out["@type"] = type;
    } else if (scalar.is_string()) {
        auto& language = definition && definition->language ? *definition->language : context.language;
        auto& direction = definition && definition->direction ? *definition->direction : context.direction;
        if (!language.empty()) out["@language"] = language;
        if (!direction.empty()) out["@direction"] = direction;
    }
    return out;
}

array expand(const json& document, Work& work, const ExpandOptions& options) {
    auto out = Expander(work).element(Context::initial(options.base), std::nullopt, document, false);
    if (auto* node = out.if_object(); node && node->size() == 1 && node->contains("@graph")) {
        json graph = std::move(node->at("@graph"));
        out = std::move(graph);
    }
    if (out.is_null()) return {};
    return to_array(std::move(out));
}

json Expander::element(const ContextPtr& active, Property property, const json& value, bool from_map) {
    work_.spend();
    if (value.is_null()) return nullptr;
    const auto* definition = property ? active->find(*property) : nullptr;
    if (is_scalar(value)) {
        if (!property || property == "@graph") return nullptr;
        if (!definition || !definition->scoped) return expand_value(*active, *property, value);
        auto inside = process(active, *definition->scoped, work_, {.override_protected = true});
        return expand_value(*inside, *property, value);
    }
    if (auto* list = value.if_array()) {
        array out;
        for (const auto& item : *list) {
            auto expanded = element(active, property, item, from_map);
            if (expanded.is_array() && definition && definition->has(container::list)) {
                object inner;
                inner["@list"] = std::move(expanded);
                expanded = std::move(inner);
            }
            if (expanded.is_null()) continue;
            for (auto& one : to_array(std::move(expanded))) out.push_back(std::move(one));
        }
        return out;
    }
    return node(active, property, value.get_object(), from_map);
}

json Expander::node(ContextPtr active, Property property, const object& said, bool from_map) {
    const json* scoped = nullptr;
    if (property)
        if (const auto* definition = active->find(*property)) scoped = definition->scoped;
    if (active->previous && !from_map) {
        bool is_value = false, is_reference = false;
        for (const auto& [key, ignored] : said) {
            auto meant = expand_iri(*active, key, {.vocabulary = true});
            is_value = is_value || meant == "@value";
            is_reference = is_reference || (meant == "@id" && said.size() == 1);
        }
        if (!is_value && !is_reference) active = active->previous;
    }
    if (scoped) active = process(active, *scoped, work_, {.override_protected = true});
    if (auto* local = said.if_contains("@context")) active = process(active, *local, work_);

    Frame frame{.active = active, .types_in = active, .property = property, .input_type = {}, .out = {}};
    read_types(frame, said);
    members(frame, said);
    return finish(std::move(frame.out), property);
}

// The contexts of the types of a node hold in it too.
void Expander::read_types(Frame& frame, const object& said) {
    std::vector<std::string_view> keys;
    for (const auto& [key, ignored] : said)
        if (expand_iri(*frame.active, key, {.vocabulary = true}) == "@type") keys.push_back(key);
    std::ranges::sort(keys);
    for (auto key : keys) {
        std::vector<std::string> types;
        for (const auto& type : to_array(said.at(key)))
            if (type.is_string()) types.emplace_back(type.get_string());
        if (key == keys.front() && !types.empty())
            frame.input_type = expand_iri(*frame.types_in, types.back(), {.vocabulary = true}).value_or("");
        std::ranges::sort(types);
        for (const auto& type : types)
            if (const auto* definition = frame.types_in->find(type); definition && definition->scoped)
                frame.active = process(frame.active, *definition->scoped, work_, {.propagate = false});
    }
}

void Expander::members(Frame& frame, const object& said) {
    std::vector<std::string_view> nests;
    for (const auto& [key, value] : said) {
        if (key == "@context") continue;
        auto meant = expand_iri(*frame.active, key, {.vocabulary = true});
        if (!meant || (meant->find(':') == meant->npos && !is_keyword(*meant))) continue;
        if (!is_keyword(*meant)) this->property(frame, key, *meant, value);
        else if (*meant == "@nest") nests.push_back(key);
        else keyword(frame, *meant, value);
    }
    std::ranges::sort(nests);
    for (auto key : nests) {
        work_.spend();
        auto outside = frame.active;
        if (const auto* definition = frame.active->find(key); definition && definition->scoped)
            frame.active = process(frame.active, *definition->scoped, work_, {.override_protected = true});
        for (const auto& nested : to_array(said.at(key))) {
            auto* inner = nested.if_object();
            if (!inner) throw Failure("invalid @nest value");
            for (const auto& [member, ignored] : *inner)
                if (expand_iri(*frame.active, member, {.vocabulary = true}) == "@value")
                    throw Failure("invalid @nest value");
            members(frame, *inner);
        }
        frame.active = outside;
    }
}

json Expander::finish(object out, Property property) {
    if (auto* value = out.if_contains("@value")) {
        auto* type = out.if_contains("@type");
        bool tagged = out.contains("@language") || out.contains("@direction");
        if (includes(out, {"@direction", "@index", "@language", "@type", "@value"}) || (type && tagged))
            throw Failure("invalid value object");
        if (type && *type == "@json") return out;
        if (value->is_null()) return nullptr;
        if (!value->is_string() && out.contains("@language")) throw Failure("invalid language-tagged value");
        if (type && (!type->is_string() || !is_well_formed(type->get_string())))
            throw Failure("invalid typed value");
    } else if (out.contains("@set") || out.contains("@list")) {
        if (out.size() > (out.contains("@index") ? 2u : 1u)) throw Failure("invalid set or list object");
        if (auto* set = out.if_contains("@set")) {
            json all = std::move(*set);
            return all;
        }
    } else if (auto* types = out.if_contains("@type"); types && !types->is_array()) {
        *types = to_array(std::move(*types));
    }
    if (out.size() == 1 && out.contains("@language")) return nullptr;
    if (property && property != "@graph") return out;
    bool says_nothing = out.empty() || out.contains("@value") || out.contains("@list") ||
                        (out.size() == 1 && out.contains("@id"));
    if (says_nothing) return nullptr;
    return out;
}

}  // namespace ap::ld

// SPDX-License-Identifier: AGPL-3.0-or-later
// The choice of a term, or of a shorter form, for an IRI.
#include "ap/ld/compactor.hpp"
#include "ap/ld/expand.hpp"
#include "ap/ld/iri.hpp"

#include <algorithm>

namespace ap::ld {
namespace {

using json = boost::json::value;
using boost::json::object;

std::string_view text_of(const object& value, std::string_view key) {
    auto* found = value.if_contains(key);
    return found && found->is_string() ? std::string_view(found->get_string()) : std::string_view();
}

struct Kind {
    Inverse::By by = Inverse::By::language;
    std::string wanted = "@null";
};

Kind kind_of(const object& value) {
    bool tags = value.contains("@language") || value.contains("@direction");
    if (!value.contains("@value")) return {Inverse::By::type, "@id"};
    if (tags)
        return {Inverse::By::language, tagged(text_of(value, "@language"), text_of(value, "@direction"))};
    if (value.contains("@type")) return {Inverse::By::type, std::string(text_of(value, "@type"))};
    return {};
}

// What all items of a list have in common.
Kind kind_of_list(const boost::json::array& items, const Context& context) {
    std::string languages, types;
    if (items.empty()) {
        bool none = context.language.empty() && context.direction.empty();
        languages = none ? "@none" : tagged(context.language, context.direction);
    }
    for (const auto& item : items) {
        std::string language = "@none", type = "@none";
        auto* one = item.if_object();
        if (one && one->contains("@value")) {
            auto kind = kind_of(*one);
            (kind.by == Inverse::By::type ? type : language) = kind.wanted;
        } else {
            type = "@id";
        }
        if (languages.empty()) languages = language;
        else if (language != languages && one && one->contains("@value")) languages = "@none";
        if (types.empty()) types = type;
        else if (type != types) types = "@none";
        if (languages == "@none" && types == "@none") break;
    }
    if (languages.empty()) languages = "@none";
    if (types.empty()) types = "@none";
    if (types != "@none") return {Inverse::By::type, types};
    return {Inverse::By::language, languages};
}

}  // namespace

const Inverse& Compactor::inverse(const ContextPtr& context) {
    if (context == first_.context) return *first_.inverse;
    auto& made = inverses_[context];
    if (!made) {
        auto terms = context->terms().size();
        work_.spend(terms);
        made = std::make_unique<Inverse>(*context);
    }
    return *made;
}

std::string Compactor::iri(const ContextPtr& context, std::string_view iri, How how, const json* value) {
    if (is_keyword(iri)) {
        auto term = inverse(context).choose(iri, {0, container::set}, Inverse::By::any, {});
        return std::string(term.empty() ? iri : term);
    }
    if (how.vocabulary && inverse(context).knows(iri))
        if (auto term = best_term(context, iri, how.reverse, value); !term.empty()) return term;
    if (how.vocabulary && context->vocabulary) {
        const auto& vocabulary = *context->vocabulary;
        if (iri.starts_with(vocabulary) && iri.size() > vocabulary.size()) {
            auto suffix = iri.substr(vocabulary.size());
            if (!context->find(suffix)) return std::string(suffix);
        }
    }
    if (auto found = short_form(context, iri, value); !found.empty()) return found;
    if (auto colon = iri.find(':', 1); colon != iri.npos && !iri.substr(colon + 1).starts_with("//"))
        if (const auto* scheme = context->find(iri.substr(0, colon)); scheme && scheme->iri && scheme->prefix)
            throw Failure("IRI confused with prefix");
    if (!how.vocabulary && options_.relative_to_base && !context->base.empty() && is_absolute(iri))
        return relative_to(context->base, iri);
    return std::string(iri);
}

std::string Compactor::best_term(
    const ContextPtr& context, std::string_view iri, bool reverse, const json* value
) {
    namespace c = container;
    using By = Inverse::By;
    std::vector<unsigned> containers;
    Kind kind;
    const auto* said = value ? value->if_object() : nullptr;
    bool indexed = said && said->contains("@index");
    auto add = [&](std::initializer_list<unsigned> more) { containers.insert(containers.end(), more); };
    if (indexed && !is_graph(*value)) add({c::index, c::index | c::set});
    if (reverse) {
        kind = {By::type, "@reverse"};
        add({c::set});
    } else if (said && is_list(*value)) {
        const auto& items = said->at("@list").get_array();
        if (!indexed) add({c::list});
        kind = kind_of_list(items, *context);
        if (items.empty()) kind.by = By::any;
    } else if (said && is_graph(*value)) {
        bool named = said->contains("@id");
        if (indexed) add({c::graph | c::index, c::graph | c::index | c::set});
        if (named) add({c::graph | c::id, c::graph | c::id | c::set});
        add({c::graph, c::graph | c::set, c::set});
        if (!indexed) add({c::graph | c::index, c::graph | c::index | c::set});
        if (!named) add({c::graph | c::id, c::graph | c::id | c::set});
        add({c::index, c::index | c::set});
        kind = {By::type, "@id"};
    } else {
        if (said) kind = kind_of(*said);
        bool tags = said && (said->contains("@language") || said->contains("@direction"));
        if (said && !said->contains("@value")) add({c::id, c::id | c::set, c::type, c::set | c::type});
        else if (tags && !indexed) add({c::language, c::language | c::set});
        add({c::set});
    }
    add({0});
    if (!indexed) add({c::index, c::index | c::set});
    if (said && said->size() == 1 && said->contains("@value")) add({c::language, c::language | c::set});

    std::vector<std::string> preferred;
    if (kind.wanted == "@reverse") preferred.push_back("@reverse");
    if ((kind.wanted == "@id" || kind.wanted == "@reverse") && said && said->contains("@id")) {
        auto id = text_of(*said, "@id");
        const auto* term = context->find(this->iri(context, id, {}));
        if (term && term->iri == id) preferred.insert(preferred.end(), {"@vocab", "@id", "@none"});
        else preferred.insert(preferred.end(), {"@id", "@vocab", "@none"});
    } else {
        preferred.insert(preferred.end(), {kind.wanted, "@none"});
    }
    preferred.push_back("@any");
    for (std::size_t i = 0, count = preferred.size(); i < count; i++)
        if (auto at = preferred[i].find('_'); at != std::string::npos && at > 0 && preferred[i][0] != '@')
            preferred.push_back(preferred[i].substr(at));
    return std::string(inverse(context).choose(iri, containers, kind.by, preferred));
}

// The shortest "prefix:rest".
std::string Compactor::short_form(const ContextPtr& context, std::string_view iri, const json* value) {
    std::string best;
    auto prefix_of = [&](std::string_view start) {
        return start.size() < iri.size() && iri.starts_with(start);
    };
    for (const auto& [term, definition] : inverse(context).prefixes()) {
        if (!prefix_of(*definition->iri)) continue;
        auto candidate = std::string(term) + ":" + std::string(iri.substr(definition->iri->size()));
        if (!best.empty() &&
            (candidate.size() > best.size() || (candidate.size() == best.size() && candidate >= best)))
            continue;
        const auto* taken = context->find(candidate);
        if (!taken || (taken->iri == iri && !value)) best = std::move(candidate);
    }
    return best;
}

}  // namespace ap::ld

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/iri.hpp"
#include "ap/ld/processor.hpp"

#include <algorithm>

namespace ap::ld {
namespace {

bool is_iri_or_blank(const std::optional<std::string>& iri) {
    return iri && !is_keyword(*iri) && iri->find(':') != iri->npos;
}

using json = boost::json::value;

void check_lengths(const Definition& made) {
    auto size = [](const auto& text) { return text ? text->size() : 0; };
    if (std::max({size(made.iri), size(made.language), made.type.size(), made.index.size()}) >
        longest_in_context)
        throw Failure("document too complex");
}

unsigned container_named(const boost::json::value& value) {
    static constexpr std::pair<std::string_view, unsigned> all[] = {
        {"@graph", container::graph},
        {"@id", container::id},
        {"@index", container::index},
        {"@language", container::language},
        {"@list", container::list},
        {"@set", container::set},
        {"@type", container::type}
    };
    if (auto* text = value.if_string())
        for (const auto& [name, bit] : all)
            if (name == std::string_view(*text)) return bit;
    throw Failure("invalid container mapping");
}

}  // namespace

void Processor::define_if_local(std::string_view term) {
    if (!local_ || !local_->contains(term)) return;
    auto state = states_.find(term);
    if (state == states_.end() || state->second == State::open) define(term);
}

void Processor::define(std::string_view term) {
    if (auto state = states_.find(term); state != states_.end()) {
        if (state->second == State::done) return;
        throw Failure("cyclic IRI mapping");
    }
    work_.spend();
    if (term.empty()) throw Failure("invalid term definition");
    states_.emplace(term, State::open);
    const auto& value = local_->at(term);
    if (term == "@type") {
        auto* object = value.if_object();
        if (!object || object->empty()) throw Failure("keyword redefinition");
        for (const auto& [key, said] : *object)
            if (key != "@protected" && (key != "@container" || said != "@set"))
                throw Failure("keyword redefinition");
    } else if (is_keyword(term)) {
        throw Failure("keyword redefinition");
    }
    // A term that is being defined does not stand for what it stood for below.
    auto before = result_->look_up(term);
    result_->own_.insert_or_assign(std::string(term), nullptr);
    auto made = read(term, value);
    if (made) check_lengths(*made);
    states_.insert_or_assign(std::string(term), State::done);
    if (!made) return;
    auto kept = std::make_shared<Definition>(std::move(*made));
    if (!how_.override_protected && before && before->is_protected) {
        if (!kept->means_the_same(*before)) throw Failure("protected term redefinition");
        kept->is_protected = true;
    }
    result_->own_.insert_or_assign(std::string(term), std::move(kept));
}

// Nothing for a term that is to be ignored.
std::optional<Definition> Processor::read(std::string_view term, const boost::json::value& value) {
    if (looks_like_keyword(term) && !is_keyword(term)) return std::nullopt;
    Definition out;
    out.is_protected = protected_;
    const auto* object = value.if_object();
    if (!object && !value.is_string() && !value.is_null()) throw Failure("invalid term definition");
    boost::json::object simple;
    if (!object) simple.emplace("@id", value);
    const auto& said = object ? *object : simple;

    if (auto* is_protected = said.if_contains("@protected")) {
        if (!is_protected->is_bool()) throw Failure("invalid @protected value");
        out.is_protected = is_protected->get_bool();
    }
    read_type(said, out);
    if (said.contains("@reverse")) {
        if (!read_reverse(said, out)) return std::nullopt;
    } else {
        if (!read_iri(term, said, !object, out)) return std::nullopt;
        read_containers(said, out);
    }
    read_rest(term, said, out);
    return out;
}

void Processor::read_type(const boost::json::object& value, Definition& out) {
    auto* type = value.if_contains("@type");
    if (!type) return;
    if (!type->is_string()) throw Failure("invalid type mapping");
    auto iri = expand_here(type->get_string());
    static constexpr std::string_view words[] = {"@id", "@json", "@none", "@vocab"};
    if (!iri || (std::ranges::find(words, *iri) == std::end(words) && !is_absolute(*iri)))
        throw Failure("invalid type mapping");
    out.type = *iri;
}

bool Processor::read_reverse(const boost::json::object& value, Definition& out) {
    if (value.contains("@id") || value.contains("@nest")) throw Failure("invalid reverse property");
    const auto& reverse = value.at("@reverse");
    if (!reverse.is_string()) throw Failure("invalid IRI mapping");
    std::string_view word = reverse.get_string();
    if (looks_like_keyword(word) && !is_keyword(word)) return false;
    auto iri = expand_here(word);
    if (!is_iri_or_blank(iri)) throw Failure("invalid IRI mapping");
    out.iri = std::move(iri);
    if (auto* said = value.if_contains("@container"); said && !said->is_null()) {
        if (*said != "@set" && *said != "@index") throw Failure("invalid reverse property");
        out.containers = container_named(*said);
    }
    out.reverse = true;
    return true;
}

bool Processor::read_iri(
    std::string_view term, const boost::json::object& value, bool simple, Definition& out
) {
    auto colon = term.find(':', 1);
    bool has_colon = colon != term.npos && colon + 1 < term.size(), has_slash = term.find('/') != term.npos;
    if (auto* id = value.if_contains("@id"); id && *id != json(term)) {
        if (id->is_null()) return true;
        if (!id->is_string()) throw Failure("invalid IRI mapping");
        std::string_view word = id->get_string();
        if (looks_like_keyword(word) && !is_keyword(word)) return false;
        out.iri = expand_here(word);
        if (!out.iri || (!is_keyword(*out.iri) && !is_iri_or_blank(out.iri)))
            throw Failure("invalid IRI mapping");
        if (*out.iri == "@context") throw Failure("invalid keyword alias");
        if (has_colon || has_slash) {
            states_.insert_or_assign(std::string(term), State::done);
            if (expand_here(term) != out.iri) throw Failure("invalid IRI mapping");
        }
        if (term.find(':') == term.npos && !has_slash && simple)
            out.prefix = is_blank(*out.iri) ||
                         std::string_view(":/?#[]@").find(out.iri->back()) != std::string_view::npos;
    } else if (colon != term.npos) {
        auto prefix = term.substr(0, colon);
        define_if_local(prefix);
        if (const auto* known = result_->find(prefix); known && known->iri)
            out.iri = *known->iri + std::string(term.substr(colon + 1));
        else out.iri = std::string(term);
    } else if (has_slash) {
        out.iri = expand(*result_, term, {.vocabulary = true});
        if (!out.iri || !is_absolute(*out.iri)) throw Failure("invalid IRI mapping");
    } else if (term == "@type") {
        out.iri = "@type";
    } else if (result_->vocabulary) {
        out.iri = *result_->vocabulary + std::string(term);
    } else {
        throw Failure("invalid IRI mapping");
    }
    return true;
}

void Processor::read_containers(const boost::json::object& value, Definition& out) {
    namespace c = container;
    auto* said = value.if_contains("@container");
    if (!said) return;
    if (auto* list = said->if_array()) {
        for (const auto& item : *list) out.containers |= container_named(item);
        auto rest = out.containers & ~unsigned{c::set};
        bool fine = list->size() == 1 || (rest & ~unsigned{c::graph | c::id}) == 0 ||
                    (rest & ~unsigned{c::graph | c::index}) == 0 ||
                    ((rest == c::type || rest == c::language) && list->size() == 2);
        if (list->empty() || !fine) throw Failure("invalid container mapping");
    } else {
        out.containers = container_named(*said);
    }
    if (!out.has(c::type)) return;
    if (out.type.empty()) out.type = "@id";
    if (out.type != "@id" && out.type != "@vocab") throw Failure("invalid type mapping");
}

void Processor::read_rest(std::string_view term, const boost::json::object& value, Definition& out) {
    if (auto* index = value.if_contains("@index")) {
        if (!out.has(container::index) || !index->is_string()) throw Failure("invalid term definition");
        auto iri = expand_here(index->get_string());
        if (!is_iri_or_blank(iri)) throw Failure("invalid term definition");
        out.index = index->get_string();
    }
    if (auto* scoped = value.if_contains("@context")) {
        try {
            Processor inner(result_, work_, {.override_protected = true});
            inner.inside_bundled_ = inside_bundled_;
            inner.process(*scoped);
        } catch (const Failure&) {
            throw Failure("invalid scoped context");
        }
        out.scoped = scoped;
    }
    if (auto* language = value.if_contains("@language"); language && !value.contains("@type")) {
        if (language->is_null()) out.language.emplace();
        else if (auto* text = language->if_string()) out.language = std::string(*text);
        else throw Failure("invalid language mapping");
    }
    if (auto* direction = value.if_contains("@direction"); direction && !value.contains("@type")) {
        if (direction->is_null()) out.direction.emplace();
        else if (*direction == "ltr" || *direction == "rtl")
            out.direction = std::string(direction->get_string());
        else throw Failure("invalid base direction");
    }
    if (auto* nest = value.if_contains("@nest")) {
        auto* text = nest->if_string();
        if (!text || (is_keyword(*text) && *text != "@nest")) throw Failure("invalid @nest value");
        out.nest = *text;
    }
    if (auto* prefix = value.if_contains("@prefix")) {
        if (term.find(':') != term.npos || term.find('/') != term.npos)
            throw Failure("invalid term definition");
        if (!prefix->is_bool()) throw Failure("invalid @prefix value");
        out.prefix = prefix->get_bool();
        if (out.prefix && out.iri && is_keyword(*out.iri)) throw Failure("invalid term definition");
    }
    static constexpr std::string_view known[] = {
        "@id",
        "@reverse",
        "@container",
        "@context",
        "@direction",
        "@index",
        "@language",
        "@nest",
        "@prefix",
        "@protected",
        "@type"
    };
    for (const auto& [key, ignored] : value)
        if (std::ranges::find(known, std::string_view(key)) == std::end(known))
            throw Failure("invalid term definition");
}

}  // namespace ap::ld

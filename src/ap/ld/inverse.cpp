// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/inverse.hpp"

#include "base/text/utf8.hpp"

#include <algorithm>

namespace ap::ld {

std::string tagged(std::string_view language, std::string_view direction) {
    if (language.empty() && direction.empty()) return "@null";
    if (direction.empty()) return base::text::ascii_lowered(language);
    return base::text::ascii_lowered(language) + "_" + std::string(direction);
}

Inverse::Inverse(const Context& context) {
    auto all = context.terms();
    std::vector<std::pair<std::string_view, const Definition*>> terms(all.begin(), all.end());
    std::ranges::stable_sort(terms, {}, [](const auto& term) { return term.first.size(); });
    for (const auto& [term, definition] : terms) {
        if (!definition->iri) continue;
        if (definition->prefix) prefixes_.emplace_back(term, definition);
        auto& choice = by_iri_[*definition->iri][definition->containers];
        if (choice.any.empty()) choice.any = term;
        auto by_type = [&](std::string_view type) { choice.types.emplace(type, term); };
        auto by_language = [&](std::string_view language) { choice.languages.emplace(language, term); };
        if (definition->reverse) {
            by_type("@reverse");
        } else if (definition->type == "@none") {
            by_language("@any");
            by_type("@any");
        } else if (!definition->type.empty()) {
            by_type(definition->type);
        } else if (definition->language && definition->direction) {
            by_language(tagged(*definition->language, *definition->direction));
        } else if (definition->language) {
            by_language(tagged(*definition->language, {}));
        } else if (definition->direction) {
            by_language(definition->direction->empty() ? "@none" : tagged({}, *definition->direction));
        } else {
            if (context.direction.empty() && context.language.empty()) by_language("@none");
            else by_language(tagged(context.language, context.direction));
            by_language("@none");
            by_type("@none");
        }
    }
}

std::string_view Inverse::choose(
    std::string_view iri, const std::vector<unsigned>& containers, By by,
    const std::vector<std::string>& preferred
) const {
    auto found = by_iri_.find(iri);
    if (found == by_iri_.end()) return {};
    for (auto container : containers) {
        auto at = found->second.find(container);
        if (at == found->second.end()) continue;
        if (by == By::any) return at->second.any;
        const auto& terms = by == By::language ? at->second.languages : at->second.types;
        for (const auto& wanted : preferred)
            if (auto term = terms.find(wanted); term != terms.end()) return term->second;
    }
    return {};
}

}  // namespace ap::ld

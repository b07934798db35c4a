// SPDX-License-Identifier: AGPL-3.0-or-later
// A context read backwards: which term is best for an IRI and the value that it has.
#pragma once
#include "ap/ld/context.hpp"

namespace ap::ld {

class Inverse {
public:
    explicit Inverse(const Context&);  // which has to outlive it

    bool knows(std::string_view iri) const { return by_iri_.contains(iri); }

    // The terms that "prefix:rest" may begin with.
    const std::vector<std::pair<std::string_view, const Definition*>>& prefixes() const { return prefixes_; }

    enum class By { language, type, any };
    // The first of `containers` and then of `preferred` that has a term; empty when none has.
    std::string_view choose(
        std::string_view iri, const std::vector<unsigned>& containers, By by,
        const std::vector<std::string>& preferred
    ) const;

private:
    using Terms = std::map<std::string, std::string, std::less<>>;
    struct Choice {
        Terms languages, types;
        std::string any;
    };
    std::unordered_map<std::string, std::map<unsigned, Choice>, StringHash, std::equal_to<>> by_iri_;
    std::vector<std::pair<std::string_view, const Definition*>>
        prefixes_;  // of the context, which outlives this
};

std::string tagged(std::string_view language, std::string_view direction);  // "en_ltr", "en", "_ltr", "@null"

}  // namespace ap::ld

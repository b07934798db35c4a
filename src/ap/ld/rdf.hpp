// SPDX-License-Identifier: AGPL-3.0-or-later
// RDF as linked-data signatures need it: terms, quads and the line of N-Quads that each becomes.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ap::ld {

// Why a document was given up. `what()` is the error code of the JSON-LD specification where it has one.
struct Failure : std::runtime_error {
    using runtime_error::runtime_error;
};

struct Term {
    enum class Kind : std::uint8_t { iri, blank, literal };
    Kind kind = Kind::iri;
    std::string value;     // the IRI, the label without "_:", or the text of the literal
    std::string datatype;  // of a literal; empty: xsd:string, or with a language rdf:langString
    std::string language;
    bool operator==(const Term&) const = default;
};

struct Quad {
    Term subject, predicate, object;
    std::optional<Term> graph;
};

bool is_language_tag(std::string_view);  // a literal with anything else is none

// Implementations differ in how they write a literal, and a signature is over the text.
struct Spelling {
    bool lower_languages = false;  // "zh-tw" for "zh-TW"
    bool few_escapes = false;      // as before RDFC-1.0: only quotes, backslashes and line ends
    bool operator==(const Spelling&) const = default;
};

void write(std::string& out, const Term&, Spelling);  // blank nodes as "_:label"

}  // namespace ap::ld

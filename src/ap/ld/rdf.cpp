// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/rdf.hpp"

#include "base/text/utf8.hpp"

namespace ap::ld {
namespace {

void escape(std::string& out, std::string_view text, bool few) {
    static constexpr char digits[] = "0123456789ABCDEF";
    for (char c : text) {
        switch (c) {
            case '"': out += "\\\""; continue;
            case '\\': out += "\\\\"; continue;
            case '\n': out += "\\n"; continue;
            case '\r': out += "\\r"; continue;
            default: break;
        }
        auto byte = static_cast<unsigned char>(c);
        if (few || (byte >= 0x20 && byte != 0x7f)) {
            out += c;
        } else if (c == '\b') {
            out += "\\b";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\f') {
            out += "\\f";
        } else {
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
    }
}

}  // namespace

bool is_language_tag(std::string_view tag) {
    std::size_t length = 0;
    bool first = true;
    for (char c : tag) {
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
        if (c == '-') {
            if (length == 0) return false;
            length = 0;
            first = false;
        } else if (letter || (digit && !first)) {
            if (++length > 8) return false;
        } else {
            return false;
        }
    }
    return length > 0;
}

void write(std::string& out, const Term& term, Spelling spelling) {
    switch (term.kind) {
        case Term::Kind::iri:
            out += '<';
            out += term.value;
            out += '>';
            return;
        case Term::Kind::blank:
            out += "_:";
            out += term.value;
            return;
        case Term::Kind::literal: break;
    }
    out += '"';
    escape(out, term.value, spelling.few_escapes);
    out += '"';
    if (!term.language.empty()) {
        out += '@';
        for (char c : term.language) out += spelling.lower_languages ? base::text::ascii_lower(c) : c;
    } else if (!term.datatype.empty()) {
        out += "^^<";
        out += term.datatype;
        out += '>';
    }
}

}  // namespace ap::ld

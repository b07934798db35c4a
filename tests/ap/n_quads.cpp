// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/n_quads.hpp"

#include <charconv>

namespace {

using ap::ld::Quad, ap::ld::Term;

void append_utf8(std::string& out, char32_t c) {
    auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | c >> 6), put(0x80 | (c & 63));
    } else if (c < 0x10000) {
        put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 63)), put(0x80 | (c & 63));
    } else {
        put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 63)), put(0x80 | (c >> 6 & 63)), put(0x80 | (c & 63));
    }
}

class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    std::vector<Quad> all() {
        std::vector<Quad> out;
        for (; blanks(), !rest_.empty();) {
            if (rest_.front() == '\n' || rest_.front() == '\r') {
                rest_.remove_prefix(1);
            } else if (rest_.front() == '#') {
                rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
            } else {
                out.push_back(quad());
            }
        }
        return out;
    }

private:
    void blanks() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
    }
    bool take(std::string_view what) {
        if (!rest_.starts_with(what)) return false;
        rest_.remove_prefix(what.size());
        return true;
    }
    void must(std::string_view what) {
        blanks();
        if (!take(what))
            throw std::runtime_error(
                "no " + std::string(what) + " before " + std::string(rest_.substr(0, 40))
            );
    }

    Quad quad() {
        Quad out{term(), term(), term(), std::nullopt};
        blanks();
        if (!rest_.starts_with('.')) out.graph = term();
        must(".");
        return out;
    }

    std::string until(char end) {
        std::string out;
        while (!take({&end, 1})) {
            char c = rest_.at(0);
            rest_.remove_prefix(1);
            if (c != '\\') {
                out += c;
                continue;
            }
            char kind = rest_.at(0);
            rest_.remove_prefix(1);
            static constexpr std::string_view letters = "tbnrf\"'\\", meant = "\t\b\n\r\f\"'\\";
            if (auto at = letters.find(kind); at != letters.npos) {
                out += meant[at];
            } else {
                std::size_t length = kind == 'u' ? 4 : 8;
                std::uint32_t code = 0;
                std::from_chars(rest_.data(), rest_.data() + length, code, 16);
                rest_.remove_prefix(length);
                append_utf8(out, code);
            }
        }
        return out;
    }

    Term term() {
        blanks();
        if (take("<")) return {Term::Kind::iri, until('>'), {}, {}};
        if (take("_:")) {
            auto end = std::min(rest_.find_first_of(" \t<\""), rest_.size());
            Term out{Term::Kind::blank, std::string(rest_.substr(0, end)), {}, {}};
            rest_.remove_prefix(end);
            return out;
        }
        must("\"");
        Term out{Term::Kind::literal, until('"'), {}, {}};
        if (take("^^<")) {
            out.datatype = until('>');
            if (out.datatype == "http://www.w3.org/2001/XMLSchema#string") out.datatype.clear();
        } else if (take("@")) {
            auto end = std::min(rest_.find_first_of(" \t."), rest_.size());
            out.language = rest_.substr(0, end);
            rest_.remove_prefix(end);
        }
        return out;
    }

    std::string_view rest_;
};

}  // namespace

std::vector<Quad> read_n_quads(std::string_view text) { return Reader(text).all(); }

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/to_rdf.hpp"

#include "ap/ld/expand.hpp"
#include "ap/ld/iri.hpp"

#include <boost/json/object.hpp>
#include <cmath>
#include <cstdio>

namespace ap::ld {
namespace {

using json = boost::json::value;
using boost::json::array, boost::json::object;

constexpr std::string_view rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
constexpr std::string_view xsd = "http://www.w3.org/2001/XMLSchema#";

std::string named(std::string_view vocabulary, std::string_view word) {
    return std::string(vocabulary).append(word);
}

Term iri(std::string value) { return {Term::Kind::iri, std::move(value), {}, {}}; }

// As XML Schema writes doubles: 1.0E2 has at least one digit after the point, and no more than tell it apart.
std::string canonical_double(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.15E", value);
    std::string_view all = text;
    auto e = all.find('E');
    auto mantissa = std::string(all.substr(0, e));
    while (mantissa.ends_with('0') && mantissa[mantissa.size() - 2] != '.') mantissa.pop_back();
    return mantissa + "E" + std::to_string(std::atoi(text + e + 1));
}

class Writer {
public:
    explicit Writer(Work& work) : work_(work) {}

    std::vector<Quad> all(const array& expanded) {
        for (const auto& item : expanded)
            if (is_node(item)) node(item.get_object(), std::nullopt);
        return std::move(quads_);
    }

private:
    using Graph = std::optional<Term>;

    Term fresh() { return {Term::Kind::blank, "b" + std::to_string(blanks_++), {}, {}}; }

    // A blank node that the document names keeps apart from those that we name.
    std::optional<Term> resource(std::string_view id) {
        if (is_blank(id)) {
            auto [at, added] = labels_.try_emplace(std::string(id));
            if (added) at->second = fresh();
            return at->second;
        }
        if (!is_well_formed(id)) return std::nullopt;
        return iri(std::string(id));
    }

    void say(
        const std::optional<Term>& subject, const Term& predicate, const std::optional<Term>& object,
        const Graph& graph
    ) {
        if (!subject || !object) return;
        if (quads_.size() == max_quads) throw Failure("document too complex");
        quads_.push_back({*subject, predicate, *object, graph});
    }

    std::optional<Term> node(const object& said, const Graph& graph) {
        work_.spend();
        std::optional<Term> subject;
        if (auto* id = said.if_contains("@id")) {
            if (id->is_string()) subject = resource(id->get_string());
        } else {
            subject = fresh();
        }
        for (const auto& [key, value] : said) {
            if (key == "@type") types(subject, value, graph);
            else if (key == "@graph") inner_graph(subject, value);
            else if (key == "@included") items_of(value.get_array(), graph);
            else if (key == "@reverse") reverse(subject, value.get_object(), graph);
            else if (is_keyword(key)) continue;
            else property(subject, key, value.get_array(), graph);
        }
        return subject;
    }

    void types(const std::optional<Term>& subject, const json& value, const Graph& graph) {
        for (const auto& type : value.get_array())
            if (type.is_string()) say(subject, iri(named(rdf, "type")), resource(type.get_string()), graph);
    }

    void items_of(const array& items, const Graph& graph) {
        for (const auto& item : items)
            if (is_node(item)) node(item.get_object(), graph);
    }

    void inner_graph(const std::optional<Term>& name, const json& value) {
        // What stands in a graph without a sayable name is not said.
        auto before = quads_.size();
        items_of(value.get_array(), name ? name : iri(""));
        if (!name) quads_.resize(before);
    }

    void reverse(const std::optional<Term>& subject, const object& said, const Graph& graph) {
        for (const auto& [key, items] : said)
            for (const auto& item : items.get_array()) {
                auto other = this->object_of(item, graph);
                if (is_well_formed(key)) say(other, iri(std::string(key)), subject, graph);
            }
    }

    void property(
        const std::optional<Term>& subject, std::string_view key, const array& items, const Graph& graph
    ) {
        bool sayable = is_well_formed(key);
        for (const auto& item : items) {
            auto object = object_of(item, graph);
            if (sayable) say(subject, iri(std::string(key)), object, graph);
        }
    }

    std::optional<Term> object_of(const json& item, const Graph& graph) {
        if (is_value(item)) return literal(item.get_object());
        if (is_list(item)) return list(item.get_object().at("@list").get_array(), graph);
        if (is_node(item)) return node(item.get_object(), graph);
        return std::nullopt;
    }

    std::optional<Term> list(const array& items, const Graph& graph) {
        auto rest = iri(named(rdf, "nil"));
        std::vector<Term> cells;
        for (std::size_t i = 0; i < items.size(); i++) cells.push_back(fresh());
        for (std::size_t i = 0; i < items.size(); i++) {
            say(cells[i], iri(named(rdf, "first")), object_of(items[i], graph), graph);
            say(cells[i], iri(named(rdf, "rest")), i + 1 < items.size() ? cells[i + 1] : rest, graph);
        }
        return cells.empty() ? rest : cells.front();
    }

    std::optional<Term> literal(const object& said) {
        work_.spend();
        const auto& value = said.at("@value");
        Term out{Term::Kind::literal, {}, {}, {}};
        if (auto* type = said.if_contains("@type")) {
            out.datatype = type->get_string();
            // Nothing that is sent to us or by us holds literals of JSON; one cannot be signed.
            if (out.datatype == "@json") throw Failure("JSON literal");
            if (!is_well_formed(out.datatype)) return std::nullopt;
        }
        if (auto* truth = value.if_bool()) {
            out.value = *truth ? "true" : "false";
            if (out.datatype.empty()) out.datatype = named(xsd, "boolean");
        } else if (value.is_number()) {
            number(value, out);
        } else {
            out.value = value.get_string();
            if (auto* language = said.if_contains("@language")) {
                out.language = language->get_string();
                if (!is_language_tag(out.language)) return std::nullopt;
            }
        }
        if (out.datatype == named(xsd, "string")) out.datatype.clear();
        return out;
    }

    static void number(const json& value, Term& out) {
        bool as_double = out.datatype == named(xsd, "double");
        if (value.is_double()) {
            auto real = value.get_double();
            as_double = as_double || std::abs(real) >= 1e21 || real != std::floor(real);
            if (!as_double) {
                char text[32];
                std::snprintf(text, sizeof text, "%.0f", real == 0 ? 0 : real);
                out.value = text;
            }
        } else if (!as_double) {
            out.value =
                value.is_int64() ? std::to_string(value.get_int64()) : std::to_string(value.get_uint64());
        }
        if (as_double) out.value = canonical_double(value.to_number<double>());
        if (out.datatype.empty()) out.datatype = named(xsd, as_double ? "double" : "integer");
    }

    Work& work_;
    std::vector<Quad> quads_;
    std::unordered_map<std::string, Term> labels_;
    std::size_t blanks_ = 0;
};

}  // namespace

std::vector<Quad> to_rdf(const array& expanded, Work& work) { return Writer(work).all(expanded); }

}  // namespace ap::ld

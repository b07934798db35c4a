// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/to_rdf.hpp"

#include "ap/n_quads.hpp"
#include "ap/vectors.hpp"

#include <gmock/gmock.h>

namespace {

using ap::ld::canonical;

// The suite names this graph with SHA-384, which no signature of the fediverse does.
constexpr std::string_view with_another_hash = "test075";

TEST(Canonical, graphs_of_the_test_suite_get_the_names_it_demands) {
    std::size_t equal = 0, refused = 0;
    for (const auto& c : vectors::cases("rdf-canon/rdfc10.json")) {
        SCOPED_TRACE(vectors::string_of(c, "id"));
        if (vectors::string_of(c, "id") == with_another_hash) continue;
        auto quads = read_n_quads(vectors::string_of(c, "input"));
        if (c.at("canonical").is_null()) {
            EXPECT_THROW(canonical(quads), ap::ld::Failure);
            refused++;
        } else {
            EXPECT_EQ(canonical(quads), vectors::string_of(c, "canonical"));
            equal++;
        }
    }
    EXPECT_EQ(equal, 63u);
    EXPECT_EQ(refused, 1u);
}

TEST(Canonical, graphs_stay_the_same_when_their_blank_nodes_are_renamed_and_their_quads_reversed) {
    for (const auto& c : vectors::cases("rdf-canon/rdfc10.json")) {
        if (c.at("canonical").is_null() || vectors::string_of(c, "id") == with_another_hash) continue;
        SCOPED_TRACE(vectors::string_of(c, "id"));
        auto quads = read_n_quads(vectors::string_of(c, "input"));
        auto rename = [](ap::ld::Term& term) {
            if (term.kind == ap::ld::Term::Kind::blank)
                term.value = std::string(term.value.rbegin(), term.value.rend()) + "x";
        };
        for (auto& quad : quads) {
            rename(quad.subject);
            rename(quad.object);
            if (quad.graph) rename(*quad.graph);
        }
        std::ranges::reverse(quads);
        EXPECT_EQ(canonical(quads), vectors::string_of(c, "canonical"));
    }
}

// Every node of a clique looks like every other, so naming them means trying all orders.
TEST(Canonical, a_poisoned_graph_is_given_up) {
    std::string text;
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 60; j++)
            if (i != j) text += "_:n" + std::to_string(i) + " <p:p> _:n" + std::to_string(j) + " .\n";
    EXPECT_THROW(canonical(read_n_quads(text)), ap::ld::Failure);
}

TEST(Canonical, a_ring_longer_than_any_stack_is_given_up) {
    std::string text;
    for (int i = 0; i < 2000; i++)
        text += "_:n" + std::to_string(i) + " <p:p> _:n" + std::to_string((i + 1) % 2000) + " .\n";
    EXPECT_THROW(canonical(read_n_quads(text)), ap::ld::Failure);
}

TEST(Canonical, a_quad_that_is_said_twice_counts_once) {
    auto once = read_n_quads("_:a <p:p> \"x\" .\n_:b <p:q> _:a .\n");
    auto twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    EXPECT_EQ(canonical(twice), canonical(once));
}

TEST(Canonical, literals_are_spelt_as_the_reader_of_the_signature_spells_them) {
    auto quads = read_n_quads("<s:s> <p:p> \"a\\tb\\u0001\\u007F\"@zh-TW .\n");
    EXPECT_EQ(canonical(quads), "<s:s> <p:p> \"a\\tb\\u0001\\u007F\"@zh-TW .\n");
    EXPECT_EQ(canonical(quads, {.lower_languages = true}), "<s:s> <p:p> \"a\\tb\\u0001\\u007F\"@zh-tw .\n");
    EXPECT_EQ(canonical(quads, {.few_escapes = true}), "<s:s> <p:p> \"a\tb\x01\x7F\"@zh-TW .\n");
}

}  // namespace

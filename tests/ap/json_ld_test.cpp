// SPDX-License-Identifier: AGPL-3.0-or-later
// The test suites of JSON-LD 1.1. Left out is only what no activity holds, each case with its reason.
#include "ap/ld/compact.hpp"
#include "ap/ld/expand.hpp"
#include "ap/ld/to_rdf.hpp"
#include "ap/n_quads.hpp"
#include "ap/vectors.hpp"
#include "base/embedded.hpp"

#include <gmock/gmock.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <set>

namespace {

using json = boost::json::value;
using vectors::string_of;

json option(const json& c, std::string_view name) {
    auto* options = c.as_object().if_contains("option");
    auto* found = options ? options->as_object().if_contains(name) : nullptr;
    return found ? *found : json();
}

bool names_a_context(const json& value) {
    auto is_text = [](const json& item) { return item.is_string(); };
    if (auto* list = value.if_array()) return std::ranges::any_of(*list, names_a_context);
    auto* object = value.if_object();
    if (!object) return false;
    for (const auto& [key, inner] : *object) {
        if (key == "@import") return true;
        if (key == "@context" &&
            (is_text(inner) || (inner.is_array() && std::ranges::any_of(inner.get_array(), is_text))))
            return true;
        if (names_a_context(inner)) return true;
    }
    return false;
}

// Why a case says nothing about us; empty when it does.
std::string left_out(const json& c) {
    if (option(c, "specVersion") == "json-ld-1.0") return "it is for JSON-LD 1.0";
    if (option(c, "processingMode") == "json-ld-1.0") return "it is for JSON-LD 1.0";
    if (!option(c, "expandContext").is_null()) return "it brings a context from outside the document";
    if (!option(c, "rdfDirection").is_null()) return "directions are not said in RDF here";
    if (option(c, "produceGeneralizedRdf") == true)
        return "properties that are blank nodes are not said here";
    if (string_of(c, "id").starts_with("toRdf#tjs")) return "literals of JSON are not said in RDF here";
    if (names_a_context(c.at("input"))) return "it fetches a context";
    return {};
}

std::string base_of(const json& c) {
    auto other = option(c, "base");
    return other.is_string() ? std::string(other.get_string()) : string_of(c, "base");
}

// Order says something in "@list" only.
json in_order(const json& value, bool in_list = false) {
    if (auto* list = value.if_array()) {
        std::vector<json> items;
        for (const auto& item : *list) items.push_back(in_order(item));
        if (!in_list)
            std::ranges::sort(items, {}, [](const json& item) { return boost::json::serialize(item); });
        return boost::json::array(items.begin(), items.end());
    }
    auto* object = value.if_object();
    if (!object) return value;
    std::map<std::string, json> members;
    for (const auto& [key, inner] : *object) members[key] = in_order(inner, key == "@list");
    boost::json::object out;
    for (auto& [key, inner] : members) out[key] = std::move(inner);
    return out;
}

struct Tally {
    std::size_t passed = 0, failed = 0;
    std::map<std::string, std::size_t> left_out;
    std::size_t all() const {
        auto sum = passed + failed;
        for (const auto& [why, count] : left_out) sum += count;
        return sum;
    }
};

template <class Run>
Tally run_suite(const std::string& file, Run run) {
    Tally tally;
    for (const auto& c : vectors::cases(file)) {
        auto id = string_of(c, "id");
        auto why = left_out(c);
        if (!why.empty()) {
            tally.left_out[why]++;
            continue;
        }
        std::string problem;
        auto error = string_of(c, "error");
        try {
            problem = run(c);
            if (!error.empty()) problem = "no error, but " + error + " is demanded";
        } catch (const ap::ld::Failure& e) {
            if (error.empty()) problem = "fails: " + std::string(e.what());
            else if (error != e.what()) problem = "fails with " + std::string(e.what()) + " for " + error;
        }
        if (problem.empty()) {
            tally.passed++;
        } else {
            tally.failed++;
            ADD_FAILURE() << id << " " << string_of(c, "name") << ": " << problem;
        }
    }
    for (const auto& [why, count] : tally.left_out)
        ::testing::Test::RecordProperty("left out: " + why, static_cast<int>(count));
    ::testing::Test::RecordProperty("passed", static_cast<int>(tally.passed));
    std::printf("%s: %zu of %zu pass\n", file.c_str(), tally.passed, tally.all());
    for (const auto& [why, count] : tally.left_out) std::printf("  %zu left out: %s\n", count, why.c_str());
    return tally;
}

// Each may name others, and all of them have to be there.
TEST(JsonLd, every_bundled_context_can_be_used) {
    auto index = boost::json::parse(base::embedded("web/contexts/index.json").value()).as_object();
    EXPECT_GT(index.size(), 10u);
    for (const auto& [url, file] : index) {
        SCOPED_TRACE(std::string(url));
        boost::json::object document{
            {"@context", url}, {"@id", "https://host.example/1"}, {"@type", "https://host.example/T"}
        };
        ap::ld::Work work;
        EXPECT_EQ(ap::ld::to_rdf(ap::ld::expand(document, work), work).size(), 1u);
    }
}

TEST(JsonLd, a_context_that_is_not_bundled_ends_in_a_failure_and_no_question) {
    ap::ld::Work work;
    boost::json::object document{
        {"@context", "https://host.example/context"}, {"@id", "https://host.example/1"}
    };
    EXPECT_THROW(ap::ld::expand(document, work), ap::ld::Failure);
}

TEST(JsonLd, contexts_in_their_thousands_are_given_up) {
    boost::json::array contexts;
    for (int i = 0; i < 100'000; i++)
        contexts.push_back(boost::json::object{{"t" + std::to_string(i % 7), "https://host.example/"}});
    boost::json::object document{{"@context", contexts}, {"@id", "https://host.example/1"}};
    ap::ld::Work work;
    EXPECT_THROW(ap::ld::expand(document, work), ap::ld::Failure);
}

TEST(JsonLd, documents_are_expanded_as_the_test_suite_demands) {
    auto tally = run_suite("json-ld/expand.json", [](const json& c) -> std::string {
        ap::ld::Work work;
        auto got = in_order(ap::ld::expand(c.at("input"), work, {.base = base_of(c)}));
        auto* expected = c.as_object().if_contains("expect");
        if (!expected || got == in_order(*expected)) return {};
        return "\n  got  " + boost::json::serialize(got) + "\n  want " +
               boost::json::serialize(in_order(*expected));
    });
    EXPECT_GE(tally.passed, 347u);
}

TEST(JsonLd, documents_say_in_rdf_what_the_test_suite_demands) {
    auto tally = run_suite("json-ld/toRdf.json", [](const json& c) -> std::string {
        ap::ld::Work work;
        auto expanded = ap::ld::expand(c.at("input"), work, {.base = base_of(c)});
        auto got = ap::ld::canonical(ap::ld::to_rdf(expanded, work));
        auto* expected = c.as_object().if_contains("expect");
        if (!expected) return {};
        auto want = ap::ld::canonical(read_n_quads(std::string(expected->as_string())));
        if (got == want) return {};
        return "\n" + got + "for\n" + want;
    });
    EXPECT_GE(tally.passed, 402u);
}

TEST(JsonLd, documents_are_compacted_as_the_test_suite_demands) {
    auto tally = run_suite("json-ld/compact.json", [](const json& c) -> std::string {
        ap::ld::Work work;
        auto base = base_of(c);
        const auto* context = &c.at("context");
        if (auto* inner = context->is_object() ? context->get_object().if_contains("@context") : nullptr)
            context = inner;
        ap::ld::Vocabulary vocabulary(ap::ld::process(ap::ld::Context::initial(base), *context, work));
        ap::ld::CompactOptions options{
            .arrays = option(c, "compactArrays") != false,
            .relative_to_base = option(c, "compactToRelative") != false
        };
        auto expanded = ap::ld::expand(c.at("input"), work, {.base = base});
        json got = in_order(ap::ld::compact(expanded, vocabulary, work, options));
        auto* expected = c.as_object().if_contains("expect");
        if (!expected) return {};
        auto want = *expected;
        want.as_object().erase("@context");
        want = in_order(want);
        if (got == want) return {};
        return "\n  got  " + boost::json::serialize(got) + "\n  want " + boost::json::serialize(want);
    });
    EXPECT_GE(tally.passed, 233u);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Every text with which the code refuses stands in the catalogues: the sources are looked through for what is thrown.
// What tests provoke, World::check asks about; here is the rest.
#include "base/embedded.hpp"
#include "base/text/catalogue.hpp"
#include "http/document.hpp"
#include "http/route.hpp"
#include "server/tables.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
    std::ifstream in(path);
    return (std::ostringstream() << in.rdbuf()).str();
}

std::string unescaped(const std::string& literal) {
    static const std::regex escape(R"(\\(["\\]))");
    return std::regex_replace(literal, escape, "$1");
}

// The texts in one statement; two that follow each other are one.
std::vector<std::string> literals(const std::string& statement) {
    static const std::regex literal(R"re("(?:[^"\\]|\\.)*"(\s*"(?:[^"\\]|\\.)*")*)re");
    static const std::regex seam(R"("\s*")");
    std::vector<std::string> out;
    for (std::sregex_iterator at(statement.begin(), statement.end(), literal), end; at != end; ++at) {
        auto whole = at->str().substr(1, at->str().size() - 2);
        out.push_back(unescaped(std::regex_replace(whole, seam, "")));
    }
    return out;
}

using Catalogue = boost::json::object;

Catalogue texts() {
    auto bytes = *base::embedded("web/locales/en.json");
    return boost::json::parse({bytes.data(), bytes.size()}).as_object();
}

struct Said {
    std::string text, where;
};

// Statements that refuse, and the functions beside them that put the text together.
std::vector<Said> said() {
    constexpr std::string_view refusing[] = {
        "throw base::", " refuse(", " problem(", "http::failure(", "\"ERR_", "base::Invalid "
    };
    // For the command line, whose texts are English; and what no app sees.
    static const std::set<std::string> others{
        "command_line.cpp",
        "relay.cpp",
        "store.cpp",
        "page.cpp",
        "archive.cpp",
        "csv.cpp",
        "lines.cpp",
        "import.cpp",
        "outbox_items.cpp",
        "post_import.cpp",
        "post_import_ap.cpp",
        "zip_reader.cpp",
        "transfer_settings.cpp",  // pages, in web/words
        "list_pages.cpp"
    };
    std::vector<Said> out;
    for (auto folder : {"src/http", "src/social"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(DUNLIN_SOURCE_DIR) / folder)) {
            auto name = entry.path().filename().string();
            if (entry.path().extension() != ".cpp" || others.contains(name)) continue;
            auto source = contents(entry.path());
            for (auto marker : refusing)
                for (auto at = source.find(marker); at != source.npos; at = source.find(marker, at + 1))
                    for (auto& text : literals(source.substr(at, source.find(';', at) - at)))
                        out.push_back({std::move(text), name});
        }
    return out;
}

// A text of its own, or a piece of one that is put together.
bool is_worded(std::string text, const Catalogue& catalogue) {
    constexpr std::string_view accepted_scopes = "Validation failed: ";
    if (text.starts_with(accepted_scopes)) text.erase(0, accepted_scopes.size());
    while (text.starts_with(' ')) text.erase(0, 1);
    while (text.ends_with(' ')) text.pop_back();
    if (text.empty() || base::text::translated("de", text) != text) return true;
    if (base::text::translated("de", std::string(accepted_scopes) + text) !=
        std::string(accepted_scopes) + text)
        return true;
    static const std::regex number(R"(\b\d+\b)");
    text = std::regex_replace(text, number, "{count}");
    auto inside = [&](std::string_view piece) {
        return std::ranges::any_of(catalogue, [&](const auto& one) {
            return std::string_view(one.key()).find(piece) != piece.npos;
        });
    };
    if (inside(text)) return true;
    // The end of a field's name and what is wrong with it.
    auto at = text.find(' ');
    while (at != text.npos && !inside(std::string_view(text).substr(at + 1))) at = text.find(' ', at + 1);
    return at != text.npos && text.find(' ', at + 1) != text.npos;
}

TEST(ErrorTexts, that_the_code_says_have_a_wording_in_each_language) {
    auto catalogue = texts();
    static const std::regex sentence(R"([A-Za-z]{2,}.* .*)"), code("ERR_[A-Z_]+");
    int seen = 0;
    for (const auto& [text, where] : said()) {
        if (!std::regex_match(text, sentence) || std::regex_match(text, code)) continue;
        ++seen;
        EXPECT_TRUE(is_worded(text, catalogue)) << where << " says what web/locales does not know: " << text;
    }
    EXPECT_GT(seen, 120) << "the sources are looked through";
}

// Fields that can be blank, or be none of a list, or no date: their names stand in what is said then.
TEST(ErrorTexts, name_fields_in_each_language) {
    auto catalogue = texts();
    // What is missing is called by its own name in the answer.
    const std::set<std::string> as_they_are{"acct", "id", "q", "up_to_id", "url"};
    std::set<std::string> missing;
    int seen = 0;
    for (auto slice : server::routes())
        for (const auto& route : slice) {
            if (!route.path.starts_with("/api/")) continue;
            base::json::Components components;
            http::Documented documented{components, {}, {}};
            route.document(documented);
            for (const auto& parameter : documented.parameters) {
                bool listed = parameter.schema.find("\"enum\"") != std::string::npos;
                bool is_file = parameter.schema.find("\"binary\"") != std::string::npos;
                bool is_object = parameter.schema.find("\"properties\"") != std::string::npos;
                if (as_they_are.contains(parameter.name) || is_object) continue;
                if (!parameter.required && !listed && !is_file) continue;
                ++seen;
                try {
                    http::form::throw_invalid(parameter.name);
                } catch (const base::Invalid& e) {
                    std::string text = e.what();
                    text.erase(0, std::string_view("Validation failed: ").size());
                    text.erase(text.size() - std::string_view(" is invalid").size());
                    if (!catalogue.contains(text)) missing.insert(text);
                }
            }
        }
    EXPECT_EQ(missing, std::set<std::string>{});
    EXPECT_GT(seen, 40);
}

}  // namespace

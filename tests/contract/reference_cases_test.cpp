// SPDX-License-Identifier: AGPL-3.0-or-later
// Every line of admin-cases.tsv and every line of reference-cases.tsv that is about the admin API holds: what follows from
// the route alone (scopes, roles, what is not there) is tried here, line by line; of all else a test is named.
#include "contract/case_index.hpp"
#include "contract/contract.hpp"
#include "contract/probing.hpp"
#include "social/moderation/staff.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace {

struct Line {
    int number = 0;
    std::string method, path, expected;
};

// Titles that name an action, a missing id or another method than the request has (admin.md 1).
std::pair<std::string, std::string> request_of(
    const std::string& folder, const std::string& file, const std::string& title
) {
    auto space = title.find(' ');
    auto method = title.substr(0, space), path = title.substr(space + 1);
    if (path == "#index") return {method, "/" + folder + "/" + file};
    if (path.starts_with("#")) return {method, "/api/v1/admin/reports/{id}/" + path.substr(1)};
    if (method == "DELETE" && !path.ends_with("{id}")) path += "/{id}";
    if (path.ends_with("/unapprove")) path = path.substr(0, path.rfind('/')) + "/reject";
    for (auto counting : {"measures", "dimensions", "retention"})
        if (path.ends_with(counting)) method = "POST";
    return {method, path};
}

std::vector<Line> admin_lines() {
    std::vector<Line> out;
    for (const auto& row : contract::table("reference-cases.tsv")) {
        if (row.size() < 6 || row[1].find("admin") == std::string::npos) continue;
        auto [method, path] =
            row[3].empty() ? std::pair<std::string, std::string>{} : request_of(row[1], row[2], row[3]);
        out.push_back({std::stoi(row[0]), method, path, row[5]});
    }
    return out;
}

http::Method method_named(const std::string& word) {
    for (auto m : {http::Method::get, http::Method::post, http::Method::put, http::Method::delete_})
        if (to_string(m) == word) return m;
    throw std::logic_error("no method " + word);
}

constexpr std::string_view by_scope = "403 with only scope ", by_role = "403 for role ";

bool follows_from_the_route(const Line& line) {
    return line.expected.starts_with(by_scope) || line.expected.starts_with(by_role) ||
           line.expected == "404";
}

struct ReferenceCases : OnEachWorld {
    static Answer ask(const Person& who, const Line& line) {
        auto path = line.path;
        if (auto at = path.find("{id}"); at != path.npos) path.replace(at, 4, "999");
        return who.send(method_named(line.method), path, "", "application/x-www-form-urlencoded");
    }
};
ON_EACH_DATABASE(ReferenceCases);

TEST_P(ReferenceCases, of_scopes_roles_and_what_is_not_there_hold_line_by_line) {
    auto owner = staff(w, "olga", accounts::owner), moderator = staff(w, "mona", accounts::moderator),
         alice = w.with_scopes(w.local("alice"), staff_scopes);
    std::map<std::string, Person> scoped;
    int tried = 0;
    for (const auto& line : admin_lines()) {
        if (!follows_from_the_route(line)) continue;
        ++tried;
        SCOPED_TRACE("line " + std::to_string(line.number) + ": " + line.method + " " + line.path);
        if (line.expected == "404") {
            EXPECT_EQ(ask(owner, line).status, 404);
        } else if (line.expected.starts_with(by_scope)) {
            auto scopes = line.expected.substr(by_scope.size());
            auto known = scoped.find(scopes);
            if (known == scoped.end()) known = scoped.emplace(scopes, w.with_scopes(owner, scopes)).first;
            auto answer = ask(known->second, line);
            EXPECT_EQ(answer.status, 403);
            EXPECT_EQ(answer.error(), "This action is outside the authorized scopes");
        } else {
            auto answer = ask(line.expected.ends_with("Moderator") ? moderator : alice, line);
            EXPECT_EQ(answer.status, 403);
            EXPECT_EQ(answer.error(), "This action is not allowed");
        }
    }
    EXPECT_EQ(tried, 150);
    EXPECT_EQ(w.changed(), "");
}

// ---- that none is missing ----

// "Suite.name" of all tests, whatever database they are for.
const std::set<std::string>& all_tests() {
    static const std::set<std::string> all = [] {
        std::set<std::string> out;
        const auto& unit = *testing::UnitTest::GetInstance();
        for (int i = 0; i < unit.total_test_suite_count(); ++i) {
            const auto& suite = *unit.GetTestSuite(i);
            std::string name = suite.name();
            name = name.substr(name.rfind('/') + 1);
            for (int j = 0; j < suite.total_test_count(); ++j) {
                std::string test = suite.GetTestInfo(j)->name();
                out.insert(name + "." + test.substr(0, test.find('/')));
            }
        }
        return out;
    }();
    return all;
}

TEST(CaseIndex, names_tests_that_there_are) {
    for (const auto* index : {&contract::admin_cases, &contract::reference_cases})
        for (const auto& [case_, test] : *index)
            EXPECT_TRUE(all_tests().contains(std::string(test))) << case_ << " " << test;
}

TEST(CaseIndex, has_a_test_for_every_line_of_admin_cases) {
    std::set<std::string> tested;
    for (const auto& one : contract::admin_cases) tested.emplace(one.case_);
    auto lines = contract::table("admin-cases.tsv");
    EXPECT_EQ(lines.size(), 93u);
    for (const auto& line : lines) EXPECT_TRUE(tested.contains(line[0])) << line[0] << " " << line[3];
}

TEST(CaseIndex, has_a_test_for_every_line_of_reference_cases_that_is_about_administration) {
    std::set<int> tested;
    for (const auto& one : contract::reference_cases) {
        auto dash = one.case_.find('-');
        for (int n = std::stoi(std::string(one.case_.substr(0, dash)));
             n <= std::stoi(std::string(one.case_.substr(dash + 1)));
             ++n)
            tested.insert(n);
    }
    for (const auto& line : admin_lines())
        if (!follows_from_the_route(line)) EXPECT_TRUE(tested.contains(line.number)) << line.number;
}

TEST(CaseIndex, is_of_the_tables_as_they_are_now) {
    if (!std::filesystem::exists(contract::beside() + "/admin-cases.tsv")) {
        if (std::getenv("CI")) FAIL() << "there are no tables in " << contract::beside();
        GTEST_SKIP() << "no tables in " << contract::beside() << " (DUNLIN_API_TABLES names their folder)";
    }
    auto text = [](const std::string& file) {
        std::ifstream in(file);
        std::stringstream all;
        all << in.rdbuf();
        return all.str();
    };
    for (std::string file : {"/admin-cases.tsv", "/reference-cases.tsv"})
        EXPECT_EQ(
            text(std::string(DUNLIN_SOURCE_DIR) + "/tests/contract" + file), text(contract::beside() + file)
        ) << file;
}

}  // namespace

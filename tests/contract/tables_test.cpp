// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"
#include "contract/contract.hpp"
#include "http/route.hpp"
#include "http/router.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

std::vector<const http::Route*> api_routes() {
    std::vector<const http::Route*> out;
    for (auto slice : server::routes())
        for (const auto& route : slice)
            // What is ours alone and the end of a web session are in no table.
            if (route.path.starts_with("/api/") && route.path != "/api/openapi.json" &&
                route.path != "/api/web/session" && !route.path.starts_with("/api/dunlin/"))
                out.push_back(&route);
    return out;
}

std::string name(const http::Route& route) {
    return std::string(to_string(route.method)) + " " + std::string(route.path);
}

TEST(Contract, tables_are_there) { EXPECT_GT(contract::endpoints().size(), 400u); }

// World holds every answer against it.
TEST(Contract, description_of_the_reference_is_there) {
    auto file = contract::beside() + "/openapi.json";
    if (std::filesystem::exists(file)) return;
    if (std::getenv("CI")) FAIL() << file << " is missing";
    GTEST_SKIP() << "no " << file
                 << " (DUNLIN_API_TABLES names its folder): answers are not checked against it";
}

TEST(Contract, knows_every_served_route) {
    for (const auto* route : api_routes()) EXPECT_TRUE(contract::find(*route)) << name(*route);
}

// What is not served: groups, and these rows.
TEST(Contract, every_other_row_of_the_table_is_served) {
    const std::set<std::string> later_groups{"fasp"};
    const std::set<std::string> later{
        // The web client says itself which addresses it shows.
        "GET /share",
        // One route with /@:username, whatever the name.
        "GET /@:username@:domain/(*any)",
    };
    std::set<const contract::Endpoint*> served;
    for (auto slice : server::routes())
        for (const auto& route : slice) served.insert(contract::find(route));
    for (const auto& row : contract::endpoints()) {
        bool wanted = row.status == "current" || row.status == "deprecated" || row.group == "crypto";
        auto name = row.method + " " + row.path;
        if (row.method == "WS") continue;  // what is said on a socket
        if (!wanted || later_groups.contains(row.group) || row.group == "health") continue;
        EXPECT_NE(served.contains(&row), later.contains(name)) << name;
    }
}

std::set<std::string> words(std::string_view text, char separator) {
    std::set<std::string> out;
    while (!text.empty()) {
        auto at = text.find(separator);
        out.emplace(text.substr(0, at));
        if (at == text.npos) break;
        text.remove_prefix(at + 1);
    }
    return out;
}

// The table lists every word that opens an endpoint; a route names the smallest, and the rest follows from it.
TEST(Contract, scopes_of_every_route_are_those_of_the_table) {
    for (const auto* route : api_routes()) {
        auto* endpoint = contract::find(*route);
        if (!endpoint || route->path == "/api/v1/streaming") continue;  // what it takes depends on the stream
        auto accepted_scopes = words(http::to_string(http::accepted_scopes(route->scope)), ' ');
        EXPECT_EQ(accepted_scopes, words(endpoint->scopes, '|')) << name(*route);
    }
}

TEST(Contract, login_of_every_route_is_that_of_the_table) {
    for (const auto* route : api_routes()) {
        auto* endpoint = contract::find(*route);
        if (!endpoint) continue;
        auto expected = endpoint->auth.starts_with("user") ? std::set{http::Auth::user}
                        : endpoint->auth == "app"          ? std::set{http::Auth::token}
                                                           : std::set{http::Auth::none, http::Auth::optional};
        // A browser's session will do as well, which is looked up by hand (oauth/emails_api.cpp).
        if (route->path == "/api/v1/emails/check_confirmation") expected.insert(http::Auth::optional);
        if (route->path.starts_with("/api/web/"))
            for (auto other : {http::Auth::none, http::Auth::optional}) expected.insert(other);
        // A token may come by ways that only WebSockets have (streaming_api.cpp).
        if (route->path.starts_with("/api/v1/streaming")) expected.insert(http::Auth::none);
        EXPECT_TRUE(expected.contains(route->auth)) << name(*route) << " is for " << endpoint->auth;
    }
}

// One that answers strangers is only open where the table says none-unless-restricted or none.
TEST(Contract, only_what_needs_no_user_is_open_when_restricted) {
    for (const auto* route : api_routes()) {
        auto* endpoint = contract::find(*route);
        // The details of an instance stay open, as its entity does (behaviours: 6).
        bool of_instance =
            route->path.starts_with("/api/v1/instance/") || route->path == "/api/v1/peers/search";
        bool of_session = route->path.starts_with("/api/web/");          // their login is a browser's session
        bool of_streams = route->path.starts_with("/api/v1/streaming");  // look for their token by themselves
        if (of_streams) continue;
        if (endpoint && route->open_when_restricted && route->auth == http::Auth::none && !of_instance &&
            !of_session)
            EXPECT_EQ(endpoint->auth, "none") << name(*route);
    }
}

TEST(Contract, a_method_and_path_is_served_once) {
    std::set<std::string> seen;
    for (const auto* route : api_routes()) EXPECT_TRUE(seen.insert(name(*route)).second) << name(*route);
}

TEST(Validator, finds_what_is_wrong) {
    auto wrong = [](std::string_view type, std::string_view body) {
        std::string all;
        for (const auto& one : contract::violations(type, body)) all += one + "\n";
        return all;
    };
    EXPECT_EQ(wrong("Status::Tag", R"({"name":"a","url":"https://a.b/c"})"), "");
    EXPECT_EQ(wrong("Status::Tag", R"({"name":"a"})"), "Status::Tag.url is missing\n");
    EXPECT_EQ(wrong("Status::Tag", R"({"name":null,"url":"https://a.b/c"})"), "Status::Tag.name is null\n");
    EXPECT_EQ(
        wrong("Status::Tag[]", R"([{"name":1,"url":"c"}])"),
        "Status::Tag[][0].name is no string: 1\nStatus::Tag[][0].url is no url: \"c\"\n"
    );
    EXPECT_EQ(
        wrong("Status::Tag", R"({"name":"a","url":"https://a.b/c","new":1})"),
        "Status::Tag.new is not in the contract\n"
    );
    EXPECT_EQ(
        wrong("Marker", R"({"last_read_id":5,"version":"1","updated_at":"2026-01-01T00:00:00Z"})"),
        "Marker.last_read_id is no id string: 5\nMarker.updated_at is no datetime: \"2026-01-01T00:00:00Z\"\n"
        "Marker.version is no integer: \"1\"\n"
    );
    EXPECT_EQ(wrong("{}", "{}"), "");
    EXPECT_EQ(wrong("{}", "[]"), "{} is not {}: []\n");
    EXPECT_EQ(wrong("{home?: Marker, notifications?: Marker}", "{}"), "");
    EXPECT_EQ(wrong("{count:int}", "{}"), "{count:int}.count is missing\n");
}

}  // namespace

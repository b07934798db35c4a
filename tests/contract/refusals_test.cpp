// SPDX-License-Identifier: AGPL-3.0-or-later
// Generated from the route table: what every served route refuses, with which status and words (behaviours: 1, 3).
#include "http/router.hpp"
#include "server/staff_routes.hpp"
#include "world.hpp"

namespace {

struct EveryRoute : OnEachWorld {
    const std::vector<const http::Route*>& routes() const { return w.router().routes(); }

    template <class Filter, class Test>
    void each(Filter&& filter, Test&& test) {
        int tried = 0;
        for (const auto* route : routes())
            if (route->path.starts_with("/api/") && filter(*route)) {
                ++tried;
                SCOPED_TRACE(std::string(to_string(route->method)) + " " + std::string(route->path));
                test(*route);
            }
        EXPECT_GT(tried, 0);
    }
};
ON_EACH_DATABASE(EveryRoute);

// Those of staff are refused otherwise (staff_matrix_test.cpp).
bool for_users(const http::Route& r) { return r.auth == http::Auth::user && !server::is_for_staff(r.path); }
bool for_tokens(const http::Route& r) { return for_users(r) || r.auth == http::Auth::token; }
// check_confirmation and what is under /api/web/ take a browser's session instead of a token, but not nobody.
bool for_anybody(const http::Route& r) {
    return r.auth == http::Auth::optional && !r.usable_by_unconfirmed && !r.path.starts_with("/api/web/");
}
bool with_scope(const http::Route& r) { return r.auth != http::Auth::none && !r.scope.empty(); }
bool with_id(const http::Route& r) {
    return !server::is_for_staff(r.path) && r.path.find("/:id") != r.path.npos &&
           r.path.find("/tag/") == r.path.npos && r.path.find("/tags/:id") == r.path.npos;
}

std::string filled(const http::Route& route, const std::string& id) {
    std::string path(route.path);
    auto at = path.find(":id");
    if (at != path.npos) path.replace(at, 3, id);
    return path;
}

Answer ask(const Person& who, const http::Route& route, const std::string& id = "1") {
    bool body = route.method == http::Method::post || route.method == http::Method::put ||
                route.method == http::Method::patch;
    return who.send(route.method, filled(route, id), "", body ? "application/x-www-form-urlencoded" : "");
}

std::string challenge(std::string_view sentence) {
    return "Bearer realm=\"Doorkeeper\", error=\"invalid_token\", error_description=\"" +
           std::string(sentence) + "\"";
}

TEST_P(EveryRoute, asks_for_a_token) {
    each(for_tokens, [&](const http::Route& route) {
        for (const auto& who : {w.anonymous(), w.bearer("no such token"), w.bearer(std::string(5000, 'x'))}) {
            auto answer = ask(who, route);
            EXPECT_EQ(answer.status, 401);
            EXPECT_EQ(answer.body, R"({"error":"The access token is invalid"})");
            EXPECT_EQ(answer.header("WWW-Authenticate"), challenge("The access token is invalid"));
        }
    });
    EXPECT_EQ(w.changed(), "");
}

TEST_P(EveryRoute, refuses_a_revoked_token) {
    auto alice = w.local("alice");
    w.revoke(alice);
    each(
        [](const auto& r) { return r.auth != http::Auth::none; },
        [&](const http::Route& route) {
            auto answer = ask(alice, route);
            EXPECT_EQ(answer.status, 401);
            EXPECT_EQ(answer.body, R"({"error":"The access token was revoked"})");
            EXPECT_EQ(answer.header("WWW-Authenticate"), challenge("The access token was revoked"));
        }
    );
}

TEST_P(EveryRoute, refuses_a_token_without_its_scope) {
    auto alice = w.local("alice");
    auto pusher = w.with_scopes(alice, "push"), reader = w.with_scopes(alice, "read");
    w.changed();
    each(with_scope, [&](const http::Route& route) {
        auto answer = ask(route.scope == "push" ? reader : pusher, route);
        EXPECT_EQ(answer.status, 403);
        EXPECT_EQ(answer.body, R"({"error":"This action is outside the authorized scopes"})");
    });
    EXPECT_EQ(w.changed(), "");
}

TEST_P(EveryRoute, opens_to_each_word_of_its_scope_and_to_no_other) {
    auto alice = w.local("alice");
    std::map<std::string, Person> holders;
    for (auto word : http::scope_words()) holders.emplace(word, w.with_scopes(alice, std::string(word)));
    each(with_scope, [&](const http::Route& route) {
        auto accepted_scopes = http::accepted_scopes(route.scope);
        for (const auto& [word, holder] : holders) {
            bool opens = (*http::parse_scopes(word) & accepted_scopes).any();
            bool outside = ask(holder, route).error() == "This action is outside the authorized scopes";
            EXPECT_NE(opens, outside) << word;
        }
    });
}

TEST_P(EveryRoute, that_needs_a_user_refuses_an_app) {
    auto app = w.app("read write follow push crypto");
    each(for_users, [&](const http::Route& route) {
        auto answer = ask(app, route);
        EXPECT_EQ(answer.status, 422);
        EXPECT_EQ(answer.body, R"({"error":"This method requires an authenticated user"})");
    });
    EXPECT_EQ(w.changed(), "");
}

TEST_P(EveryRoute, that_needs_a_user_refuses_an_unconfirmed_one) {
    auto ursula = w.unconfirmed("ursula");
    each(
        [](const auto& r) { return for_users(r) && !r.usable_by_unconfirmed; },
        [&](const http::Route& route) {
            auto answer = ask(ursula, route);
            EXPECT_EQ(answer.status, 403);
            EXPECT_EQ(answer.body, R"({"error":"Your login is missing a confirmed e-mail address"})");
        }
    );
    EXPECT_EQ(w.changed(), "");
}

TEST_P(EveryRoute, that_reads_tokens_refuses_a_suspended_user) {
    auto sid = w.local("sid");
    w.suspend(sid);
    each(
        [open = server::routes_of_suspended()](const auto& r) {
            return r.auth != http::Auth::none && !open.contains(&r);
        },
        [&](const http::Route& route) {
            auto answer = ask(sid, route);
            EXPECT_EQ(answer.status, 403);
            EXPECT_EQ(answer.body, R"({"error":"Your login is currently disabled"})");
        }
    );
}

TEST_P(EveryRoute, with_an_id_answers_404_to_what_is_none) {
    auto alice = w.local("alice");
    each(with_id, [&](const http::Route& route) {
        for (auto id :
             {"999999999999", "0", "-1", "abc", "1x", "99999999999999999999999999", "%00", "1%2F2", "%FF"}) {
            auto answer = ask(alice, route, id);
            EXPECT_EQ(answer.status, 404) << id << " " << answer.body;
            auto error = answer.error();
            EXPECT_TRUE(error == "Record not found" || error == "Not Found") << id << " " << answer.body;
        }
    });
    EXPECT_EQ(w.changed(), "");
}

TEST_P(EveryRoute, with_optional_login_serves_strangers_and_unknown_tokens_alike) {
    auto alice = w.local("alice");
    auto status = alice.status("hello");
    each(for_anybody, [&](const http::Route& route) {
        auto id = route.path.starts_with("/api/v1/statuses") ? status : alice.id;
        auto strange = ask(w.anonymous(), route, id), unknown = ask(w.bearer("no such token"), route, id);
        EXPECT_TRUE(strange.status == 200 || strange.status == 404 || strange.status == 400) << strange.body;
        EXPECT_EQ(strange.status, unknown.status);
        EXPECT_EQ(strange.body, unknown.body);
    });
}

TEST_P(EveryRoute, answers_head_as_get) {
    auto alice = w.local("alice");
    each(
        [](const auto& r) { return r.method == http::Method::get; },
        [&](const http::Route& route) {
            auto get = ask(alice, route, alice.id);
            auto head = alice.send(http::Method::head, filled(route, alice.id), "", "");
            EXPECT_EQ(get.status, head.status);
        }
    );
}

TEST_P(EveryRoute, tolerates_a_slash_at_the_end) {
    auto alice = w.local("alice");
    each(
        [](const auto& r) { return r.method == http::Method::get; },
        [&](const http::Route& route) {
            EXPECT_EQ(ask(alice, route, alice.id).status, alice.get(filled(route, alice.id) + "/").status);
        }
    );
}

TEST_P(EveryRoute, is_closed_to_strangers_when_restricted) {
    World closed(GetParam(), {.site = [](base::Site& site) { site.restricted = true; }});
    auto alice = closed.local("alice");
    auto app = closed.app();
    for (const auto* route : closed.router().routes()) {
        if (!route->path.starts_with("/api/")) continue;
        SCOPED_TRACE(std::string(to_string(route->method)) + " " + std::string(route->path));
        auto answer = ask(closed.anonymous(), *route);
        if (route->open_when_restricted) {
            // Nor what looks for a browser's session.
            if (!route->usable_by_unconfirmed && !route->path.starts_with("/api/web/"))
                EXPECT_NE(answer.error(), "This method requires an authenticated user");
        } else {
            EXPECT_EQ(answer.status, 401);
            EXPECT_EQ(ask(app, *route).status == 200 && route->auth != http::Auth::token, false);
        }
        if (route->auth == http::Auth::optional) EXPECT_NE(ask(alice, *route).status, 401);
        EXPECT_EQ(answer.header("Cache-Control").find("public"), std::string::npos);
    }
}

TEST_P(EveryRoute, that_is_not_served_answers_404_in_json) {
    auto alice = w.local("alice");
    for (auto path : {"/api/v1/nothing", "/api/v9/accounts", "/api/v1", "/api/v1/accounts//statuses"}) {
        auto answer = alice.get(path);
        EXPECT_EQ(answer.status, 404) << path;
        EXPECT_EQ(answer.body, R"({"error":"Not Found"})") << path;
    }
    EXPECT_EQ(alice.del("/api/v1/timelines/home").status, 404);
}

}  // namespace

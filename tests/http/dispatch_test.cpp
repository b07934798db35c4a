// SPDX-License-Identifier: AGPL-3.0-or-later
// Requests through small routes of this test's own: parameters, steps, errors, headers.
#include "http/dispatch.hpp"
#include "support/database.hpp"
#include "world_engine.hpp"

namespace {

using http::Auth, http::Caching, http::Viewer;

struct Form {
    http::Required<std::string> name;
    http::Limit<20, 40> limit;
    bool loud = false;
};
DESCRIBE(Form, name, limit, loud)

struct Greeting {
    std::string text;
};
DESCRIBE(Greeting, text)

struct Question {
    std::string text;
    using Answer = std::string;
};
DESCRIBE(Question, text)

const db::Command test_dispatch_insert{
    "test_dispatch_insert", "INSERT INTO settings (name, value) VALUES ($1, $1)"
};
const db::Query<std::int64_t> test_dispatch_count{"test_dispatch_count", "SELECT count(*) FROM settings"};

Greeting greet(db::Read&, const Form& form) {
    return {*form.name + std::to_string(form.limit.value) + (form.loud ? "!" : "")};
}
Greeting personal(db::Read&, const Viewer& me) { return {"account " + std::to_string(me.account.value)}; }
Greeting maybe(db::Read&, const std::optional<Viewer>& me) { return {me ? "somebody" : "nobody"}; }
void put(db::Write& db, const Form& form) { db.run(test_dispatch_insert, *form.name); }
void put_and_fail(db::Write& db, const Form& form) {
    db.run(test_dispatch_insert, *form.name);
    throw base::Invalid("Validation failed: no");
}
Greeting count(db::Read& db) { return {std::to_string(db.one(test_dispatch_count))}; }
Greeting prepared(const base::Ask& ask, db::Read&, const Form& form) {
    return {ask(Question{*form.name}) + ask(Question{"twice"})};
}
void use(db::Write& db, const Greeting& greeting) { db.run(test_dispatch_insert, greeting.text); }
void broken(db::Read&) { throw std::runtime_error("a secret cause"); }
void endless(const base::Ask& ask, db::Read&) {
    for (int i = 0;; ++i) ask(Question{std::to_string(i)});
}
void duplicate(db::Write& db) {
    db.run(test_dispatch_insert, "same");
    db.run(test_dispatch_insert, "same");
}
http::Page<Greeting> listed(db::Read&) { return {{{"a"}, {"b"}}, {5, 9}}; }

constexpr http::Route table[] = {
    http::get<greet>("/api/greet"),
    http::get<greet>("/api/greet/:name"),
    http::get<personal>("/api/me", "read:accounts"),
    http::get<maybe>("/api/maybe", "read:accounts").cached(Caching::if_anonymous),
    http::post<put>("/api/put"),
    http::post<put, count>("/api/put_and_count"),
    http::post<put_and_fail>("/api/fail"),
    http::post<prepared, use, count>("/api/ask"),
    http::get<broken>("/api/broken"),
    http::get<endless>("/api/endless"),
    http::post<duplicate>("/api/duplicate"),
    http::get<listed>("/api/listed").cached(Caching::always),
};

struct Dispatching : support::OnEachMigratedDatabase {
    std::unique_ptr<db::Connection> connection = database.connection();
    std::unique_ptr<stage::AtOnce> engine;
    http::Router router;
    http::Limiter limiter;
    base::Outside outside;
    std::unique_ptr<http::Dispatch> dispatch;
    std::vector<int> finished;
    bool crunch_is_full = false;

    Dispatching() {
        db::migrate(*connection, {1000});
        engine = std::make_unique<stage::AtOnce>(*connection, database.options.context);
        router.add(table);
        outside.answers<Question>([](const Question& q) { return "<" + q.text + ">"; });
        http::DispatchOptions options;
        options.site = &database.site;
        options.clock = database.options.context.clock;
        options.spool = std::filesystem::temp_directory_path();
        options.authenticate = [](db::Read&, std::string_view token) {
            http::Credentials who;
            if (token != "alice") return who;
            who.state = http::TokenState::live;
            who.holder.scopes = *http::parse_scopes("read");
            who.viewer = Viewer{.account = {7}, .user = {7}, .token = {7}};
            return who;
        };
        options.crunch = [this](std::function<void()> task) {
            return !crunch_is_full && engine->later(std::move(task));
        };
        options.finished = [this](const http::Route&, int status, double) { finished.push_back(status); };
        dispatch = std::make_unique<http::Dispatch>(router, *engine, limiter, outside, std::move(options));
    }

    http::Response send(
        http::Method method, std::string target, std::string body = "", http::Headers headers = {}
    ) {
        http::Request request;
        request.method = method;
        request.target = std::move(target);
        request.body = std::move(body);
        request.headers = std::move(headers);
        if (!request.body.empty())
            request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
        request.remote_address = "192.0.2.1";
        std::optional<http::Response> answer;
        dispatch->serve(std::move(request), http::Pending([&](http::Response r) { answer = std::move(r); }));
        EXPECT_TRUE(answer);
        return answer.value_or(http::Response{});
    }
    http::Response get(std::string target, http::Headers headers = {}) {
        return send(http::Method::get, std::move(target), "", std::move(headers));
    }
    http::Response post(std::string target, std::string body) {
        return send(http::Method::post, std::move(target), std::move(body));
    }
    static std::string header(const http::Response& r, std::string_view name) {
        return std::string(r.header(name));
    }
    std::int64_t rows() {
        return db::read_now(*connection, database.options.context, [](db::Read& db) {
            return db.one(test_dispatch_count);
        });
    }
};
ON_EACH_DATABASE(Dispatching);

TEST_P(Dispatching, fills_forms_from_query_path_and_body) {
    EXPECT_EQ(get("/api/greet?name=a&limit=5&loud=1").body, R"({"text":"a5!"})");
    EXPECT_EQ(get("/api/greet/b%20c?limit=1000").body, R"({"text":"b c40"})");
    EXPECT_EQ(get("/api/greet/path?name=query").body, R"({"text":"path20"})");
    auto missing = get("/api/greet");
    EXPECT_EQ(missing.status, 422);
    EXPECT_EQ(missing.body, R"({"error":"Validation failed: Name can't be blank"})");
}

TEST_P(Dispatching, knows_a_token_from_the_header_and_from_parameters) {
    EXPECT_EQ(get("/api/me", {{"Authorization", "Bearer alice"}}).body, R"({"text":"account 7"})");
    EXPECT_EQ(get("/api/me", {{"authorization", "bearer alice"}}).body, R"({"text":"account 7"})");
    EXPECT_EQ(get("/api/me?access_token=alice").status, 200);
    EXPECT_EQ(get("/api/me?bearer_token=alice").status, 200);
    EXPECT_EQ(get("/api/me", {{"Authorization", "Basic alice"}}).status, 401);
    EXPECT_EQ(get("/api/me").status, 401);
    EXPECT_EQ(get("/api/maybe", {{"Authorization", "Bearer bob"}}).body, R"({"text":"nobody"})");
}

TEST_P(Dispatching, runs_the_steps_in_order_and_undoes_a_failed_change) {
    EXPECT_EQ(post("/api/put", "name=a").body, "{}");
    EXPECT_EQ(post("/api/put_and_count", "name=b").body, R"({"text":"2"})");
    auto failed = post("/api/fail", "name=c");
    EXPECT_EQ(failed.status, 422);
    EXPECT_EQ(failed.body, R"({"error":"Validation failed: no"})");
    EXPECT_EQ(rows(), 2);
    EXPECT_EQ(finished, (std::vector{200, 200, 422}));
}

TEST_P(Dispatching, asks_and_runs_again_with_the_answers) {
    EXPECT_EQ(post("/api/ask", "name=x").body, R"({"text":"1"})");
    EXPECT_EQ(post("/api/put", "name=%3Cx%3E%3Ctwice%3E").status, 422);  // is there already
    EXPECT_EQ(get("/api/endless").status, 503);
    crunch_is_full = true;
    auto full = post("/api/ask", "name=y");
    EXPECT_EQ(full.status, 503);
    EXPECT_EQ(header(full, "Retry-After"), "5");
    EXPECT_EQ(rows(), 1);
}

TEST_P(Dispatching, never_tells_the_cause_of_an_internal_error) {
    auto answer = get("/api/broken");
    EXPECT_EQ(answer.status, 500);
    EXPECT_EQ(answer.body.find("secret"), std::string::npos);
    auto twice = post("/api/duplicate", "x=y");
    EXPECT_EQ(twice.status, 422);
    EXPECT_EQ(twice.body, R"({"error":"Duplicate record"})");
    EXPECT_EQ(rows(), 0);
}

TEST_P(Dispatching, links_to_the_neighbours_and_leaves_out_secrets) {
    EXPECT_EQ(
        header(get("/api/listed?limit=2&max_id=3&access_token=secret&q=a%20b"), "Link"),
        "<http://localhost:3000/api/listed?limit=2&q=a%20b&max_id=5>; rel=\"next\", "
        "<http://localhost:3000/api/listed?limit=2&q=a%20b&min_id=9>; rel=\"prev\""
    );
}

TEST_P(Dispatching, answers_preflights) {
    auto answer = send(http::Method::options, "/api/me");
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(header(answer, "Access-Control-Allow-Origin"), "*");
    EXPECT_NE(header(answer, "Access-Control-Allow-Methods").find("DELETE"), std::string::npos);
    EXPECT_NE(header(answer, "Access-Control-Allow-Headers").find("Idempotency-Key"), std::string::npos);
    EXPECT_EQ(header(send(http::Method::options, "/auth/sign_in"), "Access-Control-Allow-Origin"), "");
}

TEST_P(Dispatching, tells_how_the_caller_stands_and_refuses_the_301st) {
    for (int i = 0; i < 300; ++i) {
        auto answer = get("/api/maybe");
        ASSERT_EQ(answer.status, 200);
        EXPECT_EQ(header(answer, "X-RateLimit-Limit"), "300");
        EXPECT_EQ(header(answer, "X-RateLimit-Remaining"), std::to_string(299 - i));
    }
    auto refused = get("/api/maybe");
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.body, R"({"error":"Too many requests"})");
    EXPECT_EQ(header(refused, "X-RateLimit-Remaining"), "0");
    EXPECT_EQ(header(refused, "X-RateLimit-Reset"), "2026-01-01T00:05:00.000000Z");
    database.clock_ms += 300'000;
    EXPECT_EQ(get("/api/maybe").status, 200);
}

TEST_P(Dispatching, caches_by_the_route_and_by_who_asks) {
    auto anonymous = get("/api/maybe"), mine = get("/api/maybe", {{"Authorization", "Bearer alice"}}),
         greeting = get("/api/greet?name=a");
    EXPECT_EQ(header(anonymous, "Cache-Control").substr(0, 18), "max-age=15, public");
    EXPECT_EQ(header(mine, "Cache-Control"), "private, no-store");
    EXPECT_EQ(header(mine, "ETag"), "");
    EXPECT_EQ(header(greeting, "Cache-Control"), "private, no-store");
    auto again = get("/api/maybe", {{"If-None-Match", "\"x\", " + header(anonymous, "ETag")}});
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.body, "");
    EXPECT_EQ(header(again, "ETag"), header(anonymous, "ETag"));
    EXPECT_EQ(header(get("/api/listed"), "Vary"), "");
}

}  // namespace

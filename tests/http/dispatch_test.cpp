// SPDX-License-Identifier: AGPL-3.0-or-later
// Requests through small routes of this test's own: parameters, steps, errors, headers.
#include "http/dispatch.hpp"
#include "base/deadline.hpp"
#include "support/database.hpp"
#include "world_engine.hpp"

#include <cstdlib>
#include <filesystem>
#include <thread>

namespace {

using http::Auth, http::Caching, http::Viewer;

struct Form {
    http::Required<std::string> name;
    http::Limit<20, 40> limit;
    bool loud = false;
};
DESCRIBE(Form, name, limit, loud)

struct Picture {
    http::Required<http::Upload> file;
    std::optional<std::string> text;
};
DESCRIBE(Picture, file, text)

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
void use_up_the_time() {
    while (!base::Within::over()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
bool came_to_write = false;
void put_slowly(db::Write& db, const Form& form) {
    came_to_write = true;
    db.run(test_dispatch_insert, *form.name);
    use_up_the_time();
}
void broken(db::Read&) { throw std::runtime_error("a secret cause"); }
void endless(const base::Ask& ask, db::Read&) {
    for (int i = 0;; ++i) ask(Question{std::to_string(i)});
}
void duplicate(db::Write& db) {
    db.run(test_dispatch_insert, "same");
    db.run(test_dispatch_insert, "same");
}
http::Page<Greeting> listed(db::Read&) { return {{{"a"}, {"b"}}, {5, 9}}; }

Greeting look(db::Read&, const Viewer&, const Picture& form) {
    return {form.file->filename + " " + std::to_string(form.file->size) + " " + form.text.value_or("")};
}
void keep(db::Write& db, const Greeting& greeting) { db.run(test_dispatch_insert, greeting.text); }
Greeting mine(db::Read&, const Viewer& me, const Form& form) {
    return {*form.name + " of " + std::to_string(me.account.value)};
}
Greeting length(db::Read&, const http::Request& request) { return {std::to_string(request.body.size())}; }
void demand_seal(const http::Request& head) {
    if (head.header("Seal").empty()) throw base::Forbidden("There is no seal");
}

constexpr http::Route table[] = {
    http::post<look, keep>("/api/picture", "write:media").body_limit(50 << 20),
    http::post<mine, keep>("/api/mine", "write:media").body_limit(50 << 20),
    http::post<length, keep>("/sealed").raw().body_limit(2 << 20).screened(demand_seal),
    http::get<greet>("/api/greet"),
    http::get<greet>("/api/greet/:name"),
    http::get<personal>("/api/me", "read:accounts"),
    http::get<maybe>("/api/maybe", "read:accounts").cached(Caching::if_anonymous),
    http::post<put>("/api/put"),
    http::post<put, count>("/api/put_and_count"),
    http::post<put_and_fail>("/api/fail"),
    http::post<prepared, use, count>("/api/ask"),
    http::post<put_slowly, count>("/api/put_slowly"),
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
    base::ExternalServices services;
    std::unique_ptr<http::Dispatch> dispatch;
    std::vector<int> finished;
    bool cpu_is_full = false, answers_late = false;
    std::optional<std::string> when_full;
    std::function<bool(std::string_view)> own_names;
    std::filesystem::path spool = [] {
        auto name = (std::filesystem::temp_directory_path() / "dunlin-dispatch-XXXXXX").string();
        return std::filesystem::path(::mkdtemp(name.data()));
    }();

    Dispatching() {
        db::migrate(*connection, {1000});
        engine = std::make_unique<stage::AtOnce>(*connection, database.options.context);
        router.add(table);
        services.answers<Question>([this](const Question& q) {
            if (answers_late) use_up_the_time();
            return "<" + q.text + ">";
        });
        begin(std::chrono::minutes(1));
    }
    void begin(std::chrono::milliseconds request_time) {
        http::DispatchOptions options;
        options.request_time = request_time;
        options.site = &database.site;
        options.clock = database.options.context.clock;
        options.spool = spool;
        options.authenticate = [](db::Read&, std::string_view token) {
            http::Credentials who;
            if (token != "alice" && token != "writer") return who;
            who.state = http::TokenState::live;
            who.holder.scopes = *http::parse_scopes(token == "alice" ? "read" : "write");
            who.viewer = Viewer{.account = {7}, .user = {7}, .token = {7}};
            return who;
        };
        options.cpu = [this](std::function<void()> task) {
            return !cpu_is_full && engine->later(std::move(task));
        };
        if (when_full) options.when_full[typeid(Question)] = *when_full;
        options.is_own_host = own_names;
        options.finished = [this](const http::Route&, int status, double) { finished.push_back(status); };
        dispatch = std::make_unique<http::Dispatch>(router, *engine, limiter, services, std::move(options));
    }

    ~Dispatching() override { std::filesystem::remove_all(spool); }

    // What is decided from a head whose body has not come.
    http::Admission admit(std::string target, http::Headers headers) {
        http::Request head;
        head.method = http::Method::post;
        head.target = std::move(target);
        head.headers = std::move(headers);
        head.remote_address = "192.0.2.1";
        std::optional<http::Admission> decided;
        dispatch->admit(std::move(head), http::PendingAdmission([&](http::Admission admission) {
                            decided = std::move(admission);
                        }));
        EXPECT_TRUE(decided);
        return decided.value_or(http::Admission{});
    }
    // The rest of an admitted request.
    static http::Response go_on(http::Admission& admission, const std::string& body) {
        std::optional<http::Response> answer;
        for (std::size_t at = 0; admission.in_pieces && at < body.size() && !answer; at += 1000)
            admission.intake->take(body.substr(at, 1000), [&](auto refusal) { answer = std::move(refusal); });
        if (!answer)
            admission.intake->serve(admission.in_pieces ? "" : body, http::Pending([&](http::Response r) {
                                        answer = std::move(r);
                                    }));
        admission.intake.reset();
        EXPECT_TRUE(answer);
        return answer.value_or(http::Response{});
    }
    bool spool_is_empty() const { return std::filesystem::is_empty(spool); }

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
    cpu_is_full = true;
    auto full = post("/api/ask", "name=y");
    EXPECT_EQ(full.status, 503);
    EXPECT_EQ(header(full, "Retry-After"), "5");
    EXPECT_EQ(rows(), 1);
}

TEST_P(Dispatching, have_an_answer_for_questions_that_can_do_without_when_too_many_wait) {
    when_full = "-";
    begin(std::chrono::minutes(1));
    cpu_is_full = true;
    EXPECT_EQ(post("/api/ask", "name=y").status, 200);
    EXPECT_EQ(post("/api/put", "name=--").status, 422);  // "-" for each of both
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

TEST_P(Dispatching, answers_the_api_by_own_names_alone) {
    own_names = [](std::string_view host) { return host == "here.example"; };
    begin(std::chrono::minutes(1));
    EXPECT_EQ(get("/api/greet?name=a", {{"Host", "here.example"}}).status, 200);
    auto other = get("/api/greet?name=a", {{"Host", "evil.example"}});
    EXPECT_EQ(other.status, 421);
    EXPECT_EQ(other.body, R"({"error":"This server is not called by this name"})");
    EXPECT_EQ(admit("/api/mine", {{"Host", "evil.example"}}).refusal->status, 421);
    EXPECT_EQ(send(http::Method::options, "/api/greet", "", {{"Host", "evil.example"}}).status, 421);
    EXPECT_EQ(get("/nothing", {{"Host", "evil.example"}}).status, 404);
    EXPECT_TRUE(finished == std::vector{200});
}

TEST_P(Dispatching, answers_preflights) {
    auto answer = send(http::Method::options, "/api/me");
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(header(answer, "Access-Control-Allow-Origin"), "*");
    EXPECT_NE(header(answer, "Access-Control-Allow-Methods").find("DELETE"), std::string::npos);
    EXPECT_NE(header(answer, "Access-Control-Allow-Headers").find("Idempotency-Key"), std::string::npos);
    for (const auto* path : {"/@alice", "/users/alice", "/ap/users/1"})
        EXPECT_EQ(header(send(http::Method::options, path), "Access-Control-Allow-Origin"), "*") << path;
    EXPECT_EQ(header(send(http::Method::options, "/@alice/1"), "Access-Control-Allow-Origin"), "");
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

TEST_P(Dispatching, does_nothing_for_a_request_whose_time_is_over) {
    begin(std::chrono::milliseconds(0));
    EXPECT_EQ(get("/api/greet?name=x").status, 503);
    auto answer = post("/api/put", "name=x");
    EXPECT_EQ(answer.status, 503);
    EXPECT_NE(header(answer, "Retry-After"), "");
    EXPECT_EQ(rows(), 0);
    EXPECT_EQ(finished, (std::vector{503, 503}));
}

TEST_P(Dispatching, gives_a_question_the_time_of_the_request_that_asks_it) {
    begin(std::chrono::milliseconds(30));
    answers_late = true;
    EXPECT_EQ(post("/api/ask", "name=x").status, 503);
    EXPECT_EQ(rows(), 0);
}

TEST_P(Dispatching, says_what_was_written_even_when_that_took_all_the_time) {
    came_to_write = false;
    http::Response answer;
    // A busy machine may not come to the change in so little time.
    for (auto time = std::chrono::milliseconds(100); !came_to_write && time < std::chrono::minutes(2);
         time *= 3) {
        begin(time);
        answer = post("/api/put_slowly", "name=x");
    }
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, R"({"text":"1"})");
    EXPECT_EQ(rows(), 1);
}

const std::string multipart = "multipart/form-data; boundary=B", form = "application/x-www-form-urlencoded";

std::string field(const std::string& name, const std::string& value) {
    return "--B\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
}
std::string file(const std::string& bytes) { return field("file\"; filename=\"a.png", bytes); }

TEST_P(Dispatching, decides_from_the_head_who_may_send_a_body) {
    auto refused = [&](std::string target, http::Headers headers) {
        auto admission = admit(std::move(target), std::move(headers));
        EXPECT_FALSE(admission.intake);
        return admission.refusal ? std::to_string(admission.refusal->status) + admission.refusal->body : "";
    };
    const std::string invalid = R"(401{"error":"The access token is invalid"})";
    const std::pair<std::string, std::string> of_form{"Content-Type", form};
    EXPECT_EQ(refused("/api/mine", {{"Authorization", "Bearer nobody"}, of_form}), invalid);
    EXPECT_EQ(refused("/api/mine?access_token=nobody", {of_form}), invalid);
    EXPECT_EQ(refused("/api/mine", {{"Content-Type", "image/png"}}), invalid);  // where no token could be
    EXPECT_EQ(
        refused("/api/mine", {{"Authorization", "Bearer alice"}, of_form}),
        R"(403{"error":"This action is outside the authorized scopes"})"
    );
    EXPECT_EQ(refused("/api/nothing", {of_form}), R"(404{"error":"Not Found"})");
    EXPECT_EQ(refused("/sealed", {}), R"(403{"error":"There is no seal"})");
    EXPECT_EQ(
        refused(
            "/api/picture", {{"Authorization", "Bearer writer"}, {"Content-Type", "multipart/form-data"}}
        ),
        R"(400{"error":"The multipart body has no valid boundary"})"
    );
    EXPECT_EQ(rows(), 0);
}

TEST_P(Dispatching, refuses_bodies_of_an_address_that_has_asked_too_often) {
    for (int i = 0; i < 300; ++i) get("/api/maybe");
    auto admission = admit("/api/put", {{"Content-Type", form}});
    ASSERT_TRUE(admission.refusal);
    EXPECT_EQ(admission.refusal->status, 429);
    EXPECT_EQ(header(*admission.refusal, "X-RateLimit-Remaining"), "0");
}

TEST_P(Dispatching, gives_strangers_less_room_than_users) {
    auto stranger = admit("/api/mine", {{"Content-Type", form}});
    EXPECT_EQ(stranger.purse, http::Purse::strangers);
    EXPECT_EQ(stranger.most_bytes, 1u << 20);
    auto sealed = admit("/sealed", {{"Seal", "x"}});
    EXPECT_EQ(sealed.purse, http::Purse::strangers);
    EXPECT_EQ(sealed.most_bytes, 1u << 20);
    EXPECT_EQ(go_on(sealed, std::string(70'000, 'x')).status, 200);
    auto user = admit("/api/mine", {{"Authorization", "Bearer writer"}, {"Content-Type", form}});
    EXPECT_EQ(user.purse, http::Purse::users);
    EXPECT_EQ(user.most_bytes, 32u << 20);
    EXPECT_FALSE(user.in_pieces);
    auto upload = admit("/api/picture", {{"Authorization", "Bearer writer"}, {"Content-Type", multipart}});
    EXPECT_EQ(upload.purse, http::Purse::uploads);
    EXPECT_EQ(upload.most_bytes, 50u << 20);
    EXPECT_TRUE(upload.in_pieces);
}

TEST_P(Dispatching, serves_what_was_admitted_like_what_came_at_once) {
    const std::string body = "name=a&text=" + std::string(20'000, 'x');
    auto user = admit("/api/mine", {{"Authorization", "Bearer writer"}, {"Content-Type", form}});
    auto answer = go_on(user, body);
    EXPECT_EQ(answer.body, "{}");
    EXPECT_EQ(header(answer, "X-RateLimit-Remaining"), "1499");
    // A token in the body is found there.
    auto told_later = admit("/api/mine", {{"Content-Type", form}});
    EXPECT_EQ(go_on(told_later, "name=b&access_token=writer").body, "{}");
    auto never_told = admit("/api/mine", {{"Content-Type", form}});
    EXPECT_EQ(go_on(never_told, "name=c").status, 401);
    auto unreadable =
        admit("/api/mine", {{"Authorization", "Bearer writer"}, {"Content-Type", "application/json"}});
    EXPECT_EQ(go_on(unreadable, "{").status, 400);
    EXPECT_EQ(rows(), 2);
}

TEST_P(Dispatching, spools_a_file_while_it_comes) {
    auto upload = admit("/api/picture", {{"Authorization", "Bearer writer"}, {"Content-Type", multipart}});
    ASSERT_TRUE(upload.in_pieces);
    bool taken = false;
    const auto body = field("text", "t") + file(std::string(5000, 'x'));
    upload.intake->take(body.substr(0, 3000), [&](auto refusal) { taken = !refusal; });
    EXPECT_TRUE(taken);
    EXPECT_FALSE(spool_is_empty());
    auto answer = go_on(upload, body.substr(3000) + "--B--\r\n");
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(rows(), 1);
    EXPECT_TRUE(spool_is_empty());

    auto given_up = admit("/api/picture", {{"Authorization", "Bearer writer"}, {"Content-Type", multipart}});
    given_up.intake->take(body, [](auto) {});
    EXPECT_FALSE(spool_is_empty());
    given_up.intake.reset();
    EXPECT_TRUE(spool_is_empty());

    auto cut = admit("/api/picture", {{"Authorization", "Bearer writer"}, {"Content-Type", multipart}});
    EXPECT_EQ(go_on(cut, body).status, 400);
    EXPECT_EQ(rows(), 1);
}

TEST_P(Dispatching, keeps_no_file_of_whom_it_does_not_know) {
    // Neither when it comes piece by piece, nor when it came along with its head.
    const auto body = file("bytes") + field("access_token", "writer") + "--B--\r\n";
    auto unknown = admit("/api/picture", {{"Content-Type", multipart}});
    EXPECT_EQ(unknown.purse, http::Purse::strangers);
    EXPECT_EQ(go_on(unknown, body).status, 401);
    EXPECT_TRUE(spool_is_empty());
    http::Request request;
    request.method = http::Method::post;
    request.target = "/api/picture";
    request.remote_address = "192.0.2.1";
    request.headers = {{"Content-Type", multipart}};
    request.body = body;
    std::optional<http::Response> answer;
    dispatch->serve(request, http::Pending([&](http::Response r) { answer = std::move(r); }));
    EXPECT_EQ(answer->status, 401);
    // What asks for no user has no use for files.
    auto open = admit("/api/put", {{"Content-Type", multipart}});
    EXPECT_EQ(go_on(open, file("bytes") + field("name", "x") + "--B--\r\n").status, 200);
    EXPECT_TRUE(spool_is_empty());
    EXPECT_EQ(rows(), 1);
}

}  // namespace

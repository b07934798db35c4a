// SPDX-License-Identifier: AGPL-3.0-or-later
// Requests where a replica serves reads and is behind: another database here, which never hears of a change.
#include "http/dispatch.hpp"
#include "support/database.hpp"

#include <future>

namespace {

using http::Viewer;

const db::Command test_replica_insert{
    "test_replica_insert", "INSERT INTO settings (name, value) VALUES ('test_replica', 'x')"
};
const db::Query<std::int64_t> test_replica_count{
    "test_replica_count", "SELECT count(*) FROM settings WHERE name = 'test_replica'"
};

struct Seen {
    std::int64_t rows = 0;
};
DESCRIBE(Seen, rows)

void put(db::Write& db, const Viewer&) { db.run(test_replica_insert); }
Seen look(db::Read& db) { return {db.one(test_replica_count)}; }
Seen look_as_user(db::Read& db, const Viewer&) { return look(db); }

constexpr http::Route table[] = {
    http::post<put>("/api/put", "write"),
    http::get<look>("/api/look"),
    http::get<look_as_user>("/api/me", "read"),
};

struct Behind : support::OnEachMigratedDatabase {
    support::TestDatabase replica{GetParam(), true};
    std::unique_ptr<db::RunningEngine> engine;
    http::Router router;
    http::Limiter limiter;
    base::ExternalServices services;
    std::unique_ptr<http::Dispatch> dispatch;
    std::string address = "192.0.2.1";

    Behind() {
        database.options.replica_url = replica.options.postgres_url;
        database.options.readers = 1;
        engine = db::open_engine(database.options);
        engine->start();
        router.add(table);
        http::DispatchOptions options;
        options.site = &database.site;
        options.clock = database.options.context.clock;
        options.has_replica = true;
        // "new" is a token that has only now been made.
        options.authenticate = [](db::Read& db, std::string_view token) {
            http::Credentials who;
            if (token == "new" && db.one(test_replica_count) == 0) return who;
            who.state = http::TokenState::live;
            who.holder.scopes = *http::parse_scopes("read write");
            who.viewer = Viewer{.account = {7}, .user = {7}, .token = {7}};
            return who;
        };
        dispatch = std::make_unique<http::Dispatch>(router, *engine, limiter, services, std::move(options));
    }
    ~Behind() override { engine->stop(); }

    http::Response send(http::Method method, const std::string& target, const std::string& token = "") {
        http::Request request;
        request.method = method;
        request.target = target;
        request.remote_address = address;
        if (!token.empty()) request.headers.emplace_back("Authorization", "Bearer " + token);
        auto answer = std::make_shared<std::promise<http::Response>>();
        auto waiting = answer->get_future();
        dispatch->serve(std::move(request), http::Pending([answer](http::Response r) {
                            answer->set_value(std::move(r));
                        }));
        return waiting.get();
    }
    std::string seen(const std::string& target, const std::string& token = "") {
        return send(http::Method::get, target, token).body;
    }
};
INSTANTIATE_TEST_SUITE_P(
    db, Behind, testing::ValuesIn([] {
        auto all = support::databases();
        std::erase(all, support::Database::sqlite);  // has no replicas
        return all;
    }()),
    support::database_name
);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Behind);

const std::string none = R"({"rows":0})", one = R"({"rows":1})";

TEST_P(Behind, show_what_a_token_wrote_on_every_route_it_reads) {
    EXPECT_EQ(seen("/api/me", "alice"), none);
    EXPECT_EQ(send(http::Method::post, "/api/put", "alice").status, 200);
    address = "192.0.2.2";
    EXPECT_EQ(seen("/api/me", "alice"), one);
    EXPECT_EQ(seen("/api/look", "alice"), one);
    EXPECT_EQ(seen("/api/look?access_token=alice"), one);
    EXPECT_EQ(seen("/api/me", "bob"), none);  // or the replica would serve nobody
    database.clock_ms += 59'000;
    EXPECT_EQ(seen("/api/me", "alice"), one);
    database.clock_ms += 120'000;
    EXPECT_EQ(seen("/api/me", "alice"), none);
}

TEST_P(Behind, show_what_was_written_from_the_same_address) {
    send(http::Method::post, "/api/put", "alice");
    EXPECT_EQ(seen("/api/look"), one);
    address = "192.0.2.2";
    EXPECT_EQ(seen("/api/look"), none);
}

TEST_P(Behind, believe_a_token_that_only_the_primary_knows) {
    EXPECT_EQ(send(http::Method::get, "/api/me", "new").status, 401);
    send(http::Method::post, "/api/put", "alice");
    address = "192.0.2.2";
    EXPECT_EQ(seen("/api/me", "new"), one);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Requests where a replica serves reads: a real one that applies nothing for a while, goes and falls silent.
#include "support/replica.hpp"
#include "http/dispatch.hpp"
#include "http/recent_writers.hpp"
#include "support/way.hpp"

#include <future>

namespace {

using http::Viewer;

const db::Command test_replica_insert{
    "test_replica_insert",
    "INSERT INTO settings (name, value) VALUES ('test_replica', 'x') ON CONFLICT DO NOTHING"
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
Seen look_for_one(db::Read& db) {
    const auto seen = look(db);
    if (seen.rows == 0) throw base::NotFound();
    return seen;
}

constexpr http::Route table[] = {
    http::post<put>("/api/put", "write"),
    http::get<look>("/api/look"),
    http::get<look_for_one>("/api/one"),
    http::get<look_as_user>("/api/me", "read"),
};

struct Behind : support::OnEachMigratedDatabase {
    support::Replica& replica = support::Replica::here();
    std::unique_ptr<support::Way> way;
    std::unique_ptr<db::RunningEngine> engine;
    http::Router router;
    http::Limiter limiter;
    base::ExternalServices services;
    std::unique_ptr<http::Dispatch> dispatch;
    std::string address = "192.0.2.1";
    std::vector<std::pair<std::uint64_t, db::Position>> told;  // to other nodes

    Behind() {
        replica.resume();
        way = std::make_unique<support::Way>(replica.folder() + "/.s.PGSQL.5432");
        database.options.replica_url =
            support::with_host(database.options.postgres_url, "127.0.0.1&port=" + std::to_string(way->port));
        database.options.readers = 2;
        database.options.longest_silence = std::chrono::minutes(1);
        engine = db::open_engine(database.options);
        engine->start();
        EXPECT_TRUE(support::soon([&] { return engine->stats().replica->serves; }));
        router.add(table);
        http::DispatchOptions options;
        options.site = &database.site;
        options.clock = database.options.context.clock;
        options.has_replica = true;
        options.wrote = [this](std::uint64_t who, db::Position position) {
            told.emplace_back(who, position);
        };
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
    void TearDown() override {
        way->silent = false;
        engine->stop();
        replica.start();
        replica.resume();
        replica.catch_up();  // or the database could not be emptied
    }
    // From now on it serves as it is.
    void pause() {
        replica.catch_up();
        replica.pause();
    }

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
    pause();
    EXPECT_EQ(seen("/api/me", "alice"), none);
    EXPECT_EQ(send(http::Method::post, "/api/put", "alice").status, 200);
    address = "192.0.2.2";
    EXPECT_EQ(seen("/api/me", "alice"), one);
    EXPECT_EQ(seen("/api/look", "alice"), one);
    EXPECT_EQ(seen("/api/look?access_token=alice"), one);
    EXPECT_EQ(seen("/api/me", "bob"), none);  // or the replica would serve nobody
    database.clock_ms += 600'000;
    EXPECT_EQ(seen("/api/me", "alice"), one);
}

TEST_P(Behind, are_served_by_the_replica_as_soon_as_it_has_that) {
    send(http::Method::post, "/api/put", "alice");
    replica.catch_up();
    const auto before = engine->stats().replica->reads;
    // Somebody has to look how far it has come first.
    EXPECT_TRUE(support::soon([&] {
        EXPECT_EQ(seen("/api/me", "alice"), one);
        return engine->stats().replica->reads > before;
    }));
    EXPECT_EQ(engine->stats().replica->reads, before + 1);
}

TEST_P(Behind, show_what_was_written_from_the_same_address) {
    pause();
    send(http::Method::post, "/api/put", "alice");
    EXPECT_EQ(seen("/api/look"), one);
    address = "192.0.2.2";
    EXPECT_EQ(seen("/api/look"), none);
}

TEST_P(Behind, show_what_a_token_wrote_at_another_node) {
    pause();
    http::DispatchOptions options;
    options.clock = database.options.context.clock;
    options.has_replica = true;
    options.site = &database.site;
    options.authenticate = [](db::Read&, std::string_view) {
        http::Credentials who;
        who.state = http::TokenState::live;
        who.holder.scopes = *http::parse_scopes("read write");
        who.viewer = Viewer{.account = {7}, .user = {7}, .token = {7}};
        return who;
    };
    dispatch->use_secret("of the site");
    send(http::Method::post, "/api/put", "carol");
    dispatch = std::make_unique<http::Dispatch>(router, *engine, limiter, services, options);
    dispatch->use_secret("of the site");
    address = "192.0.2.2";
    EXPECT_EQ(seen("/api/me", "carol"), none);
    ASSERT_EQ(told.size(), 1U);
    dispatch->wrote_elsewhere(told[0].first, told[0].second);
    EXPECT_NE(seen("/api/me", "carol"), none);
    EXPECT_EQ(seen("/api/me", "bob"), none);
}

TEST_P(Behind, believe_a_token_that_only_the_primary_knows) {
    pause();
    EXPECT_EQ(send(http::Method::get, "/api/me", "new").status, 401);
    send(http::Method::post, "/api/put", "alice");
    address = "192.0.2.2";
    EXPECT_EQ(seen("/api/me", "new"), one);
}

// A server that was told of a post a moment ago asks for it at once.
TEST_P(Behind, find_what_the_replica_has_not_got_yet) {
    pause();
    EXPECT_EQ(send(http::Method::get, "/api/one").status, 404);
    send(http::Method::post, "/api/put", "alice");
    address = "192.0.2.2";
    EXPECT_EQ(seen("/api/one"), one);
}

TEST_P(Behind, are_answered_though_the_replica_falls_silent_meanwhile) {
    send(http::Method::post, "/api/put", "alice");
    replica.catch_up();
    way->silent = true;
    for (int i = 0; i < 20; ++i) {
        const auto answer = send(http::Method::get, "/api/me", "bob");
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body, one);
    }
}

TEST_P(Behind, are_answered_though_the_replica_ends_meanwhile) {
    send(http::Method::post, "/api/put", "alice");
    replica.catch_up();
    replica.stop();
    for (int i = 0; i < 20; ++i) {
        const auto answer = send(http::Method::get, "/api/me", "bob");
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body, one);
    }
}

// ---- who has written ----

TEST(RecentWriters, know_how_far_each_must_look) {
    http::RecentWriters writers;
    http::Request here, there;
    here.remote_address = "192.0.2.1";
    there.remote_address = "192.0.2.2";
    const base::Time now{600'000'000};
    EXPECT_EQ(writers.seen_by(here, "alice", now), db::anything);
    writers.note(here, "alice", {50}, now);
    writers.note(here, "bob", {40}, now);
    EXPECT_EQ(writers.seen_by(there, "alice", now), db::Position{50});
    EXPECT_EQ(writers.seen_by(there, "bob", now), db::Position{40});
    EXPECT_EQ(writers.seen_by(here, "", now), db::Position{50});
    EXPECT_EQ(writers.seen_by(there, "", now), db::anything);
}

TEST(RecentWriters, are_served_by_the_primary_for_a_while_when_nobody_knows_how_far) {
    http::RecentWriters writers;
    http::Request request;
    const base::Time now{600'000'000};
    writers.note(request, "alice", db::newest, now);
    EXPECT_EQ(writers.seen_by(request, "alice", now.plus_seconds(59)), db::newest);
    EXPECT_EQ(writers.seen_by(request, "alice", now.plus_seconds(121)), db::anything);
}

TEST(RecentWriters, that_are_too_many_to_be_known_see_what_they_wrote) {
    http::RecentWriters writers;
    http::Request request;
    request.remote_address = "192.0.2.1";
    const base::Time now{600'000'000};
    const std::uint64_t many = 150'000;
    for (std::uint64_t i = 1; i <= many; ++i) {
        request.remote_address = "2001:db8:" + std::to_string(i % 10000) + "::1";
        writers.note(request, "token " + std::to_string(i), {i}, now);
    }
    request.remote_address = "192.0.2.2";
    EXPECT_EQ(writers.seen_by(request, "token " + std::to_string(many), now), db::Position{many});
    for (std::uint64_t i = 1; i <= many; i += 1000)
        EXPECT_GE(writers.seen_by(request, "token " + std::to_string(i), now), db::Position{i});
}

}  // namespace

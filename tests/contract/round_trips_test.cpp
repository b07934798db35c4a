// SPDX-License-Identifier: AGPL-3.0-or-later
// How often what happens most waits for the database. On PostgreSQL that is its time: each wait is a way there and back.
#include "db/open.hpp"
#include "jobs/reactions.hpp"
#include "server/tables.hpp"
#include "social/federation/inbox/inbox.hpp"
#include "social/federation/remote.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace {

MATCHER_P(AtMost, waits, "at most " + std::to_string(waits) + " waits") { return std::ssize(arg) <= waits; }

// Counts what is waited for: questions, commands whose effect somebody looks at, commits.
class Waiting : public db::Connection {
public:
    explicit Waiting(db::Connection& real) : real_(real) {}

    std::unique_ptr<db::Rows> query(const db::Sql& sql, std::span<const db::Value> values) override {
        const auto question = asked(sql, values);
        if (!take(answered_, question)) {
            if (!take(expected_, question)) ++questions;
            forget();
            wait(sql.name);
        }
        return real_.query(sql, values);
    }
    void ask_ahead(const db::Sql& sql, std::span<const db::Value> values) override {
        const auto question = asked(sql, values);
        if (mode_ != db::Mode::read || std::ranges::find(answered_, question) == answered_.end())
            expected_.push_back(question), ++questions;
        real_.ask_ahead(sql, values);
    }
    std::int64_t execute(const db::Sql& sql, std::span<const db::Value> values) override {
        forget();
        wait(sql.name);
        return real_.execute(sql, values);
    }
    std::int64_t send(const db::Sql& sql, std::span<const db::Value> values) override {
        forget();
        looked_at_ = false;
        return real_.send(sql, values);
    }
    std::int64_t changed_by(std::int64_t sent) override {
        if (!std::exchange(looked_at_, true))
            wait("what a command changed");  // those sent with it are known then, too
        return real_.changed_by(sent);
    }
    void send_last(const db::Sql& sql, std::span<const db::Value> values) override {
        real_.send_last(sql, values);
    }
    void script(const std::string& statements) override { real_.script(statements); }
    std::vector<std::string> columns(const db::Sql& sql) override { return real_.columns(sql); }
    bool is_postgres() const override { return real_.is_postgres(); }
    void begin(db::Mode mode) override {
        mode_ = mode;
        real_.begin(mode);
    }
    void beside_others() override { real_.beside_others(); }
    void lock(std::span<const db::Lock> all) override {
        forget();
        real_.lock(all);
    }
    void commit() override {
        if (mode_ == db::Mode::write) wait("the commit");
        real_.commit();
    }
    void rollback() noexcept override { real_.rollback(); }

    std::vector<std::string> waits;
    int questions = 0;  // of a snapshot, however many are waited for at once

private:
    // What is expected is answered together with what is waited for.
    void wait(const char* what) {
        waits.push_back(what);
        std::ranges::move(expected_, std::back_inserter(answered_));
        expected_.clear();
    }
    static bool take(std::vector<std::string>& from, const std::string& question) {
        const auto found = std::ranges::find(from, question);
        if (found == from.end()) return false;
        from.erase(found);
        return true;
    }
    void forget() {
        if (mode_ == db::Mode::read) return;
        std::ranges::move(answered_, std::back_inserter(expected_));
        answered_.clear();
    }
    static std::string asked(const db::Sql& sql, std::span<const db::Value> values) {
        std::string out = sql.name;
        for (const auto& value : values) {
            out += ' ';
            if (const auto* number = std::get_if<std::int64_t>(&value)) out += std::to_string(*number);
            if (const auto* text = std::get_if<std::string_view>(&value)) out += *text;
            if (const auto* ids = std::get_if<db::IdList>(&value)) db::append_json(out, *ids);
            if (const auto* texts = std::get_if<db::TextList>(&value)) db::append_json(out, *texts);
        }
        return out;
    }

    db::Connection& real_;
    std::vector<std::string> expected_, answered_;
    db::Mode mode_ = db::Mode::read;
    bool looked_at_ = false;
};

struct RoundTrips : OnEachWorld {
    template <class F>
    std::vector<std::string> waits_of(F&& change) {
        Waiting connection(w.connection());
        db::Context context{&w.site(), [this] { return w.now(); }, &w.reactions()};
        db::write_now(connection, context, [&](db::Write& db) {
            db.beside_others();
            change(db);
        });
        return connection.waits;
    }
    // A post of another server that has come, leased.
    federation::Item brought(int n, const std::string& name = "author") {
        const std::string note = "https://far.example/notes/" + std::to_string(n);
        const std::string who = "https://far.example/users/" + name;
        federation::Item item;
        item.signer = who;
        item.body = R"({"@context":"https://www.w3.org/ns/activitystreams","type":"Create","id":")" + note +
                    R"(/activity","actor":")" + who +
                    R"(","to":["https://www.w3.org/ns/activitystreams#Public"],"cc":[")" + who +
                    R"(/followers"],"object":{"type":"Note","id":")" + note + R"(","attributedTo":")" + who +
                    R"(","content":"<p>Measured post number )" + std::to_string(n) +
                    R"( about the weather of today</p>","published":"2026-01-01T00:00:00Z",)"
                    R"("to":["https://www.w3.org/ns/activitystreams#Public"],"cc":[")" +
                    who + R"(/followers"]}})";
        w.write([&](db::Write& db) { federation::keep(db, item, note); });
        return w.write([](db::Write& db) { return federation::lease_items(db, 1, false); }).at(0);
    }
    static base::AccountId id(const Person& person) { return {std::stoll(person.id)}; }
};
ON_EACH_DATABASE(RoundTrips);

TEST_P(RoundTrips, of_posting) {
    auto author = w.local("author"), reader = w.local("reader");
    reader.follows(author);
    author.status("about #water and #light");
    statuses::Draft draft;
    draft.account = id(author);
    draft.text = "about #water and #light";
    draft.content.html = "<p>about</p>";
    draft.content.tags = {{"water", "water"}, {"light", "light"}};
    EXPECT_THAT(waits_of([&](db::Write& db) { statuses::create(db, draft); }), AtMost(4));
}

TEST_P(RoundTrips, of_showing_what_was_posted) {
    auto author = w.local("author");
    statuses::Draft draft;
    draft.account = id(author);
    draft.text = "about #water";
    draft.content.html = "<p>about</p>";
    draft.content.tags = {{"water", "water"}};
    auto posted = w.write([&](db::Write& db) { return statuses::create(db, draft); });
    Waiting connection(w.connection());
    db::Context context{&w.site(), [this] { return w.now(); }, &w.reactions()};
    db::read_now(connection, context, [&](db::Read& db) {
        auto viewer = statuses::audience(db, id(author));
        return statuses::json(db, viewer, statuses::visible_facts(db, viewer, posted.id));
    });
    EXPECT_THAT(connection.waits, AtMost(7));
}

TEST_P(RoundTrips, of_liking) {
    auto author = w.local("author"), reader = w.local("reader");
    base::StatusId status{std::stoll(author.status("hello"))};
    EXPECT_THAT(waits_of([&](db::Write& db) { statuses::favourite(db, id(reader), status, {}); }), AtMost(8));
    EXPECT_THAT(waits_of([&](db::Write& db) { statuses::unfavourite(db, id(reader), status); }), AtMost(6));
}

// Between its receipt, which is one question and one commit, and its place in homes.
TEST_P(RoundTrips, of_taking_in_a_post) {
    auto reader = w.local("reader");
    auto author = remote::somebody(w, "author");
    remote::follows(w, reader, author);
    brought(1);
    w.run_inbox();
    const auto item = brought(2);
    Waiting connection(w.connection());
    db::Context context{&w.site(), [this] { return w.now(); }, &w.reactions()};
    federation::Doing doing;
    db::read_now(connection, context, [&](db::Read& db) {
        const auto parsed = federation::read(item, server::inbox(), db.now());
        federation::look_ahead(db, {&parsed, 1});
        doing = federation::prepare(base::Ask(), db, server::inbox(), parsed);
    });
    ASSERT_TRUE(doing.change);
    EXPECT_THAT(connection.waits, AtMost(5)) << "to prepare it, of which two are asked once in a snapshot";
    EXPECT_THAT(
        waits_of([&](db::Write& db) { federation::finish(db, std::array{federation::Ready{&item, &doing}}); }
        ),
        AtMost(6)
    ) << "to store it";
}

// What all of them ask is waited for once.
TEST_P(RoundTrips, of_looking_at_many_posts) {
    auto reader = w.local("reader");
    std::vector<federation::Item> items;
    for (int n = 1; n <= 8; ++n) {
        const auto name = "author" + std::to_string(n);
        remote::follows(w, reader, remote::somebody(w, name));
        items.push_back(brought(n, name));
    }
    w.connection().script(
        "INSERT INTO actors (account_id, inbox, followers, refreshed_at) "
        "SELECT id, uri || '/inbox', uri || '/followers', 1 FROM accounts WHERE domain <> ''"
    );
    Waiting connection(w.connection());
    db::Context context{&w.site(), [this] { return w.now(); }, &w.reactions()};
    db::read_now(connection, context, [&](db::Read& db) {
        std::vector<federation::Brought> parsed;
        for (const auto& item : items) parsed.push_back(federation::read(item, server::inbox(), db.now()));
        federation::look_ahead(db, parsed);
        for (const auto& one : parsed)
            EXPECT_TRUE(federation::prepare(base::Ask(), db, server::inbox(), one).change);
    });
    EXPECT_THAT(connection.waits, AtMost(5));
    EXPECT_LE(connection.questions, 10) << "about all of them, where each by itself would be asked about";
}

// To plan a statement takes longer than to run it (docs/decisions/0011-plans.md), and PostgreSQL does so each time where it
// takes the plan for these values for the better one.
TEST_P(RoundTrips, plan_what_happens_often_no_more_than_ten_times) {
    if (!w.is_postgres()) GTEST_SKIP() << "SQLite plans a statement once";
    auto reader = w.local("reader"), author = w.local("author");
    reader.follows(author);
    w.connection().script(R"(
        INSERT INTO accounts (id, username, created_at) SELECT n, 'p' || n, 1 FROM generate_series(1, 2000) n;
        INSERT INTO follows (id, account_id, target_id, created_at) SELECT n, n, 1 + n % 64, 1 FROM generate_series(1, 2000) n;
        ANALYZE accounts, follows)");
    remote::follows(w, reader, remote::somebody(w, "author"));
    for (int n = 1; n <= 25; ++n) {
        brought(n);
        w.run_inbox();
        const auto status = author.status("post number " + std::to_string(n));
        reader.post("/api/v1/statuses/" + status + "/favourite");
        reader.get("/api/v1/timelines/home");
        reader.get("/api/v1/notifications");
    }
    std::vector<std::string> again;
    w.read([&](db::Read& db) {
        static const db::Query<std::string> planned_again{
            "test_planned_again",
            "SELECT custom_plans || ' ' || generic_plans || ' ' || statement FROM pg_prepared_statements "
            "WHERE custom_plans > 10"
        };
        again = db.all(planned_again);
    });
    EXPECT_THAT(again, testing::IsEmpty());
}

TEST_P(RoundTrips, of_following) {
    auto author = w.local("author"), reader = w.local("reader");
    EXPECT_THAT(
        waits_of([&](db::Write& db) { relationships::follow(db, id(reader), id(author), {}); }), AtMost(7)
    );
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// How often what happens most waits for the database. On PostgreSQL that is its time: each wait is a way there and back.
#include "db/open.hpp"
#include "jobs/reactions.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/remote/remote.hpp"
#include "world.hpp"

namespace {

// Counts what is waited for: questions, commands whose effect somebody looks at, commits.
class Waiting : public db::Connection {
public:
    explicit Waiting(db::Connection& real) : real_(real) {}

    std::unique_ptr<db::Rows> query(const db::Sql& sql, std::span<const db::Value> values) override {
        ++waits;
        return real_.query(sql, values);
    }
    std::int64_t execute(const db::Sql& sql, std::span<const db::Value> values) override {
        ++waits;
        return real_.execute(sql, values);
    }
    std::int64_t send(const db::Sql& sql, std::span<const db::Value> values) override {
        looked_at_ = false;
        return real_.send(sql, values);
    }
    std::int64_t changed_by(std::int64_t sent) override {
        if (!std::exchange(looked_at_, true)) ++waits;  // those sent with it are known then, too
        return real_.changed_by(sent);
    }
    void send_last(const db::Sql& sql, std::span<const db::Value> values) override {
        real_.send_last(sql, values);
    }
    void script(const std::string& statements) override { real_.script(statements); }
    std::vector<std::string> columns(const db::Sql& sql) override { return real_.columns(sql); }
    bool is_postgres() const override { return real_.is_postgres(); }
    void begin(db::Mode mode) override { real_.begin(mode); }
    void beside_others() override { real_.beside_others(); }
    void lock(std::span<const db::Lock> all) override { real_.lock(all); }
    void commit() override {
        ++waits;
        real_.commit();
    }
    void rollback() noexcept override { real_.rollback(); }

    int waits = 0;

private:
    db::Connection& real_;
    bool looked_at_ = false;
};

struct RoundTrips : OnEachWorld {
    template <class F>
    int waits_of(F&& change) {
        Waiting connection(w.connection());
        db::Context context{&w.site(), [this] { return w.now(); }, &w.reactions()};
        db::write_now(connection, context, [&](db::Write& db) {
            db.beside_others();
            change(db);
        });
        return connection.waits;
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
    EXPECT_LE(waits_of([&](db::Write& db) { statuses::create(db, draft); }), 9);
}

TEST_P(RoundTrips, of_liking) {
    auto author = w.local("author"), reader = w.local("reader");
    base::StatusId status{std::stoll(author.status("hello"))};
    EXPECT_LE(waits_of([&](db::Write& db) { statuses::favourite(db, id(reader), status, {}); }), 9);
    EXPECT_LE(waits_of([&](db::Write& db) { statuses::unfavourite(db, id(reader), status); }), 6);
}

TEST_P(RoundTrips, of_following) {
    auto author = w.local("author"), reader = w.local("reader");
    EXPECT_LE(waits_of([&](db::Write& db) { relationships::follow(db, id(reader), id(author), {}); }), 11);
}

}  // namespace

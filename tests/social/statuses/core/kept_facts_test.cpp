// SPDX-License-Identifier: AGPL-3.0-or-later
// What readers keep of statuses between commits (docs/decisions/0033-facts-are-kept.md).
#include "db/transaction.hpp"
#include "social/accounts/account.hpp"
#include "social/statuses/core/listed.hpp"
#include "support/database.hpp"

namespace {

using base::AccountId, base::StatusId;

const db::Command test_account{
    "test_account", "INSERT INTO accounts (id, username, created_at) VALUES ($1, $2, 0)"
};
const db::Command test_status{
    "test_status",
    "INSERT INTO statuses (id, account_id, conversation_id, reblog_of_id, visibility, created_at) "
    "VALUES ($1, $2, $1, $3, 'public', 0)"
};
const db::Command test_delete{"test_delete", "UPDATE statuses SET deleted_at = 1 WHERE id = $1"};
const db::Command test_suspend{"test_suspend", "UPDATE accounts SET suspended_at = 1 WHERE id = $1"};
const db::Command test_silence{"test_silence", "UPDATE accounts SET silenced_at = 1 WHERE id = $1"};

// A connection that counts the queries it is asked.
class Counted final : public db::Connection {
public:
    explicit Counted(std::unique_ptr<db::Connection> connection) : connection_(std::move(connection)) {}

    std::unique_ptr<db::Rows> query(const db::Sql& sql, std::span<const db::Value> values) override {
        ++queries;
        return connection_->query(sql, values);
    }
    std::int64_t execute(const db::Sql& sql, std::span<const db::Value> values) override {
        return connection_->execute(sql, values);
    }
    void script(const std::string& statements) override { connection_->script(statements); }
    std::vector<std::string> columns(const db::Sql& sql) override { return connection_->columns(sql); }
    bool is_postgres() const override { return connection_->is_postgres(); }
    void begin(db::Mode mode) override { connection_->begin(mode); }
    void commit() override { connection_->commit(); }
    void rollback() noexcept override { connection_->rollback(); }
    std::optional<std::int64_t> version() override { return connection_->version(); }

    int queries = 0;

private:
    std::unique_ptr<db::Connection> connection_;
};

constexpr AccountId alice{1}, bob{2};
constexpr StatusId post{11}, boost{12};

class KeptFacts : public support::OnEachDatabase {
protected:
    void SetUp() override {
        writer = database.connection();
        db::migrate(*writer, {});
        reader = std::make_unique<Counted>(database.connection(db::Mode::read));
        write([](db::Write& db) {
            db.run(test_account, alice, "alice");
            db.run(test_account, bob, "bob");
            db.run(test_status, post, alice, std::nullopt);
            db.run(test_status, boost, bob, post);
        });
    }
    void write(const std::function<void(db::Write&)>& change) {
        db::write_now(*writer, database.options.context, change);
    }
    std::vector<statuses::ListedFacts> facts() {
        return db::read_now(*reader, database.options.context, [](db::Read& db) {
            return statuses::listed_facts(db, {boost, post});
        });
    }

    std::unique_ptr<db::Connection> writer;
    std::unique_ptr<Counted> reader;
};
ON_EACH_DATABASE(KeptFacts);

TEST_P(KeptFacts, are_asked_for_once_while_nothing_is_committed) {
    ASSERT_EQ(facts().size(), 2u);
    auto first = reader->queries;
    ASSERT_EQ(facts().size(), 2u);
    EXPECT_EQ(reader->queries - first, reader->is_postgres() ? first : 0);
}

TEST_P(KeptFacts, are_those_of_now_after_every_change) {
    auto before = facts();
    ASSERT_EQ(before.size(), 2u);
    EXPECT_EQ(before[0].original_id, post);
    EXPECT_EQ(before[0].original_account_id, alice);

    write([](db::Write& db) { statuses::touch(db, post); });
    EXPECT_EQ(facts()[1].version, before[1].version + 1);
    EXPECT_EQ(facts()[0].original_version, before[1].version + 1);
    EXPECT_EQ(facts()[0].version, before[0].version);

    write([](db::Write& db) { accounts::touch(db, alice); });
    EXPECT_EQ(facts()[0].original_account_version, before[0].original_account_version + 1);

    EXPECT_FALSE(facts()[1].silenced);
    write([](db::Write& db) { db.run(test_silence, alice); });
    EXPECT_TRUE(facts()[1].silenced);
    EXPECT_FALSE(facts()[0].silenced);

    write([](db::Write& db) { db.run(test_suspend, alice); });
    EXPECT_TRUE(facts()[0].gone);
    EXPECT_TRUE(facts()[1].gone);

    write([](db::Write& db) { db.run(test_delete, post); });
    ASSERT_EQ(facts().size(), 1u);
    EXPECT_TRUE(facts()[0].gone);
}

TEST_P(KeptFacts, are_not_kept_of_what_may_be_undone) {
    auto before = facts()[1].version;
    write([&](db::Write& db) {
        auto now = [&] { return statuses::listed_facts(db, {post})[0].version; };
        EXPECT_EQ(now(), before);
        statuses::touch(db, post);
        EXPECT_EQ(now(), before + 1);
    });
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/audit.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

const db::Command test_open_audit{
    "test_open_audit",
    "DROP TRIGGER audit_entries_do_not_change",
    "ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_stay"
};
// Tests that come later have the same tables on PostgreSQL.
const db::Command test_close_audit{
    "test_close_audit", "SELECT 1", "ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_stay"
};
const db::Command test_open_audit_deletion{
    "test_open_audit_deletion", "DROP TRIGGER audit_entries_stay", "SELECT 1"
};
const db::Command test_change_audit{
    "test_change_audit", "UPDATE audit_entries SET target_name = 'somebody else' WHERE id = $1"
};
const db::Command test_remove_audit{"test_remove_audit", "DELETE FROM audit_entries WHERE id = $1"};
const db::Command test_shift_audit{"test_shift_audit", "UPDATE audit_entries SET id = id + 1 WHERE id = $1"};
const db::Command test_copy_audit{
    "test_copy_audit",
    R"(INSERT INTO audit_entries (id, at, actor_id, action, target_kind, target_id, target_name, details, hash)
       SELECT $2, at, actor_id, action, target_kind, target_id, target_name, details, hash FROM audit_entries
       WHERE id = $1)"
};

namespace {

using moderation::AuditVerdict;
using testing::ElementsAre, testing::HasSubstr;

struct Audits : OnEachWorld {
    void SetUp() override {
        for (auto name : {"one", "two", "three", "four", "five"})
            w.write([&](db::Write& db) {
                moderation::log(db, accounts::the_operator(), "create", {"Thing", 7, name});
            });
    }
    void TearDown() override {
        w.write([](db::Write& db) { db.run(test_close_audit); });
    }
    // Somebody has the database in his hands.
    void open() {
        w.write([](db::Write& db) {
            db.run(test_open_audit);
            db.run(test_open_audit_deletion);
        });
    }
    void tamper(const db::Command& how, std::int64_t id) {
        open();
        w.write([&](db::Write& db) { db.run(how, id); });
    }
    AuditVerdict verdict() { return w.read(moderation::verify_audit); }
};
ON_EACH_DATABASE(Audits);

TEST_P(Audits, are_whole_as_long_as_nobody_touches_them) {
    auto verdict_now = verdict();
    EXPECT_EQ(verdict_now.problem, "");
    EXPECT_EQ(verdict_now.entries, 5);
    EXPECT_EQ(verdict_now.head.size(), 64u);
}

TEST_P(Audits, are_never_changed_by_a_statement) {
    EXPECT_ANY_THROW(w.write([](db::Write& db) { db.run(test_change_audit, 3); }));
    EXPECT_ANY_THROW(w.write([](db::Write& db) { db.run(test_remove_audit, 3); }));
    EXPECT_EQ(verdict().problem, "");
}

TEST_P(Audits, show_what_was_changed) {
    tamper(test_change_audit, 3);
    EXPECT_EQ(verdict().wrong, 3);
    EXPECT_EQ(verdict().problem, "Entry 3 is not as it was written");
}

TEST_P(Audits, show_what_was_removed_in_between) {
    tamper(test_remove_audit, 2);
    EXPECT_EQ(verdict().problem, "Entry 2 is missing");
}

TEST_P(Audits, show_what_was_removed_at_the_end) {
    tamper(test_remove_audit, 5);
    EXPECT_EQ(verdict().wrong, 5);
    EXPECT_THAT(verdict().problem, HasSubstr("ends at 4"));
}

TEST_P(Audits, show_what_was_added_at_the_end) {
    w.write([](db::Write& db) { db.run(test_copy_audit, 5, 6); });
    EXPECT_EQ(verdict().problem, "Entry 6 is not as it was written");
}

TEST_P(Audits, show_what_was_put_in_between) {
    open();
    for (std::int64_t id : {5, 4, 3}) w.write([&](db::Write& db) { db.run(test_shift_audit, id); });
    w.write([](db::Write& db) { db.run(test_copy_audit, 2, 3); });
    EXPECT_EQ(verdict().problem, "Entry 3 is not as it was written");
}

TEST_P(Audits, are_read_by_who_may_newest_first_and_by_what_they_name) {
    auto owner = staff(w, "olga", accounts::owner), other = staff(w, "mona", accounts::moderator);
    const std::string path = "/api/dunlin/v1/moderation/audit";
    EXPECT_THAT(owner.get(path).all("target_name"), ElementsAre("five", "four", "three", "two", "one"));
    auto page = owner.get(path, {{"limit", "2"}});
    EXPECT_THAT(page.all("target_name"), ElementsAre("five", "four"));
    EXPECT_THAT(owner.get(page.link("next")).all("target_name"), ElementsAre("three", "two"));
    EXPECT_EQ(owner.get(path, {{"account_id", owner.id}}).ids().size(), 0u);
    EXPECT_EQ(owner.get(path, {{"action", "create"}}).ids().size(), 5u);
    EXPECT_EQ(owner.get(path, {{"action", "destroy"}}).ids().size(), 0u);
    EXPECT_EQ(other.get(path, {{"target_type", "Thing"}, {"target_id", "7"}}).ids().size(), 5u);
    EXPECT_EQ(owner.get(path + "/verify")["problem"], "");
    auto nobody = w.with_scopes(w.local("nina"), staff_scopes);
    EXPECT_EQ(nobody.get(path).status, 403);
}

}  // namespace

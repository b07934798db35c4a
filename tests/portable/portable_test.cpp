// SPDX-License-Identifier: AGPL-3.0-or-later
// A database as a portable dump, and back into either engine.
#include <gmock/gmock.h>

#include "db/portable/target.hpp"
#include "portable/filled.hpp"

#include <algorithm>

namespace {

using namespace db::portable;
using filled::dump_of, filled::fill;
using support::Database, support::TestDatabase;
using testing::HasSubstr, testing::Not;

// In pieces, so that lines are cut anywhere.
std::function<std::string_view()> pieces(const std::string& text, std::size_t size = 1000) {
    return [&text, size, at = std::size_t{0}]() mutable {
        const auto piece = std::string_view(text).substr(at, size);
        at += piece.size();
        return piece;
    };
}

std::vector<Tallied> load(const std::string& text, const db::Options& into) {
    DumpReader dump(pieces(text));
    return load_dump(dump, into, {1000}, {});
}

struct PortableDumps : support::OnEachDatabase {};
ON_EACH_DATABASE(PortableDumps);

TEST_P(PortableDumps, have_every_table_that_is_not_left_out_with_a_reason) {
    db::migrate(*database.connection(), {1000});
    const auto store = open_store(database.options, db::Mode::read);
    std::vector<std::string> known;
    for (const auto& one : carried_tables()) known.emplace_back(one.name);
    for (const auto& one : derived_tables()) known.emplace_back(one.name);
    for (const auto& one : left_tables()) known.emplace_back(one.name);
    std::vector<std::string> there;
    for (const auto& one : store->ask(
             database.is_postgres() ? "SELECT relname FROM pg_class WHERE relnamespace = "
                                      "current_schema()::regnamespace AND relkind = 'r'"
                                    : "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN "
                                      "('table', 'virtual') "
                                      "AND name NOT LIKE 'sqlite_%'"
         ))
        there.push_back(one[0]);
    std::ranges::sort(known);
    std::ranges::sort(there);
    if (database.is_postgres())  // which has no tables for its full text indexes
        std::erase_if(known, [](const auto& name) {
            return name == "status_index" || name == "account_index";
        });
    EXPECT_EQ(
        known, there
    ) << "a table of the database stands in none of the lists of db/portable/tables.cpp, or in two";
    EXPECT_EQ(store->tables().size(), carried_tables().size());
}

TEST_P(PortableDumps, are_the_same_from_either_engine_there_and_back) {
    fill(database, 25);
    const auto text = dump_of(database.options);
    for (const auto& table : carried_tables())
        EXPECT_THAT(text, Not(HasSubstr("{\"table\":\"" + std::string(table.name) + "\",\"rows\":0,")))
            << table.name;
    EXPECT_THAT(text, Not(HasSubstr("index_older")));
    for (const auto other : support::databases()) {
        const TestDatabase there(other), back(GetParam());
        load(text, there.options);
        EXPECT_EQ(dump_of(there.options), text);
        load(dump_of(there.options), back.options);
        EXPECT_EQ(dump_of(back.options), text);
    }
}

TEST_P(PortableDumps, bring_a_database_back_in_which_all_works_that_worked_before) {
    fill(database, 5);
    const TestDatabase other(GetParam());
    load(dump_of(database.options), other.options);
    const auto before = open_store(database.options, db::Mode::write),
               after = open_store(other.options, db::Mode::write);
    const std::string schema =
        database.is_postgres()
            ? "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() UNION ALL "
              "SELECT tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1"
            : "SELECT type || name || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1";
    EXPECT_EQ(before->ask(schema), after->ask(schema));
    // What is derived is made again by jobs; the next row of a table that counts by itself gets the next number.
    EXPECT_EQ(
        after->ask("SELECT count(*) FROM jobs WHERE kind IN ('index_older', 'index_older_accounts')")[0][0],
        "2"
    );
    EXPECT_EQ(after->ask("SELECT count(*) FROM status_texts")[0][0], "0");
    after->run("INSERT INTO inboxes (inbox) VALUES ('https://new.example/inbox')");
    EXPECT_EQ(
        after->ask("SELECT id FROM inboxes WHERE inbox = 'https://new.example/inbox'"),
        after->ask("SELECT max(id) FROM inboxes")
    );
}

TEST_P(PortableDumps, are_loaded_into_nothing_but_an_empty_database) {
    fill(database, 2);
    const auto text = dump_of(database.options);
    EXPECT_THROW(load(text, database.options), NotEmpty);
    EXPECT_EQ(dump_of(database.options), text);
}

TEST_P(PortableDumps, that_are_damaged_or_break_off_leave_the_target_empty) {
    fill(database, 3);
    const auto text = dump_of(database.options);
    const TestDatabase other(GetParam());
    auto damaged = text;
    damaged[text.find("https://x.example/") + 2] ^= 1;
    EXPECT_THROW(load(damaged, other.options), BrokenDump);
    EXPECT_THROW(load(text.substr(0, text.size() / 2), other.options), BrokenDump);
    EXPECT_THROW(load(text.substr(0, text.rfind('{')), other.options), BrokenDump);
    EXPECT_THROW(load("SQLite format 3", other.options), BrokenDump);
    load(text, other.options);
    EXPECT_EQ(dump_of(other.options), text);
}

TEST_P(PortableDumps, of_an_older_version_are_brought_up_to_date) {
    auto old = db::embedded_migrations(database.is_postgres());
    const auto newest = old.back().name;
    old.pop_back();
    const auto before = old.back().name;
    db::migrate(*database.connection(), {1000}, old);
    open_store(database.options, db::Mode::write)
        ->run("INSERT INTO settings (name, value) VALUES ('a', 'b')");
    const auto text = dump_of(database.options);
    EXPECT_THAT(text, HasSubstr(before));
    const TestDatabase other(GetParam());
    load(text, other.options);
    EXPECT_EQ(last_migration(*open_store(other.options, db::Mode::read)), newest);
    EXPECT_THAT(dump_of(other.options), HasSubstr("\na\tb\n"));

    auto newer = text;
    newer.replace(newer.find(before), before.size(), "9999_of_tomorrow");
    const TestDatabase third(GetParam());
    EXPECT_THROW(load(newer, third.options), db::MigrationError);
}

TEST(PortableDump, names_the_row_whose_text_is_none) {
    const TestDatabase database(Database::sqlite);
    fill(database, 2);
    open_store(database.options, db::Mode::write)
        ->run("UPDATE accounts SET note = CAST(x'41ff' AS TEXT) WHERE id = 2");
    try {
        dump_of(database.options);
        FAIL() << "it was dumped";
    } catch (const db::Failure& error) {
        EXPECT_THAT(error.what(), HasSubstr("the column note of the row that begins \"2\t"));
    }
}

TEST(PortableDump, holds_the_moment_in_which_it_began) {
    const TestDatabase database(Database::sqlite);
    fill(database, 2);
    const auto before = dump_of(database.options);
    const auto store = open_store(database.options, db::Mode::read);
    store->look_anew();
    open_store(database.options, db::Mode::write)
        ->run("DELETE FROM statuses; UPDATE accounts SET note = 'new'");
    std::string text;
    write_dump(*store, [&](std::string_view lines) { text += lines; }, {});
    EXPECT_EQ(text, before);
    EXPECT_NE(dump_of(database.options), before);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// A GoToSocial on PostgreSQL: the same tables, in the types that it has there.
#include "takeover/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::HasSubstr;

// The rows of one in SQLite. Lists, JSON there, are arrays here.
struct OnPostgres {
    support::PostgresDatabase database{false};
    fs::path media;

    explicit OnPostgres(const GoToSocial& from) : media(from.media) {
        const auto there = db::open_foreign(from.source());
        std::vector<std::string> tables;
        there->run(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            {},
            [&](const auto& row) { tables.emplace_back(row[0].value_or("")); }
        );
        std::string script;
        for (const auto& table : tables) script += copied(*there, table);
        db::Options here;
        here.postgres_url = database.url();
        db::open_connection(here, db::Mode::write)->script(script);
    }
    std::string source() const { return database.url(); }

private:
    static std::string type_of(const std::string& name, const std::string& type) {
        constexpr std::string_view lists[] = {
            "attachments",
            "tags",
            "mentions",
            "emojis",
            "edits",
            "also_known_as_uris",
            "redirect_uris",
            "two_factor_backups",
            "options",
            "other_account_ids",
            "attachment_descriptions",
            "poll_options"
        };
        if (std::ranges::find(lists, name) != std::end(lists)) return "TEXT[]";
        if (type.starts_with("BOOL")) return "BOOLEAN";
        if (type.starts_with("TIMESTAMP")) return "TIMESTAMPTZ";
        if (type.find("INT") != type.npos) return "BIGINT";
        if (type.starts_with("FLOAT") || type.starts_with("REAL")) return "DOUBLE PRECISION";
        return "TEXT";
    }
    static std::string quoted(std::string_view text) {
        std::string out = "'";
        for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
        return out + "'";
    }
    static std::string copied(db::Foreign& there, const std::string& table) {
        std::vector<std::string> types;
        std::string columns, rows;
        there.run("SELECT name, type FROM pragma_table_info('" + table + "')", {}, [&](const auto& row) {
            const std::string name(row[0].value_or(""));
            types.push_back(type_of(name, std::string(row[1].value_or(""))));
            columns += (columns.empty() ? "\"" : ", \"") + name + "\" " + types.back();
        });
        there.run("SELECT * FROM \"" + table + "\"", {}, [&](const auto& row) {
            std::string values;
            for (std::size_t at = 0; at < row.size(); ++at) {
                if (at > 0) values += ", ";
                if (!row[at] || (types[at] == "TEXT[]" && (row[at]->empty() || *row[at] == "null")))
                    values += "NULL";
                else if (types[at] == "TEXT[]")
                    values += "ARRAY(SELECT jsonb_array_elements_text(" + quoted(*row[at]) + "::jsonb))";
                else if (types[at] == "BOOLEAN")
                    values += *row[at] == "1" || *row[at] == "true" ? "TRUE" : "FALSE";
                else values += quoted(*row[at]);
            }
            rows += "INSERT INTO \"" + table + "\" VALUES (" + values + ");\n";
        });
        return "CREATE TABLE \"" + table + "\" (" + columns + ");\n" + rows;
    }
};

struct GoToSocialOnPostgres : CopiedTo {
    void SetUp() override {
        CopiedTo::SetUp();
        if (!IsSkipped() && !support::postgres_url())
            GTEST_SKIP() << "there is no PostgreSQL: DUNLIN_TEST_POSTGRES";
    }
};
ON_EACH_DATABASE(GoToSocialOnPostgres);

TEST_P(GoToSocialOnPostgres, gives_the_same_rows_as_on_sqlite) {
    const GoToSocial before;
    const OnPostgres moved(before);
    copy(before);
    const auto whole = everything();
    ASSERT_THAT(whole, HasSubstr("First light over the estuary"));
    begin_anew();
    copy(moved);
    EXPECT_EQ(difference(everything(), whole), "");
    auto foreign = db::open_foreign(moved.source());
    auto source = takeover::recognise(*foreign, {});
    for (const auto& count : takeover::compare_counts(target(), *source))
        EXPECT_EQ(count.there, count.here) << count.what;
    const auto report = takeover::check(*source, before.media);
    EXPECT_TRUE(report.bad_keys.empty());
    EXPECT_THROW(foreign->run("DELETE FROM users", {}, [](auto&) {}), db::Unreadable);
}

}  // namespace

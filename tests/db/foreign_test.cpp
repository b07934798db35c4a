// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/foreign/foreign.hpp"

#include "support/database.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::Optional;

TEST(Foreign, lists_of_postgres_keep_the_place_of_what_is_null) {
    EXPECT_THAT(db::foreign_list("{a,NULL,\"b c\"}"), Optional(ElementsAre("a", "", "b c")));
    EXPECT_THAT(db::foreign_list("{\"NULL\"}"), Optional(ElementsAre("NULL"))) << "somebody wrote that";
}

TEST(Foreign, a_dump_is_refused_with_the_way_to_make_a_database_of_it) {
    const auto file = std::filesystem::temp_directory_path() / support::fresh_name();
    auto refusal = [&](const std::string& source, const std::string& begins) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << begins << std::string(200, 'x');
        try {
            db::open_foreign(source);
        } catch (const db::Unreadable& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    const auto name = file.string();
    for (const auto& source : {name, "dump:" + name, "sqlite:" + name}) {
        EXPECT_THAT(refusal(source, "PGDMP"), HasSubstr("`pg_restore -O -x -d former " + name + "`"));
        EXPECT_THAT(refusal(source, "\x1f\x8b"), HasSubstr("`gunzip -c " + name + " | psql -q -d former`"));
        EXPECT_THAT(
            refusal(source, "--\n-- PostgreSQL database dump\n"),
            HasSubstr("`psql -q -d former -f " + name + "`")
        );
    }
    EXPECT_EQ(refusal(name, "SQLite format 3"), "Write sqlite:" + name);
    EXPECT_EQ(refusal("mysql://root:secret@host/x", "").find("secret"), std::string::npos);
    std::filesystem::remove(file);
}

}  // namespace

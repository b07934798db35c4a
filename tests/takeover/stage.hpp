// SPDX-License-Identifier: AGPL-3.0-or-later
// A database of another server, out of a dump that its own program wrote, and an empty one of ours that it is copied into. Dumps
// are no part of the tree: tests that need one are skipped where it is missing.
#pragma once
#include "support/database.hpp"
#include "takeover/check.hpp"
#include "takeover/copy.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace takeover_stage {

namespace fs = std::filesystem;

inline fs::path dump(const char* name) { return fs::path(DUNLIN_SOURCE_DIR) / "../shared/takeover" / name; }

inline std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Rows as lines, columns between bars; truths are 1 and 0 on both engines.
inline std::string rows(db::Foreign& database, const std::string& sql) {
    std::string out;
    database.run(sql, {}, [&](const db::Foreign::Row& row) {
        if (!out.empty()) out += '\n';
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) out += '|';
            if (row[i] == "t") out += '1';
            else if (row[i] == "f") out += '0';
            else if (row[i]) out += *row[i];
            else out += "NULL";
        }
    });
    return out;
}

struct Folder {
    fs::path path = fs::temp_directory_path() / support::fresh_name();
    Folder() { fs::create_directories(path); }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

// A GoToSocial that has stopped: its database in a file, its files in a folder.
struct GoToSocial {
    Folder folder;
    fs::path file = folder.path / "sqlite.db", media = folder.path / "storage";

    GoToSocial() {
        change(contents(dump("gotosocial-small.sql")));
        // The other server's key in the dump is shorter than any that is taken.
        change(
            "UPDATE accounts SET public_key = (SELECT public_key FROM accounts WHERE username = 'bob') WHERE "
            "username = 'wren'"
        );
        for (const char* name :
             {"attachment/original/01M81NR1D6X658NX6XFT7FAEG9.png",
              "attachment/small/01M81NR1D6X658NX6XFT7FAEG9.jpeg",
              "attachment/original/01M81NR2BRGGX04TJ4HB9ZJKH2.png",
              "attachment/small/01M81NR2BRGGX04TJ4HB9ZJKH2.jpeg"}) {
            const auto path = media / "01PP9N5MV8F19VS8ZH0DJ2WTAH" / name;
            fs::create_directories(path.parent_path());
            std::ofstream(path) << "bytes of " << name;
        }
    }
    void change(const std::string& statements) const {
        sqlite3* handle = nullptr;
        ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
        char* error = nullptr;
        EXPECT_EQ(sqlite3_exec(handle, statements.c_str(), nullptr, nullptr, &error), SQLITE_OK)
            << (error ? error : "");
        sqlite3_free(error);
        sqlite3_close(handle);
    }
    std::string source() const { return "sqlite:" + file.string(); }
};

struct Order {
    takeover::Settings settings;
    bool everything = false;
    int chunks = -1;  // after so many the copy is cut off
    std::size_t chunk = 1000;
};

class CopiedTo : public support::OnEachMigratedDatabase {
protected:
    static constexpr std::int64_t now = 1'795'437'000'000;  // after everything in the dumps

    void SetUp() override {
        if (!fs::exists(dump("gotosocial-small.sql")))
            GTEST_SKIP() << "there is no dump of a GoToSocial here";
        database.site.public_url = "https://social.example.org";
        database.site.domain = "social.example.org";
        database.clock_ms = now;
        migrated_ = database.connection();
        db::migrate(*migrated_, database.options.context.clock());
    }

    using Interrupted = std::runtime_error;
    // Into the database; throws what a copy throws.
    void copy(const GoToSocial& before, const Order& order = {}) {
        auto foreign = db::open_foreign(before.source());
        auto source = takeover::recognise(*foreign, order.settings);
        media::FolderFiles kept(files_.path / "media");
        const takeover::Files files(before.media, &kept, files_.path / "scratch");
        takeover::Choice choice;
        choice.everything = order.everything;
        choice.now = database.options.context.clock();
        choice.chunk = order.chunk;
        int left = order.chunks;
        takeover::copy(target(), *source, files, choice, [&](const takeover::Progress&) {
            if (left-- == 0) throw Interrupted("cut off");
        });
    }
    takeover::Target target() { return {*migrated_, database.options.context}; }

    std::unique_ptr<db::Foreign> reader() const {
        return db::open_foreign(
            database.is_postgres() ? database.options.postgres_url
                                   : "sqlite:" + database.options.sqlite_file.string()
        );
    }
    std::string ask(const std::string& sql) const {
        const auto here = reader();
        return rows(*here, sql);
    }
    // All that is stored, but when it was.
    std::string everything() const {
        const auto here = reader();
        std::string out;
        for (const auto& table : tables(*here)) {
            std::string columns;
            for (const auto& column : here->columns_of(table))
                columns += (columns.empty() ? "\"" : ", \"") + column + "\"";
            out += "== " + table + "\n" +
                   rows(*here, "SELECT " + columns + " FROM " + table + " ORDER BY " + columns) + "\n";
        }
        return out;
    }
    // The first line in which the two differ.
    static std::string difference(const std::string& a, const std::string& b) {
        std::istringstream left(a), right(b);
        std::string one, other;
        while (true) {
            const bool more = static_cast<bool>(std::getline(left, one)),
                       too = static_cast<bool>(std::getline(right, other));
            if (!more && !too) return "";
            if (!more || !too || one != other) return (more ? one : "") + "\n" + (too ? other : "");
        }
    }
    fs::path file(const std::string& name) const { return files_.path / "media" / name; }

private:
    static std::vector<std::string> tables(db::Foreign& here) {
        std::vector<std::string> out;
        here.run(
            here.is_postgres()
                ? "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' "
                  "AND table_type = 'BASE TABLE' ORDER BY 1"
                : "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
            {},
            [&](const db::Foreign::Row& row) {
                const std::string name(row[0].value_or(""));
                const bool of_index = name.find("_index") != name.npos && name != "status_index_queue";
                if (!of_index && name != "schema_migrations" && name != "jobs" && name != "takeovers" &&
                    !name.starts_with("sqlite_"))
                    out.push_back(name);
            }
        );
        return out;
    }

    Folder files_;
    std::unique_ptr<db::Connection> migrated_;
};

}  // namespace takeover_stage

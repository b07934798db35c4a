// SPDX-License-Identifier: AGPL-3.0-or-later
// A database of another server, out of a dump that its own program wrote, and an empty one of ours that it is copied into. Dumps
// are no part of the tree: tests that need one are skipped where it is missing.
#pragma once
#include "support/database.hpp"
#include "takeover/check.hpp"
#include "takeover/compare.hpp"
#include "takeover/copy.hpp"
#include "takeover/settle.hpp"

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

// A Mastodon that has stopped: its database in the PostgreSQL of the tests, its files in a folder.
struct Mastodon {
    support::PostgresDatabase database{false};
    Folder folder;
    fs::path media = folder.path / "system";

    Mastodon() {
        change(contents(dump("mastodon-small.sql")));
        for (const char* name :
             {"media_attachments/files/117/545/313/239/040/003/original/dunlin01.jpg",
              "media_attachments/files/117/545/313/239/040/003/small/dunlin01.jpg",
              "accounts/avatars/000/000/001/original/0a1b2c3d.png",
              "custom_emojis/images/000/000/001/original/d1.png",
              "custom_emojis/images/000/000/001/static/d1.png"}) {
            fs::create_directories((media / name).parent_path());
            std::ofstream(media / name) << "bytes of " << name;
        }
    }
    void change(const std::string& statements) const {
        db::Options there;
        there.postgres_url = database.url();
        db::open_connection(there, db::Mode::write)->script(statements);
    }
    std::string source() const { return database.url(); }
    static takeover::Settings settings() {
        return takeover::settings_of(R"(# .env.production
LOCAL_DOMAIN=social.example.org
ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY=ppppppppPrimary0123456789abcdefABCD
ACTIVE_RECORD_ENCRYPTION_DETERMINISTIC_KEY=ddddddddDetermin0123456789abcdefABC
ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT=ssssssssSalt0123456789abcdefABCDEF0
VAPID_PRIVATE_KEY=ruzOVh-EXClctGyr8ZYMwLTs7u1PcU_xL_m7eGtpB1c=
VAPID_PUBLIC_KEY=BFOLDn636qDbO3Edra8q4PBIhqoeALu9Fi-6jwGwQANolD7VM7Vb8KfMMBcIqM-a4zpF2Zm0JEIldYKyLlYzAag=
)");
    }
};

struct Order {
    takeover::Settings settings;
    bool everything = false;
    std::int64_t notification_days = 90;
    bool limited = false;  // this server talks to allowed servers alone
    int chunks = -1;       // after so many the copy is cut off
    std::size_t chunk = 1000;
    bool newer = false;  // than the versions that are known will do
    bool anew = false;   // also where a copy was cut off
};

class CopiedTo : public support::OnEachMigratedDatabase {
protected:
    static constexpr std::int64_t now = 1'795'437'000'000;  // after everything in the dumps

    // What the other server is made of.
    virtual fs::path needed() const { return dump("gotosocial-small.sql"); }

    void SetUp() override {
        if (!fs::exists(needed())) GTEST_SKIP() << "there is no " << needed().filename();
        database.site.public_url = "https://social.example.org";
        database.site.domain = "social.example.org";
        database.clock_ms = now;
        migrated_ = database.connection();
        db::migrate(*migrated_, database.options.context.clock());
    }

    using Interrupted = std::runtime_error;
    // Into the database; throws what a copy throws.
    template <class Before>
    void copy(const Before& before, const Order& order = {}) {
        auto foreign = db::open_foreign(before.source());
        auto source = takeover::recognise(*foreign, order.settings);
        if (order.newer) source->take_newer();
        media::FolderFiles kept(files_.path / "media");
        const takeover::Files files(before.media, &kept, files_.path / "scratch");
        takeover::Choice choice;
        choice.everything = order.everything;
        choice.notification_days = order.notification_days;
        choice.limited = order.limited;
        choice.anew = order.anew;
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
    // As if nothing had been copied yet.
    void begin_anew() {
        takeover::empty_tables(target());
        target().connection.script("DELETE FROM takeovers; DELETE FROM former_ids; DELETE FROM settings");
        database.clock_ms = now;
    }
    // What a copy that cannot be made is refused with.
    template <class Before>
    std::string sentence(const Before& before, const Order& order = {}) {
        try {
            copy(before, order);
        } catch (const takeover::Unsuitable& e) {
            return e.what();
        }
        return "";
    }
    // Of an id of before, as a subselect.
    static std::string id(const std::string& kind, const std::string& former) {
        return "(SELECT id FROM former_ids WHERE kind = '" + kind + "' AND former = '" + former + "')";
    }
    static std::string account(const std::string& name) {
        return "(SELECT id FROM accounts WHERE username = '" + name + "')";
    }
    template <class Before>
    takeover::Comparison expect_nothing_differs(
        const Before& before, const takeover::Settings& old_settings = {}
    ) {
        auto foreign = db::open_foreign(before.source());
        auto source = takeover::recognise(*foreign, old_settings);
        const auto compared = takeover::compare(target(), *source, 100);
        for (const auto& count : compared.counts) EXPECT_EQ(count.there, count.here) << count.what;
        for (const auto& d : compared.differences)
            ADD_FAILURE() << d.kind << " " << d.address << " " << d.what << ": " << d.there << ", " << d.here;
        return compared;
    }
    std::string refusals() const {
        return ask("SELECT kind, former, reason FROM takeover_refusals ORDER BY kind, former");
    }
    void expect_nothing_written() {
        for (const char* table : {"accounts", "users", "statuses", "former_ids", "takeovers", "media"})
            EXPECT_EQ(ask(std::string("SELECT count(*) FROM ") + table), "0") << table;
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

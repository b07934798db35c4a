// SPDX-License-Identifier: AGPL-3.0-or-later
// A small Pleroma that has stopped, and the same as an Akkoma: its database in the PostgreSQL of the tests, its files in a folder.
#pragma once
#include "support/key_pair.hpp"
#include "takeover/stage.hpp"

namespace takeover_stage {

inline fs::path pleroma_rows() {
    return fs::path(DUNLIN_SOURCE_DIR) / "tests/takeover/fixtures/pleroma-small.sql";
}

struct Pleroma {
    support::PostgresDatabase database{false};
    Folder folder;
    fs::path media = folder.path / "uploads";

    Pleroma() {
        auto script = contents(pleroma_rows());
        auto put_in = [&](const std::string& mark, const std::string& key) {
            for (auto at = script.find(mark); at != script.npos; at = script.find(mark, at))
                script.replace(at, mark.size(), "'" + key + "'");
        };
        put_in("'KEY'", support::key_pair().private_pem);
        put_in("'PUBLIC'", support::key_pair().public_pem);
        change(script);
        for (const char* name : {"aa/face.png", "bb/mud flat.png", "cc/later.png"}) {
            fs::create_directories((media / name).parent_path());
            std::ofstream(media / name) << "bytes of " << name;
        }
    }
    // Keys in a table of their own, and another word for what is quoted.
    void become_akkoma() const {
        change(
            R"(CREATE TABLE signing_keys (user_id uuid, key_id text PRIMARY KEY, public_key text, private_key text,
                   inserted_at timestamp(0), updated_at timestamp(0));
               INSERT INTO signing_keys SELECT id, ap_id || '#main-key', public_key, keys FROM users
                   WHERE keys IS NOT NULL OR public_key IS NOT NULL;
               UPDATE signing_keys SET public_key = (SELECT public_key FROM users WHERE public_key IS NOT NULL LIMIT 1);
               ALTER TABLE users DROP COLUMN keys, DROP COLUMN public_key;
               UPDATE objects SET data = data - 'quoteUrl' || jsonb_build_object('quoteUri', data->'quoteUrl')
                   WHERE data ? 'quoteUrl';
               DROP TABLE rules, bookmark_folders;
               CREATE TABLE user_frontend_setting_profiles (user_id uuid, frontend_name varchar(255));
               INSERT INTO schema_migrations VALUES (20250806000000, '2025-08-06');)"
        );
    }
    void change(const std::string& statements) const {
        db::Options there;
        there.postgres_url = database.url();
        db::open_connection(there, db::Mode::write)->script(statements);
    }
    std::string one(const std::string& sql) const { return rows(*db::open_foreign(source()), sql); }
    std::string source() const { return database.url(); }
};

struct PleromaThere : CopiedTo {
    fs::path needed() const override { return pleroma_rows(); }
    void SetUp() override {
        CopiedTo::SetUp();
        if (IsSkipped()) return;
        if (!support::postgres_url()) GTEST_SKIP() << "a Pleroma needs PostgreSQL: DUNLIN_TEST_POSTGRES";
        before.emplace();
    }
    takeover::Comparison expect_nothing_differs() { return CopiedTo::expect_nothing_differs(*before); }
    static std::string post(const std::string& name) { return id("status", name); }
    static std::string own(const std::string& name) { return "https://social.example.org/objects/" + name; }
    std::optional<Pleroma> before;
    const std::string remote = "https://remote.example/objects/113";
};

}  // namespace takeover_stage

// SPDX-License-Identifier: AGPL-3.0-or-later
// A small Mitra that has stopped: its database in the PostgreSQL of the tests, its files in a folder.
#pragma once
#include "takeover/stage.hpp"

namespace takeover_stage {

inline fs::path mitra_rows() {
    return fs::path(DUNLIN_SOURCE_DIR) / "tests/takeover/fixtures/mitra-small.sql";
}

struct Mitra {
    support::PostgresDatabase database{false};
    Folder folder;
    fs::path media = folder.path / "media";

    Mitra() {
        change(contents(mitra_rows()));
        fs::create_directories(media);
        for (const char* name : {"face.png", "mud.png", "dunlin.png"})
            std::ofstream(media / name) << "bytes of " << name;
    }
    void change(const std::string& statements) const {
        db::Options there;
        there.postgres_url = database.url();
        db::open_connection(there, db::Mode::write)->script(statements);
    }
    std::string source() const { return database.url(); }
    static takeover::Settings settings() {
        return takeover::settings_of("instance_url: https://social.example.org\n");
    }
};

struct MitraThere : CopiedTo {
    fs::path needed() const override { return mitra_rows(); }
    void SetUp() override {
        CopiedTo::SetUp();
        if (IsSkipped()) return;
        if (!support::postgres_url()) GTEST_SKIP() << "a Mitra needs PostgreSQL: DUNLIN_TEST_POSTGRES";
        before.emplace();
    }
    void copy_it(const Order& order = {}) {
        auto named = order;
        named.settings = Mitra::settings();
        copy(*before, named);
    }
    static std::string uuid(const std::string& end) { return "0190c0de-0000-7000-8000-0000000000" + end; }
    static std::string post(const std::string& end) { return id("status", uuid(end)); }
    static std::string own(const std::string& end) {
        return "https://social.example.org/objects/" + uuid(end);
    }

    std::optional<Mitra> before;
    const std::string estuary = "10", picture = "11", followers = "12", direct = "13", question = "14",
                      answer = "15", edited = "16", quoting = "17", wish = "18", paid = "1a", boost = "1b",
                      old_boost = "1d";
};

}  // namespace takeover_stage

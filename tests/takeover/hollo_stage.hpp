// SPDX-License-Identifier: AGPL-3.0-or-later
// A small Hollo that has stopped: its database in the PostgreSQL of the tests, its files in a folder.
#pragma once
#include "takeover/stage.hpp"

namespace takeover_stage {

inline fs::path hollo_rows() {
    return fs::path(DUNLIN_SOURCE_DIR) / "tests/takeover/fixtures/hollo-small.sql";
}

struct Hollo {
    support::PostgresDatabase database{false};
    Folder folder;
    fs::path media = folder.path / "storage";

    Hollo() {
        change(contents(hollo_rows()));
        for (const char* name :
             {"avatars/alice.png",
              "emojis/dunlin.png",
              "media/01a1ce92-0b00-7000-8046-000000000046/original.png",
              "media/01a1ce92-0b00-7000-8046-000000000046/thumbnail.webp"}) {
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
};

struct HolloThere : CopiedTo {
    fs::path needed() const override { return hollo_rows(); }
    void SetUp() override {
        CopiedTo::SetUp();
        if (IsSkipped()) return;
        if (!support::postgres_url()) GTEST_SKIP() << "a Hollo needs PostgreSQL: DUNLIN_TEST_POSTGRES";
        before.emplace();
    }
    static std::string post(const std::string& uuid) { return id("status", uuid); }
    static std::string address(const std::string& name, const std::string& uuid) {
        return "https://social.example.org/@" + name + "/" + uuid;
    }

    std::optional<Hollo> before;
    const std::string estuary = "01a1ce8e-6180-7000-8010-000000000010",
                      picture = "01a1ce92-f560-7000-8011-000000000011",
                      followers = "01a1ce97-8940-7000-8012-000000000012",
                      direct = "01a1ce9c-1d20-7000-8013-000000000013",
                      question = "01a1cea0-b100-7000-8014-000000000014",
                      answer = "01a1cea5-44e0-7000-8015-000000000015",
                      edited = "01a1cea9-d8c0-7000-8016-000000000016",
                      quoting = "01a1ceae-6ca0-7000-8017-000000000017",
                      wish = "01a1ceb3-0080-7000-8018-000000000018",
                      boost = "01a1cee0-c740-7000-801a-00000000001a";
};

}  // namespace takeover_stage

// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashes of what is uploaded, and what becomes of pictures that are on a list, with the real decoder, folder and database.
#include "base/crypto.hpp"
#include "sandbox/moving.hpp"
#include "social/media/hashes/hash.hpp"
#include "social/media/hashes/quarantine.hpp"
#include "social/media/processing.hpp"
#include "social/media/stage.hpp"

#include <set>

namespace media {
namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not, testing::SizeIs;

std::string rings(bool mirrored = false, int shade = 0) {
    constexpr int width = 320, height = 240;
    return fixtures::png(width, height, [=](int x, int y) {
        const int at = mirrored ? width - 1 - x : x;
        const int across = at - width / 3, down = y - height / 2;
        const auto wave =
            static_cast<std::uint8_t>((across * across + down * down) / 970 % 2 != 0 ? 220 - shade : 30);
        return fixtures::Pixel{
            wave, static_cast<std::uint8_t>(at / 2), static_cast<std::uint8_t>(y / 2), 255
        };
    });
}

std::string stripes() {
    return fixtures::png(320, 240, [](int x, int y) {
        const auto wave = static_cast<std::uint8_t>((x / 24 + y / 60) % 2 != 0 ? 240 : 15);
        return fixtures::Pixel{wave, wave, wave, 255};
    });
}

class MediaHashes : public Stage {
protected:
    MediaHashes() {
        sessions_.look = [this](const auto& f) { read(f); };
        sessions_.change = [this](const char*, const auto& f) { write(f); };
        watch_pictures(store, sessions_);
    }

    void emitted(db::Write& db, std::type_index type, const void* event) override {
        Stage::emitted(db, type, event);
        if (type == typeid(PictureQuarantined)) ++told;
    }

    // From here on, instead of what the constructor said.
    void watch_with(const jobs::Sessions& sessions) { watch_pictures(store, sessions); }

    Media uploaded(const std::string& bytes) {
        const auto answer = json(call(http::Method::post, "/api/v2/media", with_file(bytes)));
        const MediaId id{std::stoll(std::string(answer.at("id").as_string()))};
        return read([&](db::Read& db) { return unattached(db, alice, id); });
    }
    std::string refusal(const std::string& bytes) {
        return error(call(http::Method::post, "/api/v2/media", with_file(bytes)));
    }
    std::vector<Hashed> hashes(const std::string& file) {
        return read([&](db::Read& db) { return hashes_of(db, file); });
    }
    HashListId list(const Hashes& hashes, HashEffect effect = HashEffect::quarantine) {
        return write([&](db::Write& db) {
            const auto name = std::string(base::word(effect)) + std::to_string(hash_lists(db).size());
            const auto id = add_hash_list(db, name, effect, usual_distance);
            add_hashes(db, id, hashes);
            return id;
        });
    }
    Hashes looks_of(const std::string& bytes) {
        return {{}, {hashes(uploaded(bytes).file).at(0).print.pdq.bits[0]}};
    }
    static Hashes sum_of(const std::string& bytes) {
        return {{*sha256_of_digits(base::sha256_hex(bytes))}, {}};
    }
    std::optional<Quarantined> quarantine_of(const std::string& file) {
        return read([&](db::Read& db) { return quarantined_file(db, file); });
    }
    std::vector<std::string> hidden() const {
        auto all = stored();
        std::erase_if(all, [](const std::string& name) { return !name.starts_with(".quarantine/"); });
        return all;
    }
    std::vector<std::string> served() const {
        auto all = stored();
        std::erase_if(all, [](const std::string& name) { return name.starts_with("."); });
        return all;
    }

    jobs::Sessions sessions_;
    int told = 0;
};
ON_EACH_DATABASE(MediaHashes);

TEST_P(MediaHashes, are_kept_of_what_came_and_of_what_is_kept_until_the_file_goes) {
    const auto bytes = rings();
    const auto media = uploaded(bytes);
    const auto found = hashes(media.file);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].print.sha256, base::sha256_hex(bytes));
    EXPECT_GE(found[0].print.pdq.quality, least_quality);
    std::ifstream file(folder / "media" / media.file, std::ios::binary);
    EXPECT_EQ(found[1].print.sha256, base::sha256_hex(std::string{std::istreambuf_iterator<char>(file), {}}));
    EXPECT_THAT(
        read([&](db::Read& db) { return files_with_sha256(db, base::sha256_hex(bytes), "", 10); }),
        ElementsAre(media.file)
    );
    left.clear();
    call(http::Method::delete_, media.id);
    write(asking([&](const base::Ask& ask, db::Read& db) { return remove_files(ask, db, {left}); }));
    EXPECT_THAT(hashes(media.file), IsEmpty());
}

TEST_P(MediaHashes, are_kept_of_three_pictures_of_a_video) {
    const auto bytes =
        fixtures::moving("-f lavfi -i testsrc2=size=320x240:rate=10:duration=3 " + fixtures::h264, "mp4");
    call(http::Method::post, "/api/v2/media", with_file(bytes));
    encode_next(sessions_, store);
    const auto all = read([&](db::Read& db) { return hashes_after(db, "", 100); });
    ASSERT_THAT(all, SizeIs(4));
    EXPECT_EQ(all[0].print.sha256, base::sha256_hex(bytes));
    for (const std::size_t picture : {0U, 2U, 3U}) EXPECT_GT(all[picture].print.pdq.quality, 0) << picture;
    EXPECT_NE(all[2].print.pdq.bits, all[3].print.pdq.bits);
}

TEST_P(MediaHashes, on_a_list_put_a_picture_where_nobody_reaches_it) {
    list(sum_of(rings()));
    const auto media = uploaded(rings());
    EXPECT_THAT(served(), IsEmpty());
    EXPECT_THAT(hidden(), SizeIs(2));
    for (const auto& name : hidden())
        EXPECT_THAT(name, Not(HasSubstr(media.file.substr(media.file.rfind('/') + 1, 32))));
    const auto one = quarantine_of(media.file);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->account_id, alice);
    EXPECT_EQ(one->media_id, media.id);
    EXPECT_FALSE(one->distance);
    EXPECT_EQ(told, 1);

    const auto key = read(picture_key);
    EXPECT_EQ(store.quarantine(moving(key, files_of(*one), false)), 2);
    EXPECT_THAT(hidden(), IsEmpty());
    EXPECT_THAT(served(), SizeIs(2));
    write([&](db::Write& db) { decide(db, one->id, QuarantineState::released, bob); });
    EXPECT_FALSE(quarantine_of(uploaded(rings()).file)) << "the team has let this very file go";
}

TEST_P(MediaHashes, of_a_file_that_was_let_go_by_one_list_are_asked_of_all_others) {
    list(sum_of(rings()));
    const auto first = quarantine_of(uploaded(rings()).file);
    ASSERT_TRUE(first);
    write([&](db::Write& db) { decide(db, first->id, QuarantineState::released, bob); });
    const auto other = list(looks_of(rings()));
    const auto again = quarantine_of(uploaded(rings()).file);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->list_id, other);
    list(sum_of(rings()), HashEffect::refuse);
    write([&](db::Write& db) { decide(db, again->id, QuarantineState::released, bob); });
    EXPECT_EQ(refusal(rings()), "422 Error processing thumbnail for uploaded media");
}

TEST_P(MediaHashes, are_kept_before_the_lists_are_asked) {
    list(sum_of(stripes()));
    int asked = 0;
    auto others = sessions_;
    others.look = [&](const auto& f) {
        EXPECT_THAT(
            read([&](db::Read& db) { return files_with_sha256(db, base::sha256_hex(rings()), "", 10); }),
            SizeIs(1)
        );
        ++asked;
        read(f);
    };
    watch_with(others);
    uploaded(rings());
    EXPECT_EQ(asked, 1);
}

// The process may end at any step.
TEST_P(MediaHashes, never_hide_a_picture_without_a_row_that_tells_of_it) {
    list(sum_of(rings()));
    for (const int steps : {0, 1, 2}) {
        int left = steps;
        auto others = sessions_;
        others.change = [&](const char*, const auto& f) {
            if (left-- == 0) throw base::Unavailable();
            write(f);
        };
        watch_with(others);
        call(http::Method::post, "/api/v2/media", with_file(rings()));
        std::set<std::string> told_of;
        read([&](db::Read& db) {
            for (const auto& one : quarantined(db, {}, QuarantineState::held))
                for (const auto& name : moving(picture_key(db), files_of(one), true).names)
                    told_of.insert(".quarantine/" + name);
        });
        for (const auto& name : hidden()) EXPECT_TRUE(told_of.contains(name)) << steps;
    }
    EXPECT_THAT(hidden(), SizeIs(2));
}

TEST_P(MediaHashes, that_are_near_one_of_a_list_are_found_however_the_picture_is_turned) {
    list(looks_of(rings()));
    for (const auto& bytes : {rings(false, 9), rings(true)}) {
        const auto one = quarantine_of(uploaded(bytes).file);
        ASSERT_TRUE(one);
        ASSERT_TRUE(one->distance);
        EXPECT_LE(*one->distance, usual_distance);
    }
    EXPECT_FALSE(quarantine_of(uploaded(stripes()).file));
}

TEST_P(MediaHashes, of_what_shows_nothing_match_nothing_by_their_looks) {
    const auto grey = fixtures::png(320, 240, [](int, int) { return fixtures::Pixel{128, 128, 128, 255}; });
    Hashes all;
    all.pdq.push_back({});
    list(all);
    EXPECT_FALSE(quarantine_of(uploaded(grey).file));
}

TEST_P(MediaHashes, on_a_list_that_refuses_leave_nothing_behind) {
    list(sum_of(rings()), HashEffect::refuse);
    EXPECT_EQ(refusal(rings()), "422 Error processing thumbnail for uploaded media");
    EXPECT_THAT(stored(), IsEmpty());
    EXPECT_THAT(read([&](db::Read& db) { return hashes_after(db, "", 10); }), IsEmpty());
    uploaded(stripes());
}

const db::Query<std::string> all_sealed{"test_all_sealed", "SELECT sealed FROM hash_entries ORDER BY part"};

TEST_P(MediaHashes, of_a_list_are_read_back_and_do_not_stand_in_the_database) {
    Hashes many;
    for (std::uint64_t i = 0; i < 9000; ++i) many.pdq.push_back({i * 0x9e3779b97f4a7c15, i, 7, 9});
    many.sha256.push_back(*sha256_of_digits(base::sha256_hex("x")));
    many.settle();
    const auto id = list(many);
    const auto again = read([&](db::Read& db) { return hashes_on(db, id); });
    EXPECT_EQ(again.pdq, many.pdq);
    EXPECT_EQ(again.sha256, many.sha256);
    EXPECT_EQ(read([&](db::Read& db) { return hash_list(db, id).size; }), 9001);
    const auto rows = read([](db::Read& db) { return db.all(all_sealed); });
    EXPECT_THAT(rows, SizeIs(3));
    for (const auto& row : rows) {
        EXPECT_EQ(row.find(base::sha256("x")), row.npos);
        EXPECT_EQ(row.find(bytes_of(many.pdq[4000])), row.npos);
    }
}

std::string digits(char c) { return std::string(64, c); }

TEST(HashFiles, are_read_as_csv_and_as_json) {
    const auto csv = read_hashes(
        "hash,type,source\n" + digits('a') + ",PDQ,x\nsha256,\"" + digits('b') + "\"\n# a note\n\n" +
            digits('A') + ",pdq\n" + digits('c') + ",md5\r\n",
        {}
    );
    EXPECT_THAT(csv.hashes.pdq, SizeIs(1));
    EXPECT_THAT(csv.hashes.sha256, SizeIs(1));
    EXPECT_EQ(csv.skipped, 1);
    EXPECT_EQ(read_hashes(digits('a'), HashKind::sha256).hashes.sha256.size(), 1u);
    const auto json = read_hashes(
        R"([{"hash":")" + digits('a') + R"(","type":"pdq"},{"signal_type":"HASH_SHA256","indicator":")" +
            digits('b') + R"("},{"value":"x","type":"TMK"}])",
        {}
    );
    EXPECT_THAT(json.hashes.pdq, SizeIs(1));
    EXPECT_THAT(json.hashes.sha256, SizeIs(1));
    EXPECT_EQ(json.skipped, 1);
    EXPECT_EQ(read_hashes(R"([")" + digits('a') + R"("])", HashKind::pdq).hashes.pdq.size(), 1u);
}

TEST(HashFiles, leave_out_hashes_of_other_kinds_however_these_are_called) {
    auto skipped = [](const std::string& text) {
        const auto read = read_hashes(text, HashKind::pdq);
        EXPECT_EQ(read.hashes.pdq.size(), 1u) << text;
        EXPECT_THAT(read.hashes.sha256, IsEmpty()) << text;
        return read.skipped;
    };
    const auto good = digits('a') + "\n";
    for (const auto* kind : {"HASH_MD5", "HASH_SHA1", "PhotoDNA", "TMK", "video_md5", "BLAKE3", "TMK+PDQF"}) {
        EXPECT_EQ(skipped(good + digits('b') + "," + kind + "\n"), 1) << kind;
        EXPECT_EQ(skipped(good + "0123," + kind + "\n"), 1) << kind;
    }
    EXPECT_EQ(skipped("hash,signal_type\n" + digits('a') + ",HASH_PDQ\n" + digits('b') + ",brand new\n"), 1);
    EXPECT_EQ(
        skipped(
            R"([{"hash":")" + digits('a') + R"("},{"hash":")" + digits('b') + R"(","type":"brand new"}])"
        ),
        1
    );
}

TEST(HashFiles, that_say_something_else_are_refused_with_the_line) {
    auto refusal = [](const std::string& text) -> std::string {
        try {
            read_hashes(text, {});
        } catch (const base::Invalid& e) {
            return e.what();
        }
        return "read";
    };
    EXPECT_EQ(refusal(digits('a')), "Line 1: it does not say of which kind the hash is");
    EXPECT_EQ(
        refusal(digits('a') + ",pdq\npdq," + digits('g')), "Line 2: this is no hash of 64 hexadecimal digits"
    );
    EXPECT_EQ(refusal(""), "There is nothing in the list");
    EXPECT_EQ(refusal("[]"), "There is nothing in the list");
    EXPECT_THAT(refusal("[1"), HasSubstr("not a list in JSON"));
    EXPECT_THAT(refusal(R"([{"hash":5}])"), HasSubstr("not a list in JSON"));
}

}  // namespace
}  // namespace media

// SPDX-License-Identifier: AGPL-3.0-or-later
// A backup that is encrypted: what stands in the place, and who can read it.
#include "backup/copy.hpp"
#include "backup/stage.hpp"

#include <fstream>

namespace {

using namespace backup_stage;
using testing::HasSubstr, testing::IsEmpty, testing::Not, testing::SizeIs;

struct SealedBackup : Kept {
    SealedBackup() : Kept("sealed"), target(folder / "kept") { options.hold_back = 20ms; }
    ~SealedBackup() override { stop(); }
    std::shared_ptr<backup::Target> place() const override { return with(key); }
    std::shared_ptr<backup::Target> with(const std::string& given) const {
        return backup::sealed_target(backup::folder_target(target), given);
    }
    std::string reason(const std::shared_ptr<backup::Target>& opened, const std::string& name) const {
        try {
            opened->read(name);
        } catch (const backup::Broken& e) {
            return e.what();
        }
        return "";
    }

    fs::path target;
    const std::string key = std::string(32, 'k'), another = std::string(32, 'l');
};
INSTANTIATE_TEST_SUITE_P(
    db, SealedBackup, testing::Values(support::Database::sqlite), support::database_name
);

TEST_P(SealedBackup, comes_back_with_its_key_and_tells_nothing_without) {
    const auto picture = options.source.media / "media/ab/ab1.png";
    fs::create_directories(picture.parent_path());
    const std::string secret = "what nobody else is to read ", whole = [&] {
        std::string text;
        while (text.size() < 200'000) text += secret;  // several stretches
        return text;
    }();
    std::ofstream(picture) << whole;
    start_with_backup();
    ASSERT_TRUE(has_base());
    for (std::int64_t id = 1; id <= 50; ++id) add(id);
    ASSERT_TRUE(brought());
    const auto moment = now();
    std::this_thread::sleep_for(50ms);
    for (std::int64_t id = 51; id <= 60; ++id) add(id);
    ASSERT_TRUE(brought());
    ASSERT_TRUE(soon([&] { return archive().target().size("media/media/ab/ab1.png"); }));
    // As somebody who writes one leaves it.
    const auto half = target / "lists/20261129T135415.715Z-33882fa3d3034ede.part";
    std::ofstream(half) << "half";
    const auto found = verified();
    EXPECT_TRUE(found.sound) << testing::PrintToString(found.faults);
    fs::remove(half);
    stop();
    EXPECT_EQ(restored(), up_to(60));
    EXPECT_EQ(restored(moment), up_to(50));
    EXPECT_EQ(backup::restore_media(archive(), now(), folder / "back").files, 1);
    EXPECT_EQ(backup::contents(folder / "back/media/ab/ab1.png"), whole);

    int files = 0;
    for (const auto& one : fs::recursive_directory_iterator(target)) {
        const auto name = one.path().filename().string();
        if (!one.is_regular_file() || name == "manifest.json" || name.ends_with("lock")) continue;
        const auto bytes = backup::contents(one.path());
        EXPECT_THAT(bytes.substr(0, 8), "dunlin 1") << one.path();
        for (const auto& told :
             {secret, std::string("SQLite format 3"), std::string("numbers"), std::string("ab1.png")})
            EXPECT_THAT(bytes, Not(HasSubstr(told))) << one.path();
        ++files;
    }
    EXPECT_GT(files, 4);
}

TEST_P(SealedBackup, says_which_key_is_needed) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    stop();
    const auto refusal = [&](const std::shared_ptr<backup::Target>& opened) -> std::string {
        try {
            Archive(opened).manifest();
        } catch (const backup::Away& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(place()), "");
    const auto begin =
        "The backup in " + target.string() + " is encrypted with the key " + backup::key_id(key);
    EXPECT_EQ(refusal(backup::folder_target(target)), begin + "; set backup_key to it");
    EXPECT_EQ(
        refusal(with(another)),
        begin + ", and backup_key is the key " + backup::key_id(another) + "; set that one"
    );
    EXPECT_THROW(
        backup::restore_database(Archive(with(another)), std::nullopt, folder / "no.db"), backup::Away
    );

    // One that was begun without a key does not become half of each.
    target = folder / "open";
    Archive(backup::folder_target(target)).target().prepare();
    Archive(backup::folder_target(target)).write_manifest(options.source.manifest);
    EXPECT_THAT(refusal(place()), HasSubstr("is not encrypted, and backup_key is set; name another place"));
    start_with_backup();
    EXPECT_TRUE(soon([&] { return keeper->figures().away; }));
    stop();
    EXPECT_THAT(backup::folder_target(target)->list("base/"), IsEmpty());
}

TEST_P(SealedBackup, that_was_not_finished_goes_on_with_no_other_key_and_not_beside_what_is_open) {
    fs::create_directories(target);
    Archive(place()).begin(options.source.manifest);
    EXPECT_THROW(Archive(with(another)).manifest(), backup::Away);
    EXPECT_NO_THROW(Archive(place()).manifest());
    options.target = with(another);
    EXPECT_THROW(backup::take_base(Archive(with(another)), options.source, now()), backup::Away);

    target = folder / "open";
    fs::create_directories(target);
    Archive(backup::folder_target(target)).begin(options.source.manifest);
    backup::folder_target(target)->put("media/ab.png", "a picture");
    EXPECT_THROW(Archive(place()).begin(options.source.manifest), backup::Away);
    EXPECT_FALSE(fs::exists(target / "manifest.json"));
}

TEST_P(SealedBackup, shows_a_byte_that_changed_a_file_that_was_cut_and_one_in_the_place_of_another) {
    fs::create_directories(target);
    const auto sealed = place();
    sealed->prepare();
    // Around the end of a stretch.
    for (const std::size_t bytes : {0u, 1u, 65'535u, 65'536u, 65'537u, 200'000u}) {
        const auto name = "media/" + std::to_string(bytes), text = std::string(bytes, 'x');
        sealed->put(name, text);
        EXPECT_EQ(sealed->read(name), text);
        EXPECT_EQ(sealed->size(name), bytes);
        EXPECT_EQ(sealed->part(name, 1, 5), text.substr(std::min<std::size_t>(1, bytes), 5));
        std::ofstream(folder / "from") << text;
        sealed->put_file(name + "-file", folder / "from");
        sealed->fetch(name + "-file", folder / "to");
        EXPECT_EQ(backup::contents(folder / "to"), text);
    }
    for (const auto& file : sealed->list("media/"))
        EXPECT_EQ(file.bytes, std::stoull(file.name.substr(6))) << file.name;

    const auto path = target / "media/200000";
    const auto as_put = backup::contents(path);
    const auto damaged = path.string() + " is damaged";
    const auto stored = [&](const std::string& bytes) {
        backup::put(path, bytes);
        return reason(sealed, "media/200000");
    };
    for (const std::size_t at : {0u, 10u, 40u, 70'000u, 200'000u}) {
        auto bytes = as_put;
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        EXPECT_EQ(stored(bytes), damaged) << at;
    }
    constexpr std::size_t head = 32, stretch = 65'536 + 17;
    for (const std::size_t left :
         {std::size_t{0}, std::size_t{20}, head, head + stretch, head + 2 * stretch, as_put.size() - 1})
        EXPECT_EQ(stored(as_put.substr(0, left)), damaged) << left;
    EXPECT_EQ(stored(as_put + std::string(40, 'x')), damaged);
    EXPECT_EQ(stored(backup::contents(target / "media/200000-file")), damaged);
    EXPECT_EQ(stored(as_put), "");
    EXPECT_THAT(reason(with(another), "media/200000"), damaged);
    backup::put(path, as_put.substr(0, as_put.size() - 1));
    EXPECT_THROW(sealed->fetch("media/200000", folder / "cut"), backup::Broken);
    for (const auto* left : {"cut", "cut.sealed", "cut.opened", "to.sealed", "to.opened"})
        EXPECT_FALSE(fs::exists(folder / left)) << left;
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/picture.hpp"
#include "social/media/stage.hpp"

#include <sys/stat.h>

namespace media {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;

struct MediaStore : Stage {
    std::optional<accounts::Picture> picture(Kind kind, std::string_view bytes) {
        auto upload = spooled(bytes);
        return asking([&](const base::Ask& ask, db::Read&) {
            return accounts::picture(ask, {7}, kind, upload.file.get());
        });
    }
};
INSTANTIATE_TEST_SUITE_P(db, MediaStore, testing::Values(support::Database::sqlite), support::database_name);

TEST_P(MediaStore, leaves_files_that_everybody_may_read_and_no_traces) {
    auto upload = spooled(fixtures::png(64, 48));
    auto stored_image = std::get<Stored>(store.process({upload.file->string(), Kind::attachment, {}}));
    EXPECT_THAT(stored(), ElementsAre(stored_image.file, stored_image.preview));
    EXPECT_THAT(stored_image.preview, MatchesRegex("media/../[0-9a-f]+_small\\.jpg"));
    EXPECT_TRUE(fs::is_empty(folder / "media/.work"));
    struct stat facts{};
    ASSERT_EQ(::stat((folder / "media" / stored_image.file).c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0644u);
}

TEST_P(MediaStore, keeps_a_file_a_second_time_where_nobody_is_served_from) {
    auto upload = spooled(fixtures::png(64, 48));
    auto file = std::get<Stored>(store.process({upload.file->string(), Kind::attachment, {}})).file;
    EXPECT_EQ(store.keep({{file, "media/ab/gone.png", "../outside.png"}}), 1);
    EXPECT_EQ(store.keep({{file}}), 1);
    store.remove({{file}});
    auto kept = folder / "media" / kept_as(file);
    EXPECT_TRUE(fs::exists(kept));
    struct stat facts{};
    ASSERT_EQ(::stat(kept.parent_path().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0700u);
    EXPECT_EQ(store.forget_kept({{file}}), 1);
    EXPECT_EQ(store.forget_kept({{file}}), 0);
    EXPECT_FALSE(fs::exists(kept));
}

TEST_P(MediaStore, makes_other_names_for_the_same_picture) {
    ProcessImage asked{spooled(fixtures::png(8, 8)).file->string(), Kind::attachment, {}};
    auto upload = spooled(fixtures::png(8, 8));
    asked.path = *upload.file;
    EXPECT_NE(std::get<Stored>(store.process(asked)).file, std::get<Stored>(store.process(asked)).file);
}

TEST_P(MediaStore, says_to_try_later_when_the_folder_is_unusable) {
    std::ofstream(folder / "file") << "x";
    auto upload = spooled(fixtures::png(8, 8));
    EXPECT_THROW(
        Store(folder / "file").process({upload.file->string(), Kind::attachment, {}}), base::Unavailable
    );
}

TEST_P(MediaStore, keeps_a_still_of_an_animated_avatar) {
    auto avatar = picture(Kind::avatar, fixtures::gif(64, 48, 3));
    ASSERT_TRUE(avatar);
    EXPECT_THAT(avatar->file, MatchesRegex("avatars/../7-[0-9a-f]+\\.(gif|webp)"));
    EXPECT_THAT(avatar->static_file, MatchesRegex("avatars/../7-[0-9a-f]+_static\\.png"));
    EXPECT_EQ(family(avatar->file), family(avatar->static_file));
    EXPECT_THAT(stored(), ElementsAre(avatar->file, avatar->static_file));
    EXPECT_THAT(accounts::replaced(*avatar), ElementsAre(avatar->static_file, avatar->file));
    EXPECT_THAT(accounts::replaced({}), IsEmpty());
}

TEST_P(MediaStore, shows_a_header_that_does_not_move_by_itself) {
    auto header = picture(Kind::header, fixtures::jpeg());
    ASSERT_TRUE(header);
    EXPECT_THAT(header->file, MatchesRegex("headers/../7-[0-9a-f]+\\.jpg"));
    EXPECT_EQ(header->static_file, header->file);
    EXPECT_THAT(accounts::replaced(*header), ElementsAre(header->file));
}

TEST_P(MediaStore, names_the_field_of_a_picture_it_refuses) {
    auto refusal = [&](Kind kind, std::string_view bytes) {
        try {
            picture(kind, bytes);
        } catch (const base::Invalid& e) {
            EXPECT_EQ(e.fields.size(), 1u);
            return e.fields[0].field + " " + e.fields[0].code + " " + e.what();
        }
        return std::string();
    };
    EXPECT_EQ(
        refusal(Kind::avatar, "words"),
        "avatar ERR_INVALID Validation failed: Avatar must be a JPEG, PNG, GIF or WebP image"
    );
    EXPECT_EQ(
        refusal(Kind::header, std::string(8'388'608, 'x')),
        "header ERR_INVALID Validation failed: Header must be less than 8 MB"
    );
    EXPECT_THAT(stored(), IsEmpty());
}

TEST_P(MediaStore, asks_nothing_when_no_picture_came) {
    base::Ask ask;
    EXPECT_FALSE(accounts::picture(ask, {7}, Kind::avatar, nullptr));
}

TEST_P(MediaStore, stores_emojis_for_the_command_line) {
    auto upload = spooled(fixtures::gif(16, 16, 2));
    auto emoji = store_emoji(store, *upload.file);
    EXPECT_THAT(emoji.file, MatchesRegex("emojis/../[0-9a-f]+\\.(gif|webp)"));
    EXPECT_THAT(emoji.static_file, MatchesRegex("emojis/../[0-9a-f]+_static\\.png"));
    auto jpeg = spooled(fixtures::jpeg());
    EXPECT_THROW(store_emoji(store, *jpeg.file), base::Invalid);
}

TEST(MediaFamily, is_what_comes_before_the_first_underscore_or_dot) {
    EXPECT_EQ(family("media/ab/ab12.jpg"), "media/ab/ab12");
    EXPECT_EQ(family("media/ab/ab12_small.jpg"), "media/ab/ab12");
    EXPECT_EQ(family("avatars/ab/7-ab12_static.png"), "avatars/ab/7-ab12");
    EXPECT_TRUE(is_original("media/ab/ab12.jpg"));
    EXPECT_FALSE(is_original("media/ab/ab12_small.jpg"));
}

}  // namespace
}  // namespace media

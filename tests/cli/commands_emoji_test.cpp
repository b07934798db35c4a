// SPDX-License-Identifier: AGPL-3.0-or-later
// Many emojis at once, out of what people have them in.
#include <gmock/gmock.h>

#include "server/program.hpp"

namespace {

namespace fs = std::filesystem;

using testing::AllOf, testing::ContainsRegex, testing::HasSubstr, testing::Not;

struct EmojiImport : Program {
    EmojiImport() { fs::create_directories(pack); }

    void begin() { ASSERT_EQ(run("migrate").status, 0); }
    void picture(const std::string& name, const char* of = "/web/static/logo.png") const {
        fs::create_directories((pack / name).parent_path());
        fs::copy_file(std::string(DUNLIN_SOURCE_DIR) + of, pack / name);
    }
    void text(const std::string& name, const std::string& what) const { std::ofstream(pack / name) << what; }
    void shell(const std::string& line) const {
        ASSERT_EQ(std::system(("cd '" + folder.string() + "' && " + line).c_str()), 0) << line;
    }

    fs::path pack = folder / "pack";
};

TEST_F(EmojiImport, takes_a_folder_and_says_of_each_file_why_it_failed) {
    begin();
    picture("cat.png");
    picture("dogs/dog.png");
    picture("not-a-name.png");
    picture(".hidden.png");
    picture("no.png", "/LICENSE");
    text("README.md", "hello");
    auto first = run("emoji import '" + pack.string() + "' --category Animals");
    EXPECT_EQ(first.status, 1);
    EXPECT_THAT(first.out, HasSubstr("Imported 2, passed over 1 files that are no pictures; 2 failed:\n"));
    EXPECT_THAT(first.out, ContainsRegex("no.png +The file no.png is not a PNG, GIF or WebP image\n"));
    EXPECT_THAT(first.out, ContainsRegex("not-a-name.png +.*letters, digits or underscores\n"));
    auto all = run("emoji list").out;
    EXPECT_THAT(all, AllOf(ContainsRegex("cat +Animals +shown"), ContainsRegex("dog +Animals +shown")));

    fs::remove(pack / "no.png");
    fs::remove(pack / "not-a-name.png");
    picture("bird.png");
    auto again = run("emoji import '" + pack.string() + "' --json");
    EXPECT_EQ(again.status, 0);
    EXPECT_THAT(
        again.out, HasSubstr(R"({"imported":1,"replaced":0,"skipped":2,"passed_over":1,"failed":[]})")
    );
    auto over = run("emoji import '" + pack.string() + "' --overwrite --json");
    EXPECT_THAT(over.out, HasSubstr(R"("imported":0,"replaced":3,"skipped":0)"));
    EXPECT_THAT(run("emoji list").out, ContainsRegex("cat +Animals"));  // it keeps its heading
}

TEST_F(EmojiImport, takes_a_zip_of_misskey_and_a_tar_of_pleroma_by_their_lists) {
    begin();
    picture("a.png");
    text(
        "meta.json",
        R"({"metaVersion":2,"emojis":[
            {"downloaded":true,"fileName":"a.png","emoji":{"name":"blobcat","category":"Blobs"}},
            {"downloaded":false,"fileName":"","emoji":{"name":"away","category":null}}]})"
    );
    shell("python3 -m zipfile -c blobs.zip pack/a.png pack/meta.json");
    auto zip = run("emoji import '" + (folder / "blobs.zip").string() + "'");
    EXPECT_EQ(zip.status, 1);
    EXPECT_THAT(zip.out, AllOf(HasSubstr("Imported 1; 1 failed:"), HasSubstr("There is no such file")));
    EXPECT_THAT(run("emoji list").out, ContainsRegex("blobcat +Blobs +shown"));

    fs::remove(pack / "meta.json");
    picture("unlisted.png");
    text("pack.json", R"({"files":{"blobfox":"a.png","../x":"../../etc/passwd"},"pack":{"license":"CC0"}})");
    shell("tar czf blobs.tar.gz pack");
    auto tar = run("emoji import '" + (folder / "blobs.tar.gz").string() + "'");
    EXPECT_THAT(tar.out, AllOf(HasSubstr("Imported 1; 1 failed:"), HasSubstr("There is no such file")));
    EXPECT_THAT(run("emoji list").out, AllOf(HasSubstr("blobfox"), Not(HasSubstr("unlisted"))));
}

TEST_F(EmojiImport, refuses_what_is_no_pack) {
    begin();
    text("pack.json", "{");
    for (const auto& [what, sentence] : std::vector<std::pair<std::string, std::string>>{
             {(folder / "nothing").string(), "There is no file or folder"},
             {DUNLIN_SOURCE_DIR "/LICENSE", "neither a folder nor a zip or tar.gz archive"},
             {pack.string(), "pack.json is no JSON"},
         }) {
        auto refused = run("emoji import '" + what + "'");
        EXPECT_EQ(refused.status, 1) << what;
        EXPECT_THAT(refused.err, HasSubstr(sentence)) << what;
    }
    text("pack.json", "[]");
    EXPECT_THAT(run("emoji import '" + pack.string() + "'").err, HasSubstr("There are no pictures in"));
    text("cut.tar.gz", "\x1f\x8b broken");
    EXPECT_THAT(run("emoji import '" + (pack / "cut.tar.gz").string() + "'").err, HasSubstr("damaged"));
    shell("tar cf whole.tar pack && head -c 512 whole.tar > cut.tar");
    EXPECT_THAT(run("emoji import '" + (folder / "cut.tar").string() + "'").err, HasSubstr("damaged"));
}

}  // namespace

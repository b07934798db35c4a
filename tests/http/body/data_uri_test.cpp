// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/read_params.hpp"

#include "base/errors.hpp"
#include "http/form.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace {

namespace fs = std::filesystem;

struct Picture {
    std::optional<http::Upload> avatar;
    std::string note;
};
DESCRIBE(Picture, avatar, note)

struct Album {
    std::vector<Picture> album;
};
DESCRIBE(Album, album)

struct DataUri : testing::Test {
    fs::path folder = [] {
        std::string pattern = (fs::temp_directory_path() / "dunlin-data-uri-XXXXXX").string();
        return fs::path(mkdtemp(pattern.data()));
    }();
    ~DataUri() override { fs::remove_all(folder); }

    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder), {}); }
    static std::string contents(const http::Upload& upload) {
        std::ifstream file(*upload.file, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::optional<std::string> bytes(std::string_view uri) const {
        auto read = http::read_data_uri(uri, folder);
        if (!read) return std::nullopt;
        EXPECT_EQ(read->size, contents(*read).size());
        return contents(*read);
    }
    http::Params form(const std::string& avatar) const {
        http::Params out;
        out.keep_files_in(folder);
        out.add("avatar", avatar);
        out.add("note", "data:,a note that is no file");
        return out;
    }
};

TEST_F(DataUri, holds_a_file_in_base64_or_percent_form) {
    EXPECT_EQ(bytes("data:image/png;base64,AAECAw=="), std::string("\0\1\2\3", 4));
    EXPECT_EQ(bytes("data:;base64,AAECAw"), std::string("\0\1\2\3", 4));
    EXPECT_EQ(bytes("data:image/png;BASE64,%2B%2B%2B%2B"), "\xFB\xEF\xBE");
    EXPECT_EQ(bytes("DATA:text/plain;charset=utf-8,a%20b,c"), "a b,c");
    EXPECT_EQ(bytes("data:,"), "");
    EXPECT_EQ(http::read_data_uri("data:Image/PNG;base64,AAEC", folder)->content_type, "image/png");
    EXPECT_EQ(files(), 0) << "a file goes with the last who holds it";
}

TEST_F(DataUri, that_is_broken_is_no_file) {
    for (auto broken :
         {"data:image/png;base64,A A=", "data:image/png;base64,AAEC\n!", "data:image/png", "data:", "datA", ""
         })
        EXPECT_FALSE(bytes(broken)) << broken;
    EXPECT_EQ(files(), 0);
}

TEST_F(DataUri, in_the_place_of_a_file_is_that_file_and_written_once) {
    auto params = form("data:image/png;base64,AAEC");
    auto first = http::read_form<Picture>(params), second = http::read_form<Picture>(params);
    ASSERT_TRUE(first.avatar && second.avatar);
    EXPECT_EQ(contents(*first.avatar), std::string("\0\1\2", 3));
    EXPECT_EQ(*first.avatar->file, *second.avatar->file);
    EXPECT_EQ(first.note, "data:,a note that is no file");
    EXPECT_EQ(files(), 1);
    first = second = {};
    params = {};
    EXPECT_EQ(files(), 0);
}

TEST_F(DataUri, inside_a_list_is_written_once_too) {
    http::Params params;
    params.keep_files_in(folder);
    params.add("album[][avatar]", "data:,a");
    params.add("album[][avatar]", "data:,b");
    auto first = http::read_form<Album>(params), second = http::read_form<Album>(params);
    ASSERT_EQ(first.album.size(), 2u);
    EXPECT_EQ(contents(*first.album[0].avatar), "a");
    EXPECT_EQ(contents(*first.album[1].avatar), "b");
    EXPECT_EQ(*first.album[1].avatar->file, *second.album[1].avatar->file);
    EXPECT_EQ(files(), 2);
}

TEST_F(DataUri, that_is_broken_is_told_and_other_texts_are_no_files) {
    EXPECT_THROW(http::read_form<Picture>(form("data:image/png;base64,?")), base::Invalid);
    for (auto text : {"undefined", "", "https://a.example/b.png"})
        EXPECT_FALSE(http::read_form<Picture>(form(text)).avatar) << text;
    EXPECT_EQ(files(), 0);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/multipart.hpp"

#include "base/errors.hpp"
#include "http/form.hpp"

#include <unistd.h>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace {

std::filesystem::path spool_dir() {
    // Not that of another process that runs other of these tests.
    auto out = std::filesystem::temp_directory_path() / ("dunlin_multipart_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(out);
    return out;
}

std::string content(const http::Upload& upload) {
    std::ifstream file(*upload.file, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

http::Params parsed(
    std::string_view body, std::size_t piece = 1 << 20,
    std::string_view content_type = "multipart/form-data; boundary=B"
) {
    http::Params out;
    http::Multipart parser(content_type, spool_dir(), out);
    for (; !body.empty(); body.remove_prefix(std::min(piece, body.size())))
        parser.feed(body.substr(0, piece));
    parser.finish();
    return out;
}

std::string shown(const http::Params& params) {
    std::string out;
    for (const auto& e : params.entries()) {
        if (!out.empty()) out += '|';
        out += e.name +
               (e.upload ? "@" + e.upload->filename + ":" + e.upload->content_type + ":" + content(*e.upload)
                         : "=" + e.value);
    }
    return out;
}

std::string part(std::string_view disposition, std::string_view body, std::string_view more = "") {
    return "--B\r\nContent-Disposition: form-data; " + std::string(disposition) + "\r\n" + std::string(more) +
           "\r\n" + std::string(body) + "\r\n";
}

std::string refusal(std::string_view body, std::size_t piece) {
    try {
        return "accepted: " + shown(parsed(body, piece));
    } catch (const base::BadRequest& error) {
        return error.what();
    }
}

TEST(Multipart, gives_texts_and_files_however_it_is_cut) {
    auto body = "preamble\r\n" + part("name=\"status\"", "héllo\r\nworld") +
                part("name=\"media_ids[]\"", "1") +
                part("name=\"file\"; filename=\"a.png\"", "x\r\n--Bx\r\n--", "Content-Type: image/png\r\n") +
                part("name=\"empty\"", "") + "--B--";
    for (std::size_t piece : {1u, 2u, 3u, 5u, 7u, 64u, 100'000u})
        EXPECT_EQ(
            shown(parsed(body, piece)),
            "status=héllo\r\nworld|media_ids[]=1|file@a.png:image/png:x\r\n--Bx\r\n--|empty="
        ) << piece;
    EXPECT_EQ(shown(parsed(body + "\r\nepilogue\r\n--B\r\n")).size(), shown(parsed(body)).size());
}

TEST(Multipart, reads_the_names_that_clients_write) {
    const char* rows[][2] = {
        {R"(name="a"; filename="b.png")", "a@b.png::x"},
        {R"(NAME=a; FileName=b c.png)", "a@b c.png::x"},
        {R"(filename="b;c=d.png"; name="a;b")", "a;b@b;c=d.png::x"},
        {R"(name="a"; filename="say \"hi\".png")", "a@say \"hi\".png::x"},
        {R"(name="a"; filename="say %22hi%22%.png")", "a@say \"hi\"%.png::x"},
        {R"(name="a"; filename="C:\dir\photo.jpg")", "a@photo.jpg::x"},
        {R"(name="a"; filename="../../etc/passwd")", "a@passwd::x"},
        {R"(name="a"; filename="naïve 😀.png")", "a@naïve 😀.png::x"},
        {"name=\"a\"; filename=\"\xff.png\"", "a@\uFFFD.png::x"},
        {R"(name="a"; filename="x.png"; filename*=UTF-8''na%C3%AFve.png)", "a@naïve.png::x"},
        {R"(name="a"; filename*=broken; filename="x.png")", "a@x.png::x"},
        {R"(name="a"; filename="")", ""},
        {R"(name="poll[options][]")", "poll[options][]=x"},
        {R"(name="")", ""},
        {R"(filename="x.png")", ""},
        {R"(name="a"; name="b")", "a=x"},
        {R"(name="unclosed)", "unclosed=x"},
    };
    for (auto [disposition, expected] : rows)
        EXPECT_EQ(shown(parsed(part(disposition, "x") + "--B--\r\n")), expected) << disposition;
}

TEST(Multipart, refuses_what_it_cannot_read) {
    const char* early = "The multipart body ends too early";
    auto whole = part("name=\"a\"", "x") + "--B--";
    std::string lf = "--B\nContent-Disposition: form-data; name=\"a\"\n\nx\n--B--\n";
    std::string long_headers =
        "--B\r\nX: " + std::string(http::Multipart::max_headers, 'x') + "\r\n\r\n\r\n--B--";
    std::string long_text = part("name=\"a\"", std::string((1 << 20) + 1, 'x')) + "--B--";
    std::string many, texts;
    for (int i = 0; i < 1001; ++i) many += part("name=\"a\"", "");
    for (int i = 0; i < 5; ++i) texts += part("name=\"a\"", std::string(1 << 20, 'x'));
    for (std::size_t piece : {1000u, 1u << 23}) {
        EXPECT_EQ(refusal("x", piece), early);
        EXPECT_EQ(refusal(whole.substr(0, whole.size() - 1), piece), early);
        EXPECT_EQ(refusal(whole.substr(0, whole.size() - 2), piece), early);
        EXPECT_EQ(refusal(lf, piece), early);
        EXPECT_EQ(refusal(long_headers, piece), "The headers of a multipart part are too long");
        EXPECT_EQ(refusal(long_text, piece), "A text in the multipart body is too long");
        EXPECT_EQ(refusal(texts + "--B--", piece), "A text in the multipart body is too long");
        EXPECT_EQ(refusal(many + "--B--", piece), "The multipart body has too many parts");
    }
    EXPECT_EQ(refusal("", 1), "accepted: ");
    EXPECT_EQ(refusal("--B--", 1), "accepted: ");
    for (const char* type :
         {"multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\""})
        EXPECT_THROW(parsed("", 1, type), base::BadRequest) << type;
    EXPECT_EQ(shown(parsed("--a b--", 1, "multipart/form-data; charset=utf-8; Boundary=\"a b\"")), "");
}

TEST(Multipart, removes_its_files) {
    std::filesystem::path path;
    {
        auto params = parsed(part("name=\"a\"; filename=\"b\"", "x") + "--B--");
        auto copy = params.inside("none");
        path = *params.upload("a")->file;
        EXPECT_EQ(params.upload("a")->size, 1u);
        EXPECT_TRUE(std::filesystem::exists(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_THROW(parsed(part("name=\"a\"; filename=\"b\"", "x")), base::BadRequest);
    EXPECT_TRUE(std::filesystem::is_empty(spool_dir()));
}

struct Media {
    http::Required<http::Upload> file;
    std::optional<http::Upload> thumbnail;
    std::string description;
};
DESCRIBE(Media, file, thumbnail, description)

TEST(Multipart, fills_forms) {
    auto media = http::read_form<Media>(parsed(
        part("name=\"file\"; filename=\"blob\"", "x") + part("name=\"thumbnail\"", "undefined") +
        part("name=\"description\"", "") + "--B--"
    ));
    EXPECT_EQ(content(*media.file), "x");
    EXPECT_FALSE(media.thumbnail);
    EXPECT_THROW(http::read_form<Media>(parsed(part("name=\"file\"", "undefined") + "--B--")), base::Invalid);
}

struct Attribute {
    std::optional<base::MediaId> id;
    std::optional<http::Upload> thumbnail;
};
DESCRIBE(Attribute, id, thumbnail)

struct Edit {
    std::vector<Attribute> media_attributes;
};
DESCRIBE(Edit, media_attributes)

TEST(Multipart, keeps_files_with_the_objects_they_are_in) {
    auto edit = http::read_form<Edit>(parsed(
        part("name=\"media_attributes[][id]\"", "1") +
        part("name=\"media_attributes[][thumbnail]\"; filename=\"a\"", "A") +
        part("name=\"media_attributes[][id]\"", "2") +
        part("name=\"media_attributes[][thumbnail]\"; filename=\"b\"", "B") + "--B--"
    ));
    ASSERT_EQ(edit.media_attributes.size(), 2u);
    EXPECT_EQ(edit.media_attributes[1].id->value, 2);
    EXPECT_EQ(content(*edit.media_attributes[1].thumbnail), "B");
}

TEST(Multipart, keeps_no_file_that_is_not_wanted) {
    const std::string body = part("name=\"a\"", "1") + part("name=\"f\"; filename=\"x.png\"", "bytes") +
                             part("name=\"b\"", "2") + "--B--\r\n";
    http::Params out;
    http::Multipart dropping(
        "multipart/form-data; boundary=B", spool_dir(), out, http::Multipart::Files::drop
    );
    dropping.feed(body);
    dropping.finish();
    EXPECT_EQ(shown(out), "a=1|b=2");

    http::Params nothing;
    http::Multipart refusing(
        "multipart/form-data; boundary=B", spool_dir(), nothing, http::Multipart::Files::refuse
    );
    EXPECT_THROW(refusing.feed(body), base::Unauthorized);
    EXPECT_TRUE(std::filesystem::is_empty(spool_dir()));
}

TEST(Multipart, takes_no_more_files_than_any_form_has) {
    std::string body;
    for (std::size_t i = 0; i < http::Multipart::max_files; ++i)
        body += part("name=\"f\"; filename=\"x\"", "y");
    EXPECT_EQ(parsed(body + "--B--\r\n").size(), http::Multipart::max_files);
    body += part("name=\"f\"; filename=\"x\"", "y");
    EXPECT_THROW(parsed(body + "--B--\r\n"), base::BadRequest);
    EXPECT_TRUE(std::filesystem::is_empty(spool_dir()));
}

}  // namespace

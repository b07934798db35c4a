// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/stage.hpp"

namespace media {
namespace {

using http::Method;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;

constexpr auto v1 = "/api/v1/media", v2 = "/api/v2/media";

struct MediaApi : Stage {
    static MediaId id_of(const boost::json::object& entity) {
        return {std::stoll(std::string(entity.at("id").as_string()))};
    }
    static std::string text(const boost::json::value& value) { return std::string(value.as_string()); }
    static http::Params params(std::vector<std::pair<std::string, std::string>> given) {
        http::Params params;
        for (auto& [name, value] : given) params.add(name, value);
        return params;
    }
};
ON_EACH_DATABASE(MediaApi);

TEST_P(MediaApi, takes_an_image_whatever_it_is_called) {
    auto upload = with_file(fixtures::png(64, 48));
    upload.add("description", " A corner ");
    upload.add("focus", "-0.5,7");
    auto answer = json(call(Method::post, v2, upload));

    EXPECT_EQ(answer.at("type"), "image");
    EXPECT_EQ(answer.at("description"), "A corner");
    EXPECT_EQ(answer.at("remote_url"), nullptr);
    EXPECT_EQ(answer.at("text_url"), nullptr);
    EXPECT_EQ(
        boost::json::serialize(answer.at("meta").at("original")),
        R"({"width":64,"height":48,"size":"64x48","aspect":1.3333333333333333E0})"
    );
    EXPECT_EQ(answer.at("meta").at("small").at("size"), "64x48");
    EXPECT_EQ(boost::json::serialize(answer.at("meta").at("focus")), R"({"x":-5E-1,"y":1E0})");
    EXPECT_EQ(text(answer.at("blurhash")).size(), 36u);
    auto files = stored();
    ASSERT_EQ(files.size(), 2u);
    EXPECT_THAT(files[0], MatchesRegex("media/[0-9a-f][0-9a-f]/[0-9a-f]+\\.png"));
    EXPECT_EQ(files[0].size(), 9 + 32 + 4u);
    EXPECT_EQ(files[0].substr(6, 2), files[0].substr(9, 2));
    EXPECT_EQ(text(answer.at("url")), database.site.media(files[0]));
    EXPECT_EQ(text(answer.at("preview_url")), database.site.media(files[1]));
    EXPECT_EQ(answers, 1);
}

TEST_P(MediaApi, answers_the_same_in_its_first_version) {
    auto answer = json(call(Method::post, v1, with_file(fixtures::jpeg())));
    EXPECT_EQ(json(call(Method::get, id_of(answer))), answer);
}

TEST_P(MediaApi, says_what_is_wrong_with_a_file) {
    struct Case {
        std::string bytes, error;
    };
    std::string tail = fixtures::png(64, 48);
    tail.resize(tail.size() / 2);
    for (const auto& [bytes, expected] :
         {Case{"just words", "422 File type of uploaded media could not be verified"},
          Case{"", "422 File type of uploaded media could not be verified"},
          Case{
              std::string(
                  "\0\0\0\x18"
                  "ftypmp42\0\0\0\0mp42isom",
                  24
              ),
              "422 File type of uploaded media could not be verified"
          },
          Case{tail, "422 Error processing thumbnail for uploaded media"},
          Case{fixtures::png_header(8000, 8000), "422 Validation failed: File has too many pixels"},
          Case{std::string(16'777'216, 'x'), "422 Validation failed: File must be less than 16 MB"}})
        EXPECT_EQ(error(call(Method::post, v2, with_file(bytes))), expected);
    EXPECT_THAT(stored(), IsEmpty());
}

TEST_P(MediaApi, wants_a_file) {
    EXPECT_EQ(error(call(Method::post, v2, {})), "422 Validation failed: File can't be blank");
    EXPECT_EQ(
        error(call(Method::post, v2, params({{"file", "undefined"}}))),
        "422 Validation failed: File can't be blank"
    );
}

TEST_P(MediaApi, refuses_a_long_description_before_it_works_on_the_file) {
    auto upload = with_file(fixtures::png(64, 48));
    upload.add("description", std::string(10'001, 'x'));
    auto text = "422 Validation failed: Description is too long (maximum is 10000 characters)";
    EXPECT_EQ(error(call(Method::post, v2, upload)), text);
    EXPECT_EQ(answers, 0);
    EXPECT_EQ(
        error(call(Method::put, made(alice), params({{"description", std::string(10'001, 'x')}}))), text
    );
}

TEST_P(MediaApi, leaves_what_an_edit_does_not_name) {
    auto id = made(alice);
    EXPECT_EQ(json(call(Method::put, id, params({{"description", "one"}}))).at("description"), "one");
    auto focused = json(call(Method::patch, id, params({{"focus", "0.25,-0.25"}})));
    EXPECT_EQ(focused.at("description"), "one");
    EXPECT_EQ(focused.at("meta").at("focus").at("y").as_double(), -0.25);
    auto cleared = json(call(Method::put, id, params({{"description", ""}, {"focus", ""}})));
    EXPECT_EQ(cleared.at("description"), nullptr);
    EXPECT_EQ(cleared.at("meta"), focused.at("meta"));
    call(Method::put, id, params({{"description", "two"}}));
    http::Params by_null;
    by_null.add_null("description");
    EXPECT_EQ(json(call(Method::put, id, by_null)).at("description"), nullptr);
}

TEST_P(MediaApi, reads_any_focus_as_a_point_of_the_picture) {
    auto id = made(alice);
    for (auto [given, x, y] :
         {std::tuple{"nonsense", 0.0, 0.0}, {"1e9,-1e9", 1.0, -1.0}, {"0.5", 0.5, 0.0}, {",1", 0.0, 1.0}}) {
        auto focus = json(call(Method::put, id, params({{"focus", given}}))).at("meta").at("focus");
        EXPECT_EQ(focus.at("x").as_double(), x) << given;
        EXPECT_EQ(focus.at("y").as_double(), y) << given;
    }
}

TEST_P(MediaApi, knows_only_own_media_that_no_status_shows) {
    auto foreign = made(bob), used = made(alice);
    attach_to(post, {used});
    for (auto id : {foreign, used, MediaId{5}})
        for (auto method : {Method::get, Method::put, Method::patch})
            EXPECT_EQ(error(call(method, id, params({{"description", "x"}}))), "404 Record not found");
}

TEST_P(MediaApi, deletes_own_media_unless_a_status_shows_them) {
    auto own = made(alice), foreign = made(bob), used = made(alice);
    attach_to(post, {used});
    EXPECT_EQ(call(Method::delete_, own).body, "{}");
    EXPECT_EQ(left.size(), 2u);
    EXPECT_EQ(error(call(Method::delete_, own)), "404 Record not found");
    EXPECT_EQ(error(call(Method::delete_, foreign)), "404 Record not found");
    EXPECT_EQ(error(call(Method::delete_, used)), "422 Media attachment is currently used by a status");
    EXPECT_EQ(left.size(), 2u);
}

TEST(MediaRoutes, take_the_scope_and_the_limits_of_the_contract) {
    int found = 0;
    for (const auto* known : server::sorted_routes()) {
        if (!known->path.starts_with("/api/v1/media") && !known->path.starts_with("/api/v2/media")) continue;
        ++found;
        const auto& route = *known;
        EXPECT_EQ(route.scope, "write:media");
        EXPECT_EQ(route.auth, http::Auth::user);
        bool uploads = route.method == Method::post;
        EXPECT_EQ(route.throttle == http::Throttle::media, uploads);
        EXPECT_EQ(route.body_bytes > 103'809'024, uploads);
        bool pictures = route.method == Method::put || route.method == Method::patch;
        EXPECT_EQ(route.body_bytes > 16'777'216, uploads || pictures);
    }
    EXPECT_EQ(found, 6);
}

}  // namespace
}  // namespace media

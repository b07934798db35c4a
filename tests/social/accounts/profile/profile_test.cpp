// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;

struct Profile : OnEachWorld {
    Person alice = w.local("alice");
    Answer update(const Fields& fields) { return alice.patch("/api/v1/accounts/update_credentials", fields); }
};
ON_EACH_DATABASE(Profile);

TEST_P(Profile, keeps_what_is_not_given) {
    update({{"display_name", "Alice A."}, {"note", "hello"}, {"bot", "true"}});
    w.happened();
    auto answer = update({{"discoverable", "true"}});
    EXPECT_EQ(answer["display_name"], "Alice A.");
    EXPECT_EQ(answer["note"], "<p>hello</p>");
    EXPECT_EQ(answer["source.note"], "hello");
    EXPECT_EQ(answer["bot"], "true");
    EXPECT_EQ(answer["discoverable"], "true");
    EXPECT_EQ(w.happened(), "ProfileChanged");
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Profile, makes_html_of_note_and_fields_and_keeps_the_source) {
    auto answer = update(
        {{"note", "<b>&"},
         {"fields_attributes[0][name]", "web"},
         {"fields_attributes[0][value]", "https://a.example"},
         {"fields_attributes[1][name]", "x"},
         {"fields_attributes[1][value]", "<i>"}}
    );
    EXPECT_EQ(answer["note"], "<p>&lt;b&gt;&amp;</p>");
    EXPECT_EQ(answer["source.note"], "<b>&");
    EXPECT_THAT(answer["fields.0.value"], HasSubstr("<a href=\"https://a.example\""));
    EXPECT_EQ(answer["fields.1.value"], "&lt;i&gt;");
    EXPECT_EQ(answer["source.fields.1.value"], "<i>");
    EXPECT_EQ(update({{"fields_attributes", ""}}).status, 200);
}

TEST_P(Profile, counts_no_empty_rows_of_a_form) {
    Fields rows;
    for (auto name : {"a", "", "b", "c", "d", ""}) {
        rows.emplace_back("fields_attributes[][name]", name);
        rows.emplace_back("fields_attributes[][value]", *name ? "x" : " ");
    }
    auto answer = update(rows);
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer["fields.3.name"], "d");
    EXPECT_EQ(answer["fields.4"], "absent");
    rows[2].second = "e";
    EXPECT_EQ(update(rows).status, 422) << "five";
    auto nothing = alice.send(
        http::Method::patch,
        "/api/v1/accounts/update_credentials",
        R"({"fields_attributes":[{"name":null,"value":null}]})",
        "application/json"
    );
    EXPECT_EQ(nothing["fields"], "[]");
}

TEST_P(Profile, refuses_what_is_too_long_and_changes_nothing) {
    auto before = w.dump();
    for (const Fields& fields :
         {Fields{{"display_name", std::string(1000, 'a')}}, Fields{{"note", std::string(10'000, 'a')}}}) {
        auto answer = update(fields);
        EXPECT_EQ(answer.status, 422) << answer.body;
        EXPECT_THAT(answer.error(), HasSubstr("Validation failed: "));
        EXPECT_NE(answer["details"], "absent");
    }
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.dump(), before);
}

TEST_P(Profile, sets_posting_defaults) {
    auto answer = update(
        {{"source[privacy]", "unlisted"},
         {"source[sensitive]", "true"},
         {"source[language]", "de"},
         {"source[quote_policy]", "followers"}}
    );
    EXPECT_EQ(answer["source.privacy"], "unlisted");
    EXPECT_EQ(answer["source.sensitive"], "true");
    EXPECT_EQ(answer["source.language"], "de");
    EXPECT_EQ(answer["source.quote_policy"], "followers");
    auto preferences = alice.send(http::Method::get, "/api/v1/preferences", "", "");
    EXPECT_THAT(preferences.body, HasSubstr("\"posting:default:visibility\":\"unlisted\""));
    EXPECT_THAT(preferences.body, HasSubstr("\"posting:default:language\":\"de\""));
    EXPECT_EQ(update({{"source[privacy]", "nonsense"}}).status, 422);
    EXPECT_EQ(update({{"source[language]", "nonsense"}})["source.language"], "de");
    EXPECT_EQ(update({{"source[language]", ""}})["source.language"], "null");
    update({{"source[language]", "de"}});
    auto none = alice.send(
        http::Method::patch,
        "/api/v1/accounts/update_credentials",
        R"({"source":{"language":null,"privacy":null}})",
        "application/json"
    );
    EXPECT_EQ(none["source.language"], "null");
    EXPECT_EQ(none["source.privacy"], "unlisted");
}

TEST_P(Profile, shows_everywhere_at_once) {
    auto bob = w.local("bob");
    auto status = alice.status("hello");
    bob.get("/api/v1/statuses/" + status);
    update({{"display_name", "New name"}});
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["account.display_name"], "New name");
    EXPECT_EQ(bob.get("/api/v1/timelines/public")["0.account.display_name"], "New name");
}

TEST_P(Profile, tells_how_visible_posts_will_be_before_anything_was_chosen) {
    auto told = [&] { return alice.get("/api/v1/accounts/verify_credentials")["source.privacy"]; };
    auto visibility = [&] { return alice.get("/api/v1/statuses/" + alice.status("hello"))["visibility"]; };
    EXPECT_EQ(told(), "public");
    EXPECT_EQ(visibility(), "public");
    EXPECT_EQ(update({{"locked", "true"}})["source.privacy"], "private");
    EXPECT_EQ(told(), "private");
    EXPECT_EQ(visibility(), "private");
    EXPECT_EQ(update({{"source[privacy]", "public"}})["source.privacy"], "public");
    EXPECT_EQ(visibility(), "public");
    EXPECT_EQ(update({{"locked", "false"}, {"source[privacy]", "unlisted"}})["source.privacy"], "unlisted");
}

TEST_P(Profile, takes_pictures_as_data_uris) {
    EXPECT_TRUE(update({{"avatar", "data:image/png;base64,iVBORw0KGgo="}})["avatar"].ends_with(
        "/made/of/an/upload.png"
    ));
    auto json = alice.send(
        http::Method::patch,
        "/api/v1/accounts/update_credentials",
        R"({"header":"DATA:image/gif,GIF89a"})",
        "application/json"
    );
    EXPECT_TRUE(json["header"].ends_with("/made/of/an/upload.png")) << json.body;
    auto before = w.dump();
    auto broken = update({{"avatar", "data:image/png;base64,%%%"}, {"note", "new"}});
    EXPECT_EQ(broken.status, 422);
    EXPECT_EQ(broken.error(), "Validation failed: Avatar is invalid");
    EXPECT_EQ(update({{"avatar", "data:nothing"}}).status, 422);
    EXPECT_EQ(w.dump(), before);
}

TEST_P(Profile, takes_json_and_multipart_with_empty_pictures) {
    auto json = alice.send(
        http::Method::patch,
        "/api/v1/accounts/update_credentials",
        R"({"display_name":"J","fields_attributes":[{"name":"a","value":"b"}],"source":{"privacy":"private"}})",
        "application/json"
    );
    EXPECT_EQ(json["display_name"], "J");
    EXPECT_EQ(json["fields.0.name"], "a");
    EXPECT_EQ(json["source.privacy"], "private");
    auto multipart = alice.send(
        http::Method::patch,
        "/api/v1/accounts/update_credentials",
        "--X\r\nContent-Disposition: form-data; name=\"display_name\"\r\n\r\nM\r\n"
        "--X\r\nContent-Disposition: form-data; name=\"avatar\"\r\n\r\nundefined\r\n--X--\r\n",
        "multipart/form-data; boundary=X"
    );
    EXPECT_EQ(multipart["display_name"], "M");
}

}  // namespace

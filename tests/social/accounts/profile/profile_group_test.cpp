// SPDX-License-Identifier: AGPL-3.0-or-later
// The profile group, preferences, and what accounts that moved show.
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_give_pictures{
    "test_give_pictures",
    R"(UPDATE accounts SET avatar = 'media/aa/aa.png', avatar_static = 'media/aa/aa.png', header = 'media/bb/bb.png',
           header_static = 'media/bb/bb.png', version = version + 1 WHERE id = $1)"
};
const db::Command test_move_account{
    "test_move_account", "UPDATE accounts SET moved_to_id = $2, version = version + 1 WHERE id = $1"
};

namespace {

using testing::HasSubstr;

struct ProfileGroup : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
};
ON_EACH_DATABASE(ProfileGroup);

TEST_P(ProfileGroup, gives_back_what_was_written_beside_its_html) {
    auto answer = alice.patch(
        "/api/v1/profile",
        {{"display_name", "Alice"},
         {"note", "<b>hi</b> @bob"},
         {"fields_attributes[0][name]", "web"},
         {"fields_attributes[0][value]", "https://a.example"},
         {"show_media", "false"},
         {"show_featured", "0"},
         {"attribution_domains[]", "a.example"},
         {"avatar", ""}}
    );
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["note"], "<b>hi</b> @bob");
    EXPECT_THAT(answer["formatted_note"], HasSubstr("&lt;b&gt;hi"));
    EXPECT_EQ(answer["fields.0.value"], "https://a.example");
    EXPECT_THAT(answer["formatted_fields.0.value"], HasSubstr("<a href=\"https://a.example\""));
    EXPECT_EQ(answer["show_media"], "false");
    EXPECT_EQ(answer["show_media_replies"], "true");
    EXPECT_EQ(answer["show_featured"], "false");
    EXPECT_EQ(answer["attribution_domains"], R"(["a.example"])");
    EXPECT_EQ(answer["featured_tags"], "[]");
    EXPECT_EQ(answer["avatar"], "null");
    EXPECT_EQ(w.happened(), "ProfileChanged");
    EXPECT_EQ(alice.get("/api/v1/profile").body, answer.body);
    auto seen = bob.get("/api/v1/accounts/" + alice.id);
    EXPECT_EQ(seen["show_media"], "false");
    EXPECT_EQ(seen["show_featured"], "false");
    EXPECT_EQ(alice.put("/api/v1/profile", {{"locked", "true"}})["locked"], "true");
    EXPECT_EQ(alice.get("/api/v1/profile")["display_name"], "Alice");
    EXPECT_EQ(alice.put("/api/v1/profile", {{"locked", "false"}})["locked"], "false");
    EXPECT_EQ(w.happened(), "ProfileChanged, ProfileChanged, Unlocked");
}

TEST_P(ProfileGroup, takes_domains_as_people_paste_them_and_nothing_else) {
    auto with = [&](const std::string& domain) {
        return alice.patch("/api/v1/profile", {{"attribution_domains[]", domain}});
    };
    EXPECT_EQ(with(" https://A.example/")["attribution_domains"], R"(["a.example"])");
    EXPECT_EQ(with("*.b.example")["attribution_domains"], R"(["b.example"])");
    EXPECT_EQ(with("")["attribution_domains"], "[]");
    EXPECT_EQ(with("c.example")["attribution_domains"], R"(["c.example"])");
    for (const auto& wrong :
         {std::string("no domain"), std::string("a.example/path"), std::string(300, 'a') + ".example"}) {
        auto answer = with(wrong);
        EXPECT_EQ(answer.status, 422) << wrong;
        EXPECT_EQ(answer["details.attribution_domains.0.error"], "ERR_INVALID") << wrong;
    }
    EXPECT_EQ(alice.get("/api/v1/profile")["attribution_domains"], R"(["c.example"])");
}

TEST_P(ProfileGroup, says_what_is_wrong_with_each_field) {
    auto answer = alice.patch("/api/v1/profile", {{"display_name", std::string(41, 'a')}});
    EXPECT_EQ(answer.status, 422);
    EXPECT_EQ(answer["details.display_name.0.error"], "ERR_TOO_LONG");
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(ProfileGroup, opens_to_tokens_that_may_only_see_the_profile) {
    auto shy = w.with_scopes(alice, "profile");
    EXPECT_EQ(shy.get("/api/v1/profile").status, 200);
    EXPECT_EQ(shy.patch("/api/v1/profile", {{"note", "x"}}).status, 403);
}

TEST_P(ProfileGroup, removes_pictures_and_their_files) {
    w.write([&](db::Write& db) { db.run(test_give_pictures, base::AccountId{std::stoll(alice.id)}); });
    EXPECT_THAT(alice.get("/api/v1/profile")["avatar"], HasSubstr("/media/media/aa/aa.png"));
    EXPECT_THAT(alice.del("/api/v1/profile/avatar")["avatar"], HasSubstr("missing.png"));
    EXPECT_EQ(w.events().size(), 2u);
    EXPECT_EQ(w.changed(), "jobs +1");
    auto profile = alice.get("/api/v1/profile");
    EXPECT_EQ(profile["avatar"], "null");
    EXPECT_THAT(profile["header"], HasSubstr("bb.png"));
    EXPECT_THAT(alice.del("/api/v1/profile/header")["header"], HasSubstr("missing.png"));
    EXPECT_EQ(alice.del("/api/v1/profile/header").status, 200);
}

TEST_P(ProfileGroup, defaults_of_posting_are_the_preferences) {
    auto before = alice.get("/api/v1/preferences");
    EXPECT_EQ(before["posting:default:visibility"], "public");
    EXPECT_EQ(before["posting:default:sensitive"], "false");
    EXPECT_EQ(before["posting:default:language"], "en");
    EXPECT_EQ(before["posting:default:quote_policy"], "public");
    EXPECT_EQ(before["reading:expand:media"], "default");
    EXPECT_EQ(before["reading:expand:spoilers"], "false");
    EXPECT_EQ(before["reading:autoplay:gifs"], "false");
    alice.patch(
        "/api/v1/accounts/update_credentials",
        {{"source[privacy]", "unlisted"},
         {"source[sensitive]", "true"},
         {"source[language]", "de"},
         {"source[quote_policy]", "nobody"}}
    );
    auto after = alice.get("/api/v1/preferences");
    EXPECT_EQ(after["posting:default:visibility"], "unlisted");
    EXPECT_EQ(after["posting:default:sensitive"], "true");
    EXPECT_EQ(after["posting:default:language"], "de");
    EXPECT_EQ(after["posting:default:quote_policy"], "nobody");
    EXPECT_EQ(bob.get("/api/v1/preferences").body, before.body);
}

TEST_P(ProfileGroup, of_who_moved_shows_where_to_and_takes_no_followers) {
    auto carol = w.local("carol");
    w.write([&](db::Write& db) {
        db.run(test_move_account, base::AccountId{std::stoll(bob.id)}, base::AccountId{std::stoll(carol.id)});
    });
    auto seen = alice.get("/api/v1/accounts/" + bob.id);
    EXPECT_EQ(seen["moved.id"], carol.id);
    EXPECT_EQ(seen["moved.moved"], "absent");
    EXPECT_EQ(alice.post("/api/v1/accounts/" + bob.id + "/follow").status, 403);
    w.suspend(bob);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id)["moved"], "absent");
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/announcements/announcement.hpp"
#include "social/emojis/emoji.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using namespace announcements;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto list = "/api/v1/announcements";

struct Announcements : OnEachWorld {
    std::string announce(const std::string& text, Draft draft = {}) {
        draft.text = text;
        auto id = w.write([&](db::Write& db) { return create(db, draft); });
        return std::to_string(id.value);
    }
    void emoji(const std::string& name, std::optional<std::string> category = {}) {
        w.write([&](db::Write& db) {
            emojis::put(
                db, name, "emojis/ab/" + name + ".png", "emojis/ab/" + name + "_static.png", category
            );
        });
    }
    static std::string reaction(const std::string& id, const std::string& name) {
        return std::string(list) + "/" + id + "/reactions/" + name;
    }
    Person alice = w.local("alice"), bob = w.local("bob");
};
ON_EACH_DATABASE(Announcements);

constexpr auto heart = "%E2%9D%A4%EF%B8%8F", plain_heart = "%E2%9D%A4", thumb = "%F0%9F%91%8D";

TEST_P(Announcements, say_what_their_text_holds) {
    emoji("blobcat");
    auto status = alice.status("hello"), hidden = alice.status("hush", {{"visibility", "private"}});
    auto base = w.site().public_url;
    announce(
        "Hello @alice and @nobody, read " + base + "/@alice/" + status + " " + base + "/@alice/" + hidden +
        " #Down :blobcat: <b>"
    );
    auto got = bob.get(list);
    EXPECT_THAT(got["0.content"], HasSubstr("&lt;b&gt;"));
    EXPECT_THAT(got["0.content"], HasSubstr("class=\"u-url mention\""));
    EXPECT_EQ(got["0.mentions.0.id"], alice.id);
    EXPECT_EQ(got["0.mentions.0.acct"], "alice");
    EXPECT_EQ(got["0.mentions.1"], "absent");
    EXPECT_EQ(got["0.statuses.0.id"], status);
    EXPECT_EQ(got["0.statuses.1"], "absent");
    EXPECT_EQ(got["0.tags.0.name"], "down");
    EXPECT_EQ(got["0.emojis.0.shortcode"], "blobcat");
    EXPECT_EQ(got["0.read"], "false");
    EXPECT_EQ(got["0.published_at"], base::to_string(w.now()));
}

TEST_P(Announcements, are_shown_from_their_publication_until_they_end) {
    auto now = w.now();
    auto later = announce("later", {"", now.plus_seconds(600), {}, {}, false});
    auto ending = announce("ending", {"", {}, now, now.plus_seconds(300), true});
    auto always = announce("always");
    EXPECT_THAT(alice.get(list).ids(), ElementsAre(ending, always));
    EXPECT_EQ(alice.get(list)["0.all_day"], "true");
    EXPECT_EQ(alice.post("/api/v1/announcements/" + later + "/dismiss").status, 404);
    w.advance(300);
    EXPECT_THAT(alice.get(list).ids(), ElementsAre(always));
    EXPECT_EQ(alice.post("/api/v1/announcements/" + ending + "/dismiss").status, 404);
    EXPECT_EQ(alice.put(reaction(ending, heart)).status, 404);
    w.advance(300);
    EXPECT_THAT(alice.get(list).ids(), ElementsAre(always, later));
    w.write([&](db::Write& db) { remove(db, AnnouncementId{std::stoll(always)}); });
    EXPECT_THAT(alice.get(list).ids(), ElementsAre(later));
    EXPECT_THROW(announce(" \n"), base::Invalid);
    EXPECT_THROW(announce("x", {"", {}, {}, now, false}), base::Invalid);
}

TEST_P(Announcements, need_a_user_but_no_scope) {
    announce("hello");
    EXPECT_EQ(w.anonymous().get(list).status, 401);
    EXPECT_EQ(w.app().get(list).status, 422);
    EXPECT_EQ(w.unconfirmed("carol").get(list).status, 403);
    EXPECT_EQ(w.with_scopes(alice, "profile").get(list).status, 200);
    EXPECT_EQ(w.with_scopes(alice, "read").post(std::string(list) + "/1/dismiss").status, 403);
}

TEST_P(Announcements, that_were_dismissed_are_read_for_this_one_alone) {
    auto id = announce("hello");
    auto dismiss = std::string(list) + "/" + id + "/dismiss";
    EXPECT_EQ(alice.post(dismiss).body, "{}");
    EXPECT_EQ(alice.post(dismiss).status, 200);
    EXPECT_EQ(alice.get(list)["0.read"], "true");
    EXPECT_EQ(bob.get(list)["0.read"], "false");
    EXPECT_EQ(alice.post(std::string(list) + "/77/dismiss").error(), "Record not found");
    EXPECT_EQ(alice.post(std::string(list) + "/x/dismiss").status, 404);
}

TEST_P(Announcements, count_reactions_in_the_order_of_the_first) {
    emoji("blobcat");
    auto id = announce("hello");
    EXPECT_EQ(alice.put(reaction(id, heart)).body, "{}");
    EXPECT_EQ(bob.patch(reaction(id, heart)).status, 200);
    w.advance(1);
    EXPECT_EQ(bob.put(reaction(id, "blobcat")).status, 200);
    auto got = alice.get(list);
    EXPECT_EQ(got["0.reactions.0.name"], "\u2764\ufe0f");
    EXPECT_EQ(got["0.reactions.0.count"], "2");
    EXPECT_EQ(got["0.reactions.0.me"], "true");
    EXPECT_EQ(got["0.reactions.0.url"], "absent");
    EXPECT_EQ(got["0.reactions.1.name"], "blobcat");
    EXPECT_EQ(got["0.reactions.1.me"], "false");
    EXPECT_EQ(got["0.reactions.1.url"], w.site().media("emojis/ab/blobcat.png"));
    EXPECT_EQ(got["0.reactions.1.static_url"], w.site().media("emojis/ab/blobcat_static.png"));

    EXPECT_EQ(alice.del(reaction(id, heart)).body, "{}");
    EXPECT_EQ(bob.get(list)["0.reactions.0.count"], "1");
    EXPECT_EQ(alice.del(reaction(id, heart)).status, 404);
}

TEST_P(Announcements, take_each_known_emoji_once_and_few_kinds) {
    emoji("blobcat");
    auto id = announce("hello");
    EXPECT_EQ(alice.put(reaction(id, thumb)).status, 200);
    EXPECT_EQ(alice.put(reaction(id, thumb)).status, 422);
    EXPECT_EQ(alice.get(list)["0.reactions.0.count"], "1");
    for (auto unknown : {"blobdog", "x", "ab", "%F0%9F%91%8D%F0%9F%91%8D", "1", "%FF"}) {
        auto refused = alice.put(reaction(id, unknown));
        EXPECT_EQ(refused.status, 422) << unknown;
        EXPECT_EQ(refused.error(), "Validation failed: Name is not a recognized emoji") << unknown;
    }
    EXPECT_EQ(alice.put(reaction(id, plain_heart)).status, 200);
    for (auto face :
         {"%F0%9F%98%80", "%F0%9F%98%81", "%F0%9F%98%82", "%F0%9F%98%83", "%F0%9F%98%84", "blobcat"})
        EXPECT_EQ(alice.put(reaction(id, face)).status, 200) << face;
    EXPECT_EQ(
        bob.put(reaction(id, "%F0%9F%98%89")).error(),
        "Validation failed: Limit of different reactions reached"
    );
    EXPECT_EQ(bob.put(reaction(id, "blobcat")).status, 200);  // no new kind
    EXPECT_EQ(bob.put(reaction("77", thumb)).error(), "Record not found");
}

TEST_P(Announcements, cost_the_same_for_one_and_for_many) {
    emoji("blobcat");
    auto status = alice.status("hello");
    auto text = "@alice " + w.site().public_url + "/@alice/" + status + " #a :blobcat:";
    bob.put(reaction(announce(text), "blobcat"));
    bob.get(list);
    w.queries();
    bob.get(list);
    auto one = w.queries();
    for (int i = 0; i < 10; ++i) bob.put(reaction(announce(text + " @bob"), "blobcat"));
    bob.get(list);
    w.queries();
    EXPECT_EQ(bob.get(list).ids().size(), 11u);
    EXPECT_EQ(w.queries(), one);
}

TEST_P(Announcements, custom_emojis_tell_their_category_in_the_picker_only) {
    emoji("blobcat", "Blobs");
    emoji("plain");
    auto got = w.anonymous().get("/api/v1/custom_emojis");
    EXPECT_THAT(got.all("shortcode"), ElementsAre("blobcat", "plain"));
    EXPECT_EQ(got["0.category"], "Blobs");
    EXPECT_EQ(got["0.featured"], "false");
    EXPECT_EQ(got["1.category"], "absent");
    EXPECT_EQ(got["1.featured"], "absent");
    EXPECT_THAT(got.header("Cache-Control"), HasSubstr("max-age=300, public"));
    alice.status("see :blobcat:");
    auto shown = alice.get("/api/v1/accounts/" + alice.id + "/statuses");
    EXPECT_EQ(shown["0.emojis.0.shortcode"], "blobcat");
    EXPECT_EQ(shown["0.emojis.0.category"], "absent");
}

TEST_P(Announcements, are_a_page_for_everybody_where_that_was_chosen) {
    announce("for members");
    EXPECT_THAT(w.anonymous().get("/announcements").body, testing::Not(HasSubstr("for members")));
    EXPECT_THAT(w.anonymous().get("/about").body, testing::Not(HasSubstr("href=\"/announcements\"")));
    Draft draft;
    draft.open = true;
    draft.ends_at = w.now().plus_seconds(300);
    auto open = announce("for <all> #waders", draft);
    auto page = w.anonymous().get("/announcements");
    EXPECT_EQ(page.status, 200);
    EXPECT_THAT(page.body, HasSubstr("for &lt;all&gt;"));
    EXPECT_THAT(page.body, testing::Not(HasSubstr("for members")));
    EXPECT_THAT(w.anonymous().get("/about").body, HasSubstr("href=\"/announcements\""));
    EXPECT_THAT(w.anonymous().get("/announcements/" + open).body, HasSubstr("for &lt;all&gt;"));
    EXPECT_EQ(alice.get(list).ids().size(), 2u);
    EXPECT_EQ(w.anonymous().get(list).status, 401) << "the API is for who is signed in, as ever";
    w.advance(301);
    EXPECT_EQ(w.anonymous().get("/announcements/" + open).status, 404);
    EXPECT_THAT(w.anonymous().get("/announcements").body, testing::Not(HasSubstr("for &lt;all&gt;")));
}

}  // namespace

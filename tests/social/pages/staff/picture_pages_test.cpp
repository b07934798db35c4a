// SPDX-License-Identifier: AGPL-3.0-or-later
// The pages of the team about pictures that must not be here.
#include "base/crypto.hpp"
#include "social/media/hashes/quarantine.hpp"
#include "social/moderation/pictures/search.hpp"
#include "social/pages/staff/stage.hpp"

#include <regex>

namespace {

using namespace staff_test;

struct PicturePages : StaffStage {
    static bool went(const http::Response& answer, const std::string& to) {
        return header(answer, "Location") == to;
    }
    std::string way(const http::Response& page, const std::string& below) {
        std::smatch found;
        auto ok = std::regex_search(page.body, found, std::regex(pictures + below + "\\d+"));
        EXPECT_TRUE(ok) << page.body;
        return ok ? found.str() : "";
    }
    static std::int64_t pictures_on(const http::Response& page) {
        const std::regex picture("<img");
        return std::distance(
            std::sregex_iterator(page.body.begin(), page.body.end(), picture), std::sregex_iterator()
        );
    }
    void put_away(const std::string& file) {
        write([&](db::Write& db) {
            const auto list = media::hash_lists(db).at(0);
            media::put_into_quarantine(db, {file, sum, {file}}, {list, 7}, {bad_account, {}, {}});
        });
    }

    const std::string pictures = desk + "/pictures", sum = base::sha256_hex("a picture"),
                      look = std::string(64, 'a');
};
ON_EACH_DATABASE(PicturePages);

TEST_P(PicturePages, keep_lists_that_they_never_show) {
    auto who = member("mona", permission::manage_blocks);
    EXPECT_TRUE(has(who->get(desk), "href=\"" + pictures + "\""));
    const Fields facts{{"name", "Known"}, {"effect", "quarantine"}, {"distance", "31"}, {"kind", "sha256"}};
    auto with = [&](Fields fields, const std::string& entries) {
        fields.emplace_back("entries", entries);
        return fields;
    };
    auto refused = send(*who, pictures + "/lists", with(facts, "hash\nrubbish"));
    EXPECT_EQ(refused.status, 422);
    EXPECT_TRUE(has(refused, "Line 2")) << refused.body;
    EXPECT_TRUE(went(send(*who, pictures + "/lists", with(facts, sum)), pictures + "?done=added"));
    EXPECT_TRUE(has(who->get(pictures), "Entries: 1"));
    EXPECT_FALSE(has(who->get(pictures), sum));
    auto one = way(who->get(pictures), "/lists/");
    EXPECT_FALSE(has(who->get(one), sum));
    EXPECT_TRUE(
        went(send(*who, one + "/entries", {{"kind", "pdq"}, {"entries", look}}), pictures + "?done=added")
    );
    EXPECT_TRUE(has(who->get(pictures), "Entries: 2"));
    EXPECT_TRUE(went(
        send(*who, one, {{"name", "Other"}, {"effect", "refuse"}, {"distance", "12"}}),
        pictures + "?done=saved"
    ));
    EXPECT_TRUE(has(who->get(pictures), "Other") && has(who->get(pictures), "Distance: 12"));
    EXPECT_EQ(send(*who, one, {{"name", ""}, {"distance", "12"}}).status, 422);
    EXPECT_TRUE(went(send(*who, one + "/remove"), pictures + "?done=removed"));
    EXPECT_EQ(who->get(one).status, 404);
    EXPECT_TRUE(noted("create HashList") && noted("update HashList") && noted("destroy HashList"));
}

TEST_P(PicturePages, show_what_is_in_quarantine_without_the_picture) {
    auto who = member("mona", permission::manage_blocks);
    send(
        *who,
        pictures + "/lists",
        {{"name", "Known"}, {"distance", "31"}, {"kind", "sha256"}, {"entries", sum}}
    );
    std::string bytes;
    services.answers<media::ReadQuarantined>([&](const auto&) { return bytes; });
    put_away("media/ab/ab1.png");
    auto page = who->get(pictures);
    EXPECT_TRUE(has(page, "Account: bad")) << page.body;
    EXPECT_EQ(pictures_on(page), 1) << "the sign of the site";
    auto one = way(page, "/quarantine/");
    auto shown = who->get(one);
    EXPECT_TRUE(has(shown, "Distance") && has(shown, one + "/picture")) << shown.body;
    EXPECT_EQ(pictures_on(shown), 1);
    EXPECT_FALSE(has(shown, "<script"));
    EXPECT_EQ(send(*who, one + "/picture").status, 404) << "the file is gone";
    EXPECT_FALSE(noted("view QuarantinedPicture"));
    bytes = "a picture";
    EXPECT_EQ(send(*who, one + "/picture").body, bytes);
    EXPECT_TRUE(noted("view QuarantinedPicture"));
    EXPECT_TRUE(went(send(*who, one + "/release"), pictures + "?done=undone"));
    EXPECT_TRUE(noted("release QuarantinedPicture"));
    EXPECT_EQ(who->get(one).status, 404);
    put_away("media/cd/cd1.png");
    one = way(who->get(pictures), "/quarantine/");
    EXPECT_TRUE(went(send(*who, one + "/destroy"), pictures + "?done=removed"));
    EXPECT_TRUE(noted("destroy QuarantinedPicture"));
    auto other = member("mod", permission::manage_reports);
    EXPECT_EQ(other->get(one).status, 403);
    EXPECT_EQ(send(*other, one + "/picture").status, 403);
}

TEST_P(PicturePages, remove_a_picture_everywhere) {
    auto who = member("mona", permission::manage_blocks);
    EXPECT_EQ(send(*who, pictures + "/remove", {{"hash", "rubbish"}, {"distance", "31"}}).status, 422);
    EXPECT_TRUE(went(
        send(
            *who,
            pictures + "/remove",
            {{"hash", look}, {"kind", "pdq"}, {"distance", "31"}, {"dry_run", "1"}}
        ),
        pictures + "?done=saved"
    ));
    EXPECT_TRUE(has(who->get(pictures), "Is looked for"));
    EXPECT_FALSE(noted("purge PictureSearch"));
    EXPECT_TRUE(went(
        send(*who, pictures + "/remove", {{"hash", look}, {"kind", "pdq"}, {"distance", "31"}}),
        pictures + "?done=removed"
    ));
    EXPECT_TRUE(noted("purge PictureSearch"));
    EXPECT_TRUE(has(who->get(pictures), "Removed pictures"));
    const auto all = read([](db::Read& db) { return moderation::picture_removals(db, {}); });
    EXPECT_EQ(all.size(), 2u);
}

}  // namespace

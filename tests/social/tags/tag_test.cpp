// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/tag.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

struct Tags : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    static constexpr std::int64_t day = 86'400;

    // "accounts/uses" of each of the seven days, newest first.
    std::string history(const Person& who, const std::string& name) {
        auto found = who.get("/api/v2/search", {{"q", "#" + name}, {"type", "hashtags"}});
        std::string out;
        for (int i = 0; i < 7; ++i) {
            auto at = "hashtags.0.history." + std::to_string(i);
            out += found[at + ".accounts"] + "/" + found[at + ".uses"] + " ";
        }
        return out;
    }
};
ON_EACH_DATABASE(Tags);

TEST_P(Tags, tell_how_many_accounts_used_them_on_each_of_seven_days) {
    alice.status("#water and #water again");
    alice.status("more #Water");
    bob.status("#water");
    EXPECT_EQ(history(alice, "water"), "2/3 0/0 0/0 0/0 0/0 0/0 0/0 ");
    w.advance(2 * day);
    bob.status("#water");
    EXPECT_EQ(history(alice, "water"), "1/1 0/0 2/3 0/0 0/0 0/0 0/0 ");
    w.advance(5 * day);
    EXPECT_EQ(history(w.anonymous(), "water"), "0/0 0/0 0/0 0/0 0/0 1/1 0/0 ");
}

TEST_P(Tags, forget_uses_that_nobody_is_told_of_any_more) {
    alice.status("#water");
    w.advance(8 * day);
    bob.status("#water");
    w.changed();
    w.write(tags::purge_uses);
    EXPECT_EQ(w.changed(), "");
    w.advance(7 * day);
    w.write(tags::purge_uses);
    EXPECT_EQ(w.changed(), "tag_uses -1");
}

TEST_P(Tags, count_public_uses_only) {
    for (auto visibility : {"unlisted", "private", "direct"})
        alice.status("#quiet", {{"visibility", visibility}});
    w.silence(bob);
    bob.status("#quiet");
    EXPECT_EQ(history(alice, "quiet"), "0/0 0/0 0/0 0/0 0/0 0/0 0/0 ");
    alice.status("#quiet");
    EXPECT_EQ(history(alice, "quiet"), "1/1 0/0 0/0 0/0 0/0 0/0 0/0 ");
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Whom a post of another server names: by an id, by the address of a page, or by name.
#include "base/json.hpp"
#include "social/federation/elsewhere.hpp"
#include "social/federation/peer.hpp"
#include "social/statuses/remote/remote.hpp"

namespace {

struct FarMentions : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known(), carol = Peer(w, "carol", "third.example");
    int posts = 0;

    // Who is named by the API in a post for alice that has these, besides her.
    std::vector<std::string> named(
        const std::string& href, const std::string& name, const std::string& to = ""
    ) {
        const auto number = std::to_string(++posts);
        const auto tag = R"(,"tag":[{"type":"Mention")" + (href.empty() ? "" : R"(,"href":")" + href + "\"") +
                         R"(,"name":")" + name + R"("}])";
        const auto to_alice = to.empty() ? "\"" + uri_of(w, alice) + "\"" : to;
        EXPECT_EQ(
            bob.brings(bob.create(bob.note(number, "hey " + number, tag, to_alice), number)).status, 202
        );
        w.run_inbox();
        const auto found =
            w.read([&](db::Read& db) { return statuses::find_by_uri(db, bob.note_id(number)); });
        if (!found) return {"not kept"};
        const auto shown = alice.get("/api/v1/statuses/" + std::to_string(found->value));
        std::vector<std::string> out;
        for (int i = 0; shown["mentions." + std::to_string(i) + ".acct"] != "absent"; ++i)
            out.push_back(shown["mentions." + std::to_string(i) + ".acct"]);
        return out;
    }
};
ON_EACH_DATABASE(FarMentions);

using Names = std::vector<std::string>;

TEST_P(FarMentions, by_name_are_of_people_here) {
    const auto followers = "\"" + bob.uri + "/followers\"";
    const auto here = w.site().domain;
    EXPECT_EQ(named("", "@alice@" + here, followers), Names{"alice"});
    EXPECT_EQ(alice.get("/api/v1/notifications").all("type"), Names{"mention"});
    EXPECT_EQ(named("https://" + here + "/@somewhere/else", "@alice"), Names{"alice"});
    EXPECT_EQ(named("", "@alice"), Names{});
    EXPECT_EQ(named("", "@nobody@" + here), Names{});
}

TEST_P(FarMentions, by_the_address_of_a_page_make_us_ask_once) {
    const std::string page = "https://third.example/@carol";
    const auto document = internet().pages.at(carol.uri);
    internet().pages[page] = document;
    for (const std::string name : {"@carol@third.example", "@carol"}) {
        EXPECT_EQ(named(page, name), Names{"carol@third.example"}) << name;
        EXPECT_EQ(elsewhere::asked(page), 1) << name;
    }
}

TEST_P(FarMentions, by_name_are_of_nobody_on_another_server_than_the_address) {
    carol.known();
    EXPECT_EQ(named("https://fourth.example/@carol", "@carol@third.example"), Names{});
    EXPECT_EQ(named("", "@carol@third.example"), Names{});
    EXPECT_EQ(named(carol.uri, "@alice@" + w.site().domain), Names{"carol@third.example"});
}

}  // namespace

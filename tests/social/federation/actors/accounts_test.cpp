// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/remote.hpp"

#include "social/instance/domain_block.hpp"

struct RemoteAccounts : OnEachWorld {};
ON_EACH_DATABASE(RemoteAccounts);

using remote::text;

TEST_P(RemoteAccounts, are_shown_under_their_own_names_and_addresses) {
    auto alice = w.local("alice");
    auto told = remote::account("bob");
    told.note = "<p>hi :wave:</p><script>alert(1)</script>";
    told.fields = {{"site", "<a href=\"javascript:x\">x</a>"}};
    told.avatar = "https://files.far.example/bob.png";
    told.followers_count = 7;
    told.emojis = {{"wave", "https://far.example/wave.png", {}}};
    auto bob = remote::stored(w, told);
    auto shown = alice.get("/api/v1/accounts/" + text(bob));
    EXPECT_EQ(shown["acct"], "bob@far.example");
    EXPECT_EQ(shown["url"], "https://far.example/@bob");
    EXPECT_EQ(shown["uri"], "https://far.example/users/bob");
    EXPECT_EQ(shown["display_name"], "The bob");
    EXPECT_EQ(shown["note"], "<p>hi :wave:</p>");
    EXPECT_EQ(shown["fields.0.value"].find("javascript"), std::string::npos);
    EXPECT_EQ(shown["followers_count"], "7");
    EXPECT_EQ(shown["created_at"], "2017-07-14T00:00:00.000Z");
    EXPECT_EQ(shown["emojis.0.shortcode"], "wave");
    EXPECT_TRUE(shown["avatar"].starts_with("http://localhost:3000/proxy/avatars/")) << shown["avatar"];
    EXPECT_TRUE(shown["emojis.0.url"].starts_with("http://localhost:3000/proxy/emojis/"));
}

TEST_P(RemoteAccounts, are_stored_once_however_often_they_are_told) {
    auto bob = remote::account("bob");
    auto id = remote::stored(w, bob);
    w.changed();
    bob.display_name = "Robert";
    EXPECT_EQ(remote::stored(w, bob), id);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(
        w.local("alice").get("/api/v1/accounts/lookup", {{"acct", "bob@far.example"}})["display_name"],
        "Robert"
    );
}

TEST_P(RemoteAccounts, attack_28_that_come_to_own_a_handle_take_it_over_and_inherit_nothing) {
    auto first = remote::account("bob");
    auto old = remote::stored(w, first);
    auto alice = w.local("alice");
    remote::follows(w, alice, old);
    auto second = remote::account("Bob");
    second.uri = "https://far.example/users/other";
    auto id = remote::stored(w, second);
    EXPECT_NE(id, old);
    EXPECT_EQ(alice.get("/api/v1/accounts/lookup", {{"acct", "bob@far.example"}}).id(), text(id));
    EXPECT_EQ(alice.get("/api/v1/accounts/relationships", {{"id[]", text(id)}})["0.following"], "false");
    auto before = alice.get("/api/v1/accounts/" + text(old));
    EXPECT_EQ(before["uri"], first.uri);
    EXPECT_EQ(before["acct"], text(old) + "-@far.example");
}

TEST_P(RemoteAccounts, attack_20_never_stand_for_somebody_of_this_site) {
    w.local("alice");
    w.changed();
    auto pretender = remote::account("alice", "localhost");
    EXPECT_THROW(remote::stored(w, pretender), base::Invalid);
    pretender = remote::account("alice");
    pretender.domain = "";
    EXPECT_THROW(remote::stored(w, pretender), base::Invalid);
    pretender.domain = "far.example";
    pretender.uri = "http://localhost:3000/ap/users/1";
    EXPECT_THROW(remote::stored(w, pretender), base::Invalid);
    for (auto name : {"", "a b", "-x", "x-", "a@b", "<b>"}) {
        auto odd = remote::account(name);
        EXPECT_THROW(remote::stored(w, odd), base::Invalid) << name;
    }
    EXPECT_EQ(w.changed(), "");
}

TEST_P(RemoteAccounts, attack_64_have_bounded_profiles) {
    auto huge = remote::account("bob");
    huge.display_name = std::string(1'000'000, 'n');
    huge.note = std::string(1'000'000, 'x');
    huge.fields.assign(1000, {std::string(100'000, 'f'), std::string(100'000, 'v')});
    huge.attribution_domains.assign(1000, "a.example");
    huge.emojis.assign(1000, {"same", "https://far.example/e.png", {}});
    huge.followers_count = -5;
    auto shown = w.local("alice").get("/api/v1/accounts/" + text(remote::stored(w, huge)));
    EXPECT_EQ(shown["display_name"].size(), 2048u);
    EXPECT_LE(shown["note"].size(), 20'100u);
    EXPECT_EQ(shown.status, 200);
    EXPECT_EQ(shown["fields.49.name"].size(), 2047u);
    EXPECT_EQ(shown["fields.50.name"], "absent");
    EXPECT_EQ(shown["followers_count"], "0");
}

TEST_P(RemoteAccounts, are_suspended_and_let_free_by_their_own_server_but_not_by_it_when_ours_did) {
    auto bob = remote::account("bob");
    auto id = remote::stored(w, bob);
    auto alice = w.local("alice");
    auto suspended = [&] { return alice.get("/api/v1/accounts/" + text(id))["suspended"]; };
    bob.suspended = true;
    remote::stored(w, bob);
    EXPECT_EQ(suspended(), "true");
    bob.suspended = false;
    remote::stored(w, bob);
    EXPECT_EQ(suspended(), "absent");
    Person shadow;
    shadow.id = text(id);
    w.suspend(shadow);
    remote::stored(w, bob);
    EXPECT_EQ(suspended(), "true");
}

TEST_P(RemoteAccounts, of_suspended_domains_are_not_stored_and_those_of_limited_ones_are_limited) {
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"bad.example", instance::Severity::suspend});
        instance::put_domain_block(db, {"loud.example", instance::Severity::silence});
    });
    w.changed();
    EXPECT_THROW(remote::somebody(w, "eve", "sub.bad.example"), base::Forbidden);
    EXPECT_EQ(w.changed(), "");
    auto loud = remote::somebody(w, "len", "loud.example");
    EXPECT_EQ(w.local("alice").get("/api/v1/accounts/" + text(loud))["limited"], "true");
}

TEST_P(RemoteAccounts, that_are_gone_leave_nothing_behind_but_an_empty_record) {
    auto alice = w.local("alice");
    auto bob = remote::somebody(w, "bob");
    remote::follows(w, alice, bob);
    auto note = remote::note(w, bob, "1");
    note.mentions = {{remote::number(alice)}};
    auto id = remote::stored(w, note);
    auto own = alice.status("mine");
    w.write([&](db::Write& db) { statuses::favourite(db, bob, remote::status(own), ""); });
    w.run_jobs();
    ASSERT_EQ(alice.get("/api/v1/notifications").all("type").size(), 2u);
    w.write([&](db::Write& db) { accounts::delete_remote(db, bob); });
    EXPECT_EQ(alice.get("/api/v1/accounts/" + text(bob))["suspended"], "true");
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/statuses/" + id).status, 404);
    EXPECT_EQ(alice.get("/api/v1/notifications").all("type").size(), 0u);
    Fields also_gone{{"id[]", text(bob)}, {"with_suspended", "true"}};
    EXPECT_EQ(alice.get("/api/v1/accounts/relationships", also_gone)["0.following"], "false");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + own)["favourites_count"], "0");
    EXPECT_EQ(alice.home(), std::vector<std::string>{own});
    EXPECT_EQ(remote::stored(w, note), "");
}

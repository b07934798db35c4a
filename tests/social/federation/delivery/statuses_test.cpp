// SPDX-License-Identifier: AGPL-3.0-or-later
#include "internet.hpp"
#include "social/federation/remote.hpp"

struct RemoteStatuses : OnEachWorld {
    Person alice = w.local("alice");
    base::AccountId bob = remote::somebody(w, "bob");

    Answer shown(const std::string& id) { return alice.get("/api/v1/statuses/" + id); }
    void edited(const statuses::RemoteStatus& s) {
        w.write([&](db::Write& db) { statuses::edit_remote(db, s); });
    }
};
ON_EACH_DATABASE(RemoteStatuses);

TEST_P(RemoteStatuses, reach_home_notifications_and_search_as_those_of_this_site_do) {
    remote::follows(w, alice, bob);
    auto note = remote::note(w, bob, "1", "<p>hello <b onclick=x>@alice</b> #Tea :wave:</p>");
    note.mentions = {{remote::number(alice)}};
    note.tags = {"#Tea"};
    note.emojis = {{"wave", "https://far.example/wave.png", {}}};
    note.language = "de";
    note.spoiler_text = "careful";
    note.media = {{"https://far.example/a.jpg", "", "image/jpeg", "a cat", "", 1600, 1200, {}, {}, {}}};
    w.mails();
    auto id = remote::stored(w, note);
    EXPECT_EQ(w.happened(), "Published");
    w.run_jobs();
    EXPECT_EQ(alice.home(), std::vector{id});
    EXPECT_EQ(alice.get("/api/v1/notifications").all("type"), std::vector<std::string>{"mention"});
    EXPECT_TRUE(w.mails().empty());
    auto s = shown(id);
    EXPECT_EQ(s["account.acct"], "bob@far.example");
    EXPECT_EQ(s["content"], "<p>hello <b>@alice</b> #Tea :wave:</p>");
    EXPECT_EQ(s["uri"], note.uri);
    EXPECT_EQ(s["url"], note.url);
    EXPECT_EQ(s["language"], "de");
    EXPECT_EQ(s["spoiler_text"], "careful");
    EXPECT_EQ(s["mentions.0.acct"], "alice");
    EXPECT_EQ(s["tags.0.name"], "tea");
    EXPECT_EQ(s["emojis.0.shortcode"], "wave");
    EXPECT_EQ(s["media_attachments.0.type"], "image");
    EXPECT_EQ(s["media_attachments.0.remote_url"], "https://far.example/a.jpg");
    EXPECT_TRUE(s["media_attachments.0.url"].starts_with("http://localhost:3000/proxy/media/"));
    EXPECT_EQ(s["media_attachments.0.description"], "a cat");
    EXPECT_EQ(s["media_attachments.0.meta.small.size"], "554x416");
}

TEST_P(RemoteStatuses, are_the_same_however_often_they_come) {
    auto note = remote::note(w, bob, "1");
    auto id = remote::stored(w, note);
    w.changed();
    w.happened();
    EXPECT_EQ(remote::stored(w, note), id);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(w.happened(), "");
}

TEST_P(RemoteStatuses, belong_to_whom_they_were_first_told_of) {
    auto note = remote::note(w, bob, "1");
    auto id = remote::stored(w, note);
    auto mallory = remote::somebody(w, "mallory");
    w.changed();
    w.happened();
    auto forged = remote::note(w, mallory, "1", "<p>forged</p>");
    forged.updated = w.now().plus_seconds(60);
    EXPECT_EQ(remote::stored(w, forged), "");
    edited(forged);
    w.write([&](db::Write& db) { statuses::remove_remote(db, mallory, note.uri); });
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(shown(id)["content"], "<p>hello</p>");
}

TEST_P(RemoteStatuses, attack_20_of_this_site_are_never_stored) {
    auto note = remote::note(w, bob, "1");
    note.uri = "http://localhost:3000/ap/users/1/statuses/2";
    w.changed();
    EXPECT_THROW(remote::stored(w, note), base::Invalid);
    note.uri = "javascript:alert(1)";
    EXPECT_THROW(remote::stored(w, note), base::Invalid);
    EXPECT_EQ(w.changed(), "");
}

TEST_P(RemoteStatuses, attack_26_do_not_come_after_their_end) {
    auto note = remote::note(w, bob, "1");
    w.write([&](db::Write& db) { statuses::remove_remote(db, bob, note.uri); });
    EXPECT_EQ(remote::stored(w, note), "");
    w.advance(7 * 3600);
    w.write(statuses::purge_tombstones);
    auto id = remote::stored(w, note);
    EXPECT_NE(id, "");
    w.write([&](db::Write& db) { statuses::remove_remote(db, bob, note.uri); });
    EXPECT_EQ(shown(id).status, 404);
    w.advance(7 * 3600);
    w.write(statuses::purge_tombstones);
    EXPECT_EQ(remote::stored(w, note), "");
}

TEST_P(RemoteStatuses, of_long_ago_stand_where_their_date_puts_them_and_tell_nobody) {
    remote::follows(w, alice, bob);
    w.advance(30 * 86'400);
    auto recent = remote::stored(w, remote::note(w, bob, "new"));
    auto note = remote::note(w, bob, "old");
    note.delivered = false;
    note.published = w.now().plus_seconds(-10 * 86'400);
    note.mentions = {{remote::number(alice)}};
    w.happened();
    auto old = remote::stored(w, note);
    EXPECT_EQ(w.happened(), "Backfilled");
    w.run_jobs();
    EXPECT_EQ(alice.home(), (std::vector{recent, old}));
    EXPECT_EQ(alice.get("/api/v1/notifications").ids().size(), 0u);
    EXPECT_EQ(shown(old)["created_at"], base::to_string(*note.published));
}

TEST_P(RemoteStatuses, of_the_future_are_of_now) {
    auto note = remote::note(w, bob, "1");
    note.published = w.now().plus_seconds(86'400 * 365);
    EXPECT_EQ(shown(remote::stored(w, note))["created_at"], base::to_string(w.now()));
}

TEST_P(RemoteStatuses, that_answer_something_unknown_wait_for_it_out_of_sight) {
    remote::follows(w, alice, bob);
    auto parent = remote::note(w, remote::somebody(w, "carol"), "parent");
    auto answer = remote::note(w, bob, "answer");
    answer.in_reply_to = parent.uri;
    auto id = remote::stored(w, answer);
    EXPECT_TRUE(alice.home().empty());
    EXPECT_EQ(shown(id)["in_reply_to_id"], "null");
    EXPECT_EQ(shown(id)["in_reply_to_account_id"], "null");
    auto above = remote::stored(w, parent);
    EXPECT_EQ(shown(id)["in_reply_to_id"], above);
    EXPECT_EQ(shown(above)["replies_count"], "1");
    auto context = alice.get("/api/v1/statuses/" + above + "/context");
    EXPECT_EQ(context["descendants.0.id"], id);
}

TEST_P(RemoteStatuses, that_are_private_reach_only_whom_they_are_for) {
    auto carol = w.local("carol");
    remote::follows(w, alice, bob);  // what strangers write to alone waits among the requests
    auto note = remote::note(w, bob, "1");
    note.visibility = statuses::Visibility::direct;
    note.mentions = {{remote::number(alice)}};
    auto id = remote::stored(w, note);
    w.run_jobs();
    EXPECT_EQ(shown(id)["visibility"], "direct");
    EXPECT_EQ(carol.get("/api/v1/statuses/" + id).status, 404);
    EXPECT_EQ(alice.get("/api/v1/conversations")["0.last_status.id"], id);
    auto silent = remote::note(w, bob, "2");
    silent.visibility = statuses::Visibility::limited;
    silent.mentions = {{remote::number(carol), true}};
    auto second = remote::stored(w, silent);
    EXPECT_EQ(carol.get("/api/v1/statuses/" + second)["visibility"], "private");
    EXPECT_EQ(carol.get("/api/v1/notifications").ids().size(), 0u);
    EXPECT_EQ(shown(second).status, 404);
}

TEST_P(RemoteStatuses, are_edited_with_history_by_newer_words_only) {
    auto note = remote::note(w, bob, "1");
    auto id = remote::stored(w, note);
    w.happened();
    w.advance(60);
    note.html = statuses::RemoteHtml("<p>second @alice</p>");
    note.mentions = {{remote::number(alice)}};
    edited(note);  // without a date it is no edit
    EXPECT_EQ(shown(id)["content"], "<p>hello</p>");
    note.updated = w.now();
    edited(note);
    EXPECT_EQ(w.happened(), "Edited");
    EXPECT_EQ(shown(id)["content"], "<p>second @alice</p>");
    EXPECT_EQ(shown(id)["edited_at"], base::to_string(w.now()));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + id + "/history").all("content").size(), 2u);
    EXPECT_EQ(alice.get("/api/v1/notifications").all("type"), std::vector<std::string>{"mention"});
    note.html = statuses::RemoteHtml("<p>late</p>");
    note.updated = w.now().plus_seconds(-30);
    edited(note);
    edited(note);
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(shown(id)["content"], "<p>second @alice</p>");
}

TEST_P(RemoteStatuses, are_edited_within_the_second_they_are_of) {
    auto note = remote::note(w, bob, "1");
    note.published = base::Time{w.now().ms / 1000 * 1000};
    auto id = remote::stored(w, note);
    w.happened();
    note.updated = note.published;
    edited(note);
    EXPECT_EQ(w.happened(), "");
    for (const auto* text : {"<p>second</p>", "<p>third</p>"}) {
        note.html = statuses::RemoteHtml(text);
        edited(note);
        EXPECT_EQ(w.happened(), "Edited");
        EXPECT_EQ(shown(id)["content"], text);
        edited(note);
        EXPECT_EQ(w.happened(), "");
    }
    EXPECT_EQ(alice.get("/api/v1/statuses/" + id + "/history").all("content").size(), 3u);
    // Who tells milliseconds is taken at their word.
    note.html = statuses::RemoteHtml("<p>fourth</p>");
    note.updated = base::Time{note.published->ms + 700};
    w.advance(2);
    edited(note);
    note.html = statuses::RemoteHtml("<p>late</p>");
    note.updated = base::Time{note.published->ms + 500};
    edited(note);
    EXPECT_EQ(shown(id)["content"], "<p>fourth</p>");
}

TEST_P(RemoteStatuses, with_polls_count_as_their_server_says) {
    auto note = remote::note(w, bob, "1");
    note.poll = statuses::RemotePoll{};
    note.poll->options = {{"yes", 3}, {"no", 1}, {"no", 9}};
    note.poll->voters_count = 4;
    note.poll->expires_at = w.now().plus_seconds(3600);
    auto id = remote::stored(w, note);
    EXPECT_EQ(shown(id)["poll.votes_count"], "4");
    EXPECT_EQ(shown(id)["poll.options.1.title"], "no");
    EXPECT_EQ(shown(id)["poll.options.2.title"], "absent");
    w.happened();
    note.poll->options = {{"yes", 5}, {"no", 2}};
    note.poll->voters_count = 7;
    edited(note);
    EXPECT_EQ(shown(id)["poll.voters_count"], "7");
    EXPECT_EQ(shown(id)["poll.options.0.votes_count"], "5");
    EXPECT_EQ(w.happened(), "");
}

TEST_P(RemoteStatuses, take_nothing_from_an_edit_of_before) {
    auto note = remote::note(w, bob, "1");
    note.poll = statuses::RemotePoll{};
    note.poll->options = {{"yes", 1}, {"no", 0}};
    auto id = remote::stored(w, note);
    auto told = [&](int favourites, int votes) {
        note.favourites_count = favourites;
        note.poll->options[0].votes_count = votes;
        edited(note);
        return shown(id)["favourites_count"] + " " + shown(id)["poll.options.0.votes_count"];
    };
    w.advance(60);
    note.html = statuses::RemoteHtml("<p>again</p>");
    note.updated = base::Time{w.now().ms / 1000 * 1000 + 500};
    w.advance(60);
    EXPECT_EQ(told(5, 7), "5 7");
    const auto last = *note.updated;
    note.updated = last.plus_seconds(-1);
    EXPECT_EQ(told(1, 2), "5 7");
    // What its server counts later has the time of the last edit, in whole seconds with some, or none.
    note.updated = base::Time{last.ms / 1000 * 1000};
    EXPECT_EQ(told(6, 8), "6 8");
    note.updated.reset();
    EXPECT_EQ(told(7, 9), "7 9");
}

TEST_P(RemoteStatuses, with_polls_that_were_not_asked_for_lately_take_votes) {
    auto note = remote::note(w, bob, "1");
    note.poll = statuses::RemotePoll{};
    note.poll->options = {{"yes", 0}, {"no", 0}};
    auto id = remote::stored(w, note);
    w.advance(600);
    auto voted = alice.post("/api/v1/polls/" + id + "/votes", {{"choices[]", "1"}});
    EXPECT_EQ(voted.status, 200) << voted.error();
    EXPECT_EQ(voted["own_votes.0"], "1");
    EXPECT_EQ(voted["options.1.votes_count"], "1");
}

TEST_P(RemoteStatuses, learn_from_copies_how_large_their_pictures_are) {
    auto note = remote::note(w, bob, "1");
    note.media = {
        {"https://far.example/a.webp", "", "image/webp"}, {"https://far.example/b.webp", "", "image/webp"}
    };
    note.media[1].width = 20, note.media[1].height = 10,
    note.media[1].blurhash = "L00000fQfQfQfQfQfQfQfQfQfQfQ";
    auto id = remote::stored(w, note);
    EXPECT_EQ(shown(id)["media_attachments.0.meta"], "null");
    media::Stored picture;
    picture.file = "media/ab/ab12.webp", picture.preview = "media/ab/ab12_small.webp";
    picture.width = 1600, picture.height = 1200, picture.preview_width = 554, picture.preview_height = 416;
    picture.blurhash = "UEHLh[WB2yk8pyoJadR*.7kCMdnjS#M|%1%2";
    for (const auto& file : note.media) internet().pictures[file.url] = picture;
    for (const char* at : {"0", "1"}) {
        auto url = shown(id)["media_attachments." + std::string(at) + ".url"];
        EXPECT_EQ(w.anonymous().get(url.substr(std::string("http://localhost:3000").size())).status, 302);
    }
    auto now = shown(id);
    EXPECT_EQ(now["media_attachments.0.meta.original.size"], "1600x1200");
    EXPECT_EQ(now["media_attachments.0.meta.small.size"], "554x416");
    EXPECT_EQ(now["media_attachments.0.blurhash"], picture.blurhash);
    // What its own server says counts.
    EXPECT_EQ(now["media_attachments.1.meta.original.size"], "20x10");
    EXPECT_EQ(now["media_attachments.1.blurhash"], note.media[1].blurhash);
    // The same file in another post.
    auto again = remote::note(w, bob, "2");
    again.media = {note.media[0]};
    auto second = shown(remote::stored(w, again));
    EXPECT_EQ(second["media_attachments.0.meta.original.size"], "1600x1200");
    EXPECT_EQ(second["media_attachments.0.blurhash"], picture.blurhash);
}

TEST_P(RemoteStatuses, that_quote_wait_for_authorization_unless_they_quote_themselves) {
    auto first = remote::note(w, bob, "1");
    auto id = remote::stored(w, first);
    auto own = remote::note(w, bob, "2");
    own.quote = statuses::RemoteQuote{first.uri, "", true};
    EXPECT_EQ(shown(remote::stored(w, own))["quote.state"], "accepted");
    auto carol = remote::somebody(w, "carol");
    auto other = remote::note(w, carol, "3");
    other.quote = statuses::RemoteQuote{first.uri, "", false};
    auto third = remote::stored(w, other);
    EXPECT_EQ(shown(third)["quote.state"], "pending");
    EXPECT_EQ(shown(id)["quotes_count"], "1");
    w.write([&](db::Write& db) { statuses::settle_quote(db, remote::status(third), true); });
    EXPECT_EQ(shown(third)["quote.state"], "accepted");
    auto legacy = remote::note(w, carol, "4");
    legacy.quote = statuses::RemoteQuote{first.uri, "", true};
    EXPECT_EQ(shown(remote::stored(w, legacy))["quote"], "null");
}

TEST_P(RemoteStatuses, are_boosted_once_by_each) {
    auto id = remote::stored(w, remote::note(w, bob, "1"));
    auto carol = remote::somebody(w, "carol");
    remote::follows(w, alice, carol);
    auto boost = [&](const std::string& uri) {
        return w.write([&](db::Write& db) {
            return statuses::reblog_remote(
                db,
                {"https://far.example/" + uri,
                 carol,
                 remote::status(id),
                 {},
                 statuses::Visibility::public_,
                 true}
            );
        });
    };
    auto made = boost("boost");
    ASSERT_TRUE(made && made->created);
    EXPECT_EQ(boost("boost")->id, made->id);
    EXPECT_EQ(boost("again")->id, made->id);
    EXPECT_EQ(shown(id)["reblogs_count"], "1");
    EXPECT_EQ(alice.home(), std::vector{std::to_string(made->id.value)});
    w.write([&](db::Write& db) { statuses::remove_remote(db, carol, "https://far.example/boost"); });
    EXPECT_EQ(shown(id)["reblogs_count"], "0");
    EXPECT_FALSE(boost("boost"));
}

TEST_P(RemoteStatuses, attack_64_71_are_bounded_in_everything_they_bring) {
    auto note = remote::note(w, bob, "1", "<p>" + std::string(900'000, 'x') + "</p>");
    note.spoiler_text = std::string(900'000, 's');
    for (int i = 0; i < 2000; ++i) {
        note.tags.push_back("tag" + std::to_string(i));
        note.mentions.push_back({base::AccountId{100'000 + i}});
        note.media.push_back(
            {"https://far.example/" + std::to_string(i) + ".png", "", "", "", "", 0, 0, {}, {}, {}}
        );
    }
    note.poll = statuses::RemotePoll{};
    for (int i = 0; i < 2000; ++i) note.poll->options.push_back({std::to_string(i), -1});
    w.changed();
    auto id = remote::stored(w, note);
    EXPECT_EQ(
        w.changed(),
        "media +4, tags +100, tag_uses +100, tag_language_days +100, conversations +1, statuses +1, mentions "
        "+100, status_tags +100, "
        "polls +1, poll_options +500, remote_statuses +1"
    );
    EXPECT_LT(shown(id)["content"].size(), 300'000u);
    EXPECT_EQ(shown(id)["poll.votes_count"], "0");
}

TEST_P(RemoteStatuses, cost_the_same_number_of_queries_whether_one_or_forty) {
    remote::follows(w, alice, bob);
    auto store = [&](int i) {
        auto note =
            remote::note(w, remote::somebody(w, "p" + std::to_string(i)), std::to_string(i), "<p>:a1:</p>");
        note.author = bob;
        note.emojis = {{"a1", "https://far.example/e.png", {}}};
        note.media = {
            {"https://far.example/" + std::to_string(i) + ".png", "", "image/png", "", "", 9, 9, {}, {}, {}}
        };
        note.mentions = {{remote::somebody(w, "p" + std::to_string(i))}};
        remote::stored(w, note);
    };
    store(0);
    alice.home();
    w.queries();
    w.site().title = "x";
    auto cost = [&](const char* limit) {
        w.queries();
        EXPECT_FALSE(alice.home({{"limit", limit}}).empty());
        return w.queries();
    };
    for (int i = 1; i < 40; ++i) store(i);
    auto forty = cost("40");
    for (int i = 40; i < 41; ++i) store(i);
    EXPECT_EQ(cost("1"), forty);
}

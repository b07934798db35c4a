// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not;

const db::Command test_quote_is_pending{
    "test_quote_is_pending", "UPDATE quotes SET state = 'pending' WHERE status_id = $1"
};
const db::Command test_limited_visibility{
    "test_limited_visibility",
    "UPDATE statuses SET visibility = 'limited', version = version + 1 WHERE id = $1"
};

const db::Command test_account_elsewhere{
    "test_account_elsewhere",
    R"(UPDATE accounts SET domain = 'elsewhere.example', uri = 'https://elsewhere.example/alice',
           url = 'https://elsewhere.example/@alice', version = version + 1 WHERE id = $1)"
};

struct Quotes : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    static Answer quote(const Person& who, const std::string& status, Fields fields = {}) {
        fields.emplace_back("quoted_status_id", status);
        if (fields.size() == 1) fields.emplace_back("status", "look");
        return who.post("/api/v1/statuses", fields);
    }
    static std::string quotes(const Person& who, const std::string& status, const Fields& fields = {}) {
        auto answer = quote(who, status, fields);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.id();
    }
    static Answer show(const Person& who, const std::string& id) { return who.get("/api/v1/statuses/" + id); }
    static std::string state(const Person& who, const std::string& id) {
        return show(who, id)["quote.state"];
    }
    static std::string approval(const Person& who, const std::string& id) {
        return show(who, id)["quote_approval.current_user"];
    }
    static Answer revoke(const Person& who, const std::string& quoted, const std::string& quoting) {
        return who.post("/api/v1/statuses/" + quoted + "/quotes/" + quoting + "/revoke");
    }
    static Answer policy(const Person& who, const std::string& id, const std::string& policy) {
        return who.put("/api/v1/statuses/" + id + "/interaction_policy", {{"quote_approval_policy", policy}});
    }
    void refused(const Answer& answer) {
        EXPECT_EQ(answer.status, 404) << answer.body;
        EXPECT_EQ(answer.error(), "The post you are trying to quote does not appear to exist.");
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
};
ON_EACH_DATABASE(Quotes);

TEST_P(Quotes, of_a_public_status_are_accepted_at_once_and_told) {
    auto original = alice.status("hello");
    w.happened(), w.changed();
    auto answer = quote(bob, original);
    EXPECT_EQ(w.happened(), "Quoted, Published");
    EXPECT_EQ(
        w.changed(),
        "conversations +1, statuses +1, mentions +1, quotes +1, home_entries +1, notifications +1"
    );
    EXPECT_EQ(answer["quote.state"], "accepted");
    EXPECT_EQ(answer["quote.quoted_status.id"], original);
    EXPECT_EQ(answer["quote.quoted_status.account.id"], alice.id);
    EXPECT_EQ(answer["quote.quoted_status.quote"], "null");
    EXPECT_EQ(answer["mentions"], "[]");
    EXPECT_EQ(answer["visibility"], "public");
    EXPECT_EQ(show(alice, original)["quotes_count"], "1");
    auto told = alice.get("/api/v1/notifications");
    EXPECT_THAT(told.all("type"), ElementsAre("quote"));
    EXPECT_EQ(told["0.status.id"], answer.id());
    EXPECT_EQ(told["0.account.id"], bob.id);
}

TEST_P(Quotes, begin_with_a_link_for_software_that_knows_none) {
    auto original = alice.status("hello");
    auto link = "http://localhost:3000/@alice/" + original;
    auto content = quote(bob, original, {{"status", "look"}})["content"];
    EXPECT_THAT(content, HasSubstr("<p class=\"quote-inline\">RE: <a href=\"" + link));
    EXPECT_TRUE(content.ends_with("</p><p>look</p>")) << content;
    EXPECT_THAT(
        quote(bob, original, {{"status", "look " + link}})["content"], Not(HasSubstr("quote-inline"))
    );
}

TEST_P(Quotes, need_no_text_and_leave_a_warning_a_warning) {
    auto original = alice.status("hello");
    auto answer = quote(alice, original, {{"spoiler_text", "careful"}});
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["spoiler_text"], "careful");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + answer.id() + "/source")["text"], "");
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), IsEmpty());
}

TEST_P(Quotes, of_a_reblog_show_the_original) {
    auto original = alice.status("hello");
    auto boost = carol.reblogs(original);
    EXPECT_EQ(quote(bob, boost)["quote.quoted_status.id"], original);
    EXPECT_EQ(show(bob, boost)["quote_approval.current_user"], "automatic");  // as the original says
    auto closed = carol.reblogs(alice.status("n", {{"quote_approval_policy", "nobody"}}));
    EXPECT_EQ(show(bob, closed)["quote_approval.current_user"], "denied");
}

TEST_P(Quotes, of_what_is_hidden_missing_or_not_to_be_quoted_are_refused_alike) {
    auto followers = alice.status("f", {{"quote_approval_policy", "followers"}});
    auto nobody = alice.status("n", {{"quote_approval_policy", "nobody"}});
    auto private_ = alice.status("p", {{"visibility", "private"}});
    auto direct = alice.status("d @bob", {{"visibility", "direct"}});
    auto gone = alice.status("g");
    alice.del("/api/v1/statuses/" + gone);
    w.run_jobs(), w.happened(), w.changed();
    for (const auto& id : {followers, nobody, private_, direct, gone, std::string("1"), std::string("x")})
        refused(quote(bob, id));
    refused(quote(alice, direct));  // not even one's own
    bob.follows(alice);
    w.run_jobs(), w.happened(), w.changed();
    refused(quote(bob, private_));
    EXPECT_EQ(quote(bob, followers)["quote.state"], "accepted");
    EXPECT_EQ(quote(alice, nobody)["quote.state"], "accepted");
}

TEST_P(Quotes, are_refused_where_either_blocks_the_other) {
    auto alices = alice.status("hello"), carols = carol.status("hello");
    alice.blocks(bob);
    bob.blocks(carol);
    w.run_jobs(), w.happened(), w.changed();
    refused(quote(bob, alices));
    refused(quote(bob, carols));
}

TEST_P(Quotes, are_no_wider_than_a_private_status_of_ones_own) {
    auto original = alice.status("p", {{"visibility", "private"}});
    auto answer = quote(alice, original, {{"status", "look"}, {"visibility", "public"}});
    EXPECT_EQ(answer["visibility"], "private");
    EXPECT_EQ(answer["quote_approval.automatic"], "[]");
    bob.follows(alice);
    EXPECT_EQ(show(bob, answer.id())["quote_approval.current_user"], "denied");
}

TEST_P(Quotes, in_a_private_mention_are_of_oneself_or_of_somebody_mentioned) {
    auto original = alice.status("hello"), own = bob.status("mine");
    w.happened(), w.changed();
    auto refusal = quote(bob, original, {{"status", "@carol look"}, {"visibility", "direct"}});
    EXPECT_EQ(refusal.status, 422);
    EXPECT_EQ(refusal.error(), "Cannot quote a non-mentioned user in a Private Mention post.");
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_EQ(quote(bob, original, {{"status", "@alice look"}, {"visibility", "direct"}}).status, 200);
    EXPECT_EQ(quote(bob, own, {{"status", "@carol look"}, {"visibility", "direct"}}).status, 200);
}

TEST_P(Quotes, let_the_quoted_author_see_what_only_followers_see) {
    auto quoting = quotes(bob, alice.status("hello"), {{"status", "look"}, {"visibility", "private"}});
    EXPECT_EQ(show(alice, quoting).status, 200);
    EXPECT_EQ(show(carol, quoting).status, 404);
}

TEST_P(Quotes, that_were_sent_twice_with_one_key_are_one) {
    auto original = alice.status("hello");
    auto keyed = bob.with("Idempotency-Key", "k");
    EXPECT_EQ(quotes(keyed, original), quotes(keyed, original));
    EXPECT_EQ(show(alice, original)["quotes_count"], "1");
}

TEST_P(Quotes, of_quotes_are_nested_one_deep) {
    auto first = alice.status("1"), second = quotes(bob, first), third = quotes(carol, second);
    auto answer = show(alice, third);
    EXPECT_EQ(answer["quote.quoted_status.id"], second);
    EXPECT_EQ(answer["quote.quoted_status.quote.state"], "accepted");
    EXPECT_EQ(answer["quote.quoted_status.quote.quoted_status_id"], first);
    EXPECT_EQ(answer["quote.quoted_status.quote.quoted_status"], "absent");
    alice.del("/api/v1/statuses/" + first);
    EXPECT_EQ(show(alice, third)["quote.quoted_status.quote.state"], "deleted");
    EXPECT_EQ(show(alice, third)["quote.quoted_status.quote.quoted_status_id"], "null");
}

TEST_P(Quotes, tell_each_viewer_only_of_what_they_may_see) {
    auto original = alice.status("p", {{"visibility", "private"}}), open = alice.status("o");
    carol.follows(alice);
    auto hidden = quotes(alice, original, {{"status", "@bob @carol"}, {"visibility", "direct"}});
    EXPECT_EQ(state(carol, hidden), "accepted");
    EXPECT_EQ(state(bob, hidden), "unauthorized");
    EXPECT_EQ(show(bob, hidden)["quote.quoted_status"], "null");
    auto quoting = quotes(carol, open);
    EXPECT_EQ(state(w.anonymous(), quoting), "accepted");
    alice.blocks(bob);
    EXPECT_EQ(state(bob, quoting), "unauthorized");
    EXPECT_THAT(show(bob, quoting).body, Not(HasSubstr("\"quoted_status\":{")));
    EXPECT_EQ(state(alice, quoting), "accepted");
}

TEST_P(Quotes, of_people_the_viewer_blocks_or_mutes_say_so) {
    auto quoting = quotes(carol, alice.status("hello"));
    bob.mutes(alice);
    EXPECT_EQ(state(bob, quoting), "muted_account");
    EXPECT_EQ(show(bob, quoting)["quote.quoted_status.account.id"], alice.id);
    bob.blocks(alice);
    EXPECT_EQ(state(bob, quoting), "blocked_account");
    EXPECT_EQ(show(bob, quoting)["quote.quoted_status.account.id"], alice.id);
}

TEST_P(Quotes, of_people_at_a_domain_the_viewer_blocks_say_so) {
    auto quoting = quotes(carol, alice.status("hello"));
    w.write([&](db::Write& db) { db.run(test_account_elsewhere, base::AccountId{std::stoll(alice.id)}); });
    EXPECT_EQ(state(bob, quoting), "accepted");
    EXPECT_EQ(bob.post("/api/v1/domain_blocks", {{"domain", "elsewhere.example"}}).status, 200);
    EXPECT_EQ(state(bob, quoting), "blocked_domain");
    EXPECT_EQ(show(bob, quoting)["quote.quoted_status.account.id"], alice.id);
}

TEST_P(Quotes, of_somebody_suspended_show_nothing) {
    auto quoting = quotes(bob, alice.status("hello"));
    w.suspend(alice);
    EXPECT_EQ(state(carol, quoting), "unauthorized");
    EXPECT_EQ(show(carol, quoting)["quote.quoted_status"], "null");
}

TEST_P(Quotes, outlive_the_quoted_status_as_deleted) {
    auto original = alice.status("hello"), quoting = quotes(bob, original);
    EXPECT_EQ(state(carol, quoting), "accepted");
    alice.del("/api/v1/statuses/" + original);
    EXPECT_EQ(state(carol, quoting), "deleted");
    EXPECT_EQ(show(carol, quoting)["quote.quoted_status"], "null");
}

TEST_P(Quotes, that_are_deleted_no_longer_count) {
    auto original = alice.status("hello"), quoting = quotes(bob, original);
    w.happened();
    auto gone = bob.del("/api/v1/statuses/" + quoting);
    EXPECT_EQ(gone["quote.quoted_status.id"], original);
    EXPECT_EQ(gone["text"], "look");
    EXPECT_THAT(w.happened(), HasSubstr("QuoteRevoked"));
    EXPECT_EQ(show(alice, original)["quotes_count"], "0");
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), IsEmpty());
}

TEST_P(Quotes, are_revoked_by_the_quoted_author_alone) {
    auto original = alice.status("hello"), other = alice.status("other"), quoting = quotes(bob, original);
    w.happened(), w.changed();
    EXPECT_EQ(revoke(bob, original, quoting).status, 403);
    EXPECT_EQ(revoke(carol, original, quoting).status, 403);
    EXPECT_EQ(revoke(alice, other, quoting).status, 404);
    EXPECT_EQ(revoke(alice, original, other).status, 404);
    EXPECT_EQ(w.happened() + w.changed(), "");
    for (int twice = 0; twice < 2; ++twice) {
        auto answer = revoke(alice, original, quoting);
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.id(), quoting);
        EXPECT_EQ(answer["quote.state"], "revoked");
        EXPECT_EQ(answer["quote.quoted_status"], "null");
    }
    EXPECT_EQ(w.happened(), "QuoteRevoked");
    EXPECT_EQ(state(carol, quoting), "revoked");
    EXPECT_EQ(show(alice, original)["quotes_count"], "0");
    EXPECT_EQ(bob.del("/api/v1/statuses/" + quoting)["quote.quoted_status.id"], original);  // for redrafting
}

TEST_P(Quotes, are_revoked_even_by_somebody_whom_the_quoting_author_blocks) {
    auto original = alice.status("hello"), quoting = quotes(bob, original);
    bob.blocks(alice);
    EXPECT_EQ(revoke(alice, original, quoting)["quote.state"], "revoked");
}

TEST_P(Quotes, that_wait_for_consent_show_nothing_and_can_be_refused) {
    auto original = alice.status("hello"), quoting = quotes(bob, original);
    w.write([&](db::Write& db) { db.run(test_quote_is_pending, base::StatusId{std::stoll(quoting)}); });
    w.write([&](db::Write& db) { db.run(test_limited_visibility, base::StatusId{std::stoll(quoting)}); });
    EXPECT_EQ(state(bob, quoting), "pending");
    EXPECT_EQ(show(bob, quoting)["quote.quoted_status"], "null");
    EXPECT_THAT(alice.get("/api/v1/statuses/" + original + "/quotes").ids(), IsEmpty());
    EXPECT_EQ(revoke(alice, original, quoting)["quote.state"], "rejected");
}

TEST_P(Quotes, are_listed_newest_first_in_pages) {
    auto original = alice.status("hello");
    std::vector<std::string> made;
    for (int i = 0; i < 5; ++i) made.insert(made.begin(), quotes(i % 2 ? bob : carol, original));
    auto path = "/api/v1/statuses/" + original + "/quotes";
    EXPECT_EQ(bob.get(path).ids(), made);
    auto page = bob.get(path, {{"limit", "2"}});
    EXPECT_THAT(page.ids(), ElementsAre(made[0], made[1]));
    EXPECT_THAT(page.link("prev"), HasSubstr("since_id="));
    auto next = bob.get(page.link("next"));
    EXPECT_THAT(next.ids(), ElementsAre(made[2], made[3]));
    auto last = bob.get(next.link("next"));
    EXPECT_THAT(last.ids(), ElementsAre(made[4]));
    EXPECT_EQ(last.link("next"), "");
    EXPECT_THAT(bob.get(next.link("prev")).ids(), ElementsAre(made[0], made[1]));
    EXPECT_EQ(w.anonymous().get(path).status, 401);
}

TEST_P(Quotes, are_listed_to_those_who_may_see_them) {
    auto original = alice.status("hello");
    auto open = quotes(bob, original);
    auto narrow = quotes(carol, original, {{"status", "look"}, {"visibility", "private"}});
    auto revoked = quotes(carol, original);
    revoke(alice, original, revoked);
    auto list = [&](const Person& who) { return who.get("/api/v1/statuses/" + original + "/quotes").ids(); };
    EXPECT_THAT(list(alice), ElementsAre(narrow, open));
    EXPECT_THAT(list(carol), ElementsAre(narrow, open));
    EXPECT_THAT(list(bob), ElementsAre(open));
    alice.mutes(bob);
    EXPECT_THAT(list(alice), ElementsAre(narrow));
    carol.blocks(alice);
    EXPECT_THAT(list(alice), IsEmpty());
    auto hidden = alice.status("p", {{"visibility", "private"}});
    EXPECT_EQ(bob.get("/api/v1/statuses/" + hidden + "/quotes").status, 404);
}

TEST_P(Quotes, tell_their_authors_when_what_they_show_was_edited) {
    auto original = alice.status("hello"), quoting = quotes(bob, original), own = quotes(alice, original);
    revoke(alice, original, quotes(carol, original));
    for (auto text : {"Hello", "HELLO"}) {
        EXPECT_EQ(alice.put("/api/v1/statuses/" + original, {{"status", text}}).status, 200);
        w.run_jobs();
        auto told = bob.get("/api/v1/notifications");
        EXPECT_THAT(told.all("type"), ElementsAre("quoted_update"));
        EXPECT_EQ(told["0.account.id"], alice.id);
        EXPECT_EQ(told["0.status.id"], quoting);
        EXPECT_THAT(told["0.status.quote.quoted_status.content"], HasSubstr(text));
    }
    EXPECT_THAT(carol.get("/api/v1/notifications").ids(), IsEmpty());
    EXPECT_THAT(alice.get("/api/v1/notifications").all("type"), ElementsAre("quote", "quote"));
}

TEST_P(Quotes, survive_an_edit_which_may_leave_no_text) {
    auto original = alice.status("hello"), quoting = quotes(bob, original);
    auto edited =
        bob.put("/api/v1/statuses/" + quoting, {{"status", ""}, {"quote_approval_policy", "nobody"}});
    EXPECT_EQ(edited.status, 200) << edited.body;
    EXPECT_EQ(edited["quote.quoted_status.id"], original);
    EXPECT_THAT(edited["content"], HasSubstr("RE: <a"));
    EXPECT_EQ(edited["quote_approval.automatic"], "[]");
}

TEST_P(Quotes, cost_the_same_queries_on_a_page_of_one_and_of_many) {
    auto original = alice.status("hello");
    auto deep = quotes(bob, original);
    auto make = [&](int n) {
        for (int i = 0; i < n; ++i) quotes(carol, i % 2 ? deep : alice.status("another"));
    };
    make(2);
    auto list = [&] {
        bob.get("/api/v1/accounts/" + carol.id + "/statuses", {{"limit", "40"}});  // fills what is kept
        w.queries();
        auto found = bob.get("/api/v1/accounts/" + carol.id + "/statuses", {{"limit", "40"}});
        EXPECT_EQ(found["0.quote.state"], "accepted");
        return w.queries();
    };
    auto few = list();
    make(30);
    EXPECT_EQ(list(), few);
}

TEST_P(Quotes, are_approved_as_the_policy_says) {
    auto for_all = alice.status("a"),
         for_followers = alice.status("f", {{"quote_approval_policy", "followers"}}),
         for_none = alice.status("n", {{"quote_approval_policy", "nobody"}}),
         private_ = alice.status("p", {{"visibility", "private"}}),
         direct = alice.status("d @bob", {{"visibility", "direct"}});
    EXPECT_EQ(show(bob, for_followers)["quote_approval.automatic"], "[\"followers\"]");
    EXPECT_EQ(show(bob, for_all)["quote_approval.automatic"], "[\"public\"]");
    EXPECT_EQ(show(bob, for_none)["quote_approval.automatic"], "[]");
    EXPECT_EQ(approval(bob, for_all), "automatic");
    EXPECT_EQ(approval(w.anonymous(), for_all), "denied");
    EXPECT_EQ(approval(bob, for_followers), "denied");
    EXPECT_EQ(approval(bob, for_none), "denied");
    EXPECT_EQ(approval(alice, for_none), "automatic");
    EXPECT_EQ(approval(alice, private_), "automatic");
    EXPECT_EQ(approval(alice, direct), "denied");
    bob.follows(alice);
    EXPECT_EQ(approval(bob, for_followers), "automatic");
    EXPECT_EQ(approval(bob, private_), "denied");
}

TEST_P(Quotes, are_allowed_from_now_on_as_the_author_says) {
    auto status = alice.status("hello"), secret = alice.status("p", {{"visibility", "private"}});
    w.happened();
    auto answer = policy(alice, status, "followers");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["quote_approval.automatic"], "[\"followers\"]");
    EXPECT_EQ(answer["edited_at"], "null");
    EXPECT_EQ(w.happened(), "InteractionPolicyChanged");
    policy(alice, status, "followers");
    EXPECT_EQ(policy(alice, secret, "public")["quote_approval.automatic"], "[]");
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(policy(alice, status, "everybody").status, 422);
    EXPECT_EQ(alice.put("/api/v1/statuses/" + status + "/interaction_policy").status, 422);
    EXPECT_EQ(policy(bob, status, "nobody").status, 403);
    EXPECT_EQ(policy(bob, secret, "nobody").status, 404);
    EXPECT_EQ(policy(bob, bob.reblogs(status), "nobody").status, 403);
    auto patched = alice.patch(
        "/api/v1/statuses/" + status + "/interaction_policy", {{"quote_approval_policy", "nobody"}}
    );
    EXPECT_EQ(patched["quote_approval.automatic"], "[]");
    w.run_jobs(), w.happened(), w.changed();
    refused(quote(bob, status));
}

}  // namespace

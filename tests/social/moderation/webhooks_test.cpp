// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "internet.hpp"
#include "social/moderation/staff.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

const std::string hooks = "/api/dunlin/v1/moderation/webhooks", address = "https://hooks.example/in";

struct Webhooks : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");

    Answer hook(const std::string& event, Fields more = {}) {
        more.emplace_back("url", address);
        more.emplace_back("events[]", event);
        auto made = owner.post(hooks, more);
        EXPECT_EQ(made.status, 200) << made.body;
        w.happened(), w.changed();
        return made;
    }
    static void answers(int status) {
        internet().pages[address] = [status](const base::Fetch&) {
            Fetched answer;
            answer.status = status;
            answer.url = address;
            return answer;
        };
    }
    // What the address was sent since last asked.
    std::vector<base::Fetch> calls() {
        support::run_periodic(w, moderation::take_webhook_calls);
        w.run_jobs();
        std::vector<base::Fetch> out;
        for (auto& one : std::exchange(internet().asked, {}))
            if (one.url == address) out.push_back(std::move(one));
        return out;
    }
    static std::string header(const base::Fetch& call, std::string_view name) {
        for (const auto& h : call.headers)
            if (h.name == name) return h.value;
        return {};
    }
    static std::string member(const base::Fetch& call, std::string_view way) {
        return Answer{200, call.body, {}}[way];
    }
    std::string report() { return alice.post("/api/v1/reports", {{"account_id", bob.id}}).id(); }
};
ON_EACH_DATABASE(Webhooks);

TEST_P(Webhooks, are_told_of_reports_and_sign_what_they_send) {
    auto made = hook("report.created");
    answers(200);
    auto id = report();
    auto sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_TRUE(sent[0].post);
    EXPECT_FALSE(sent[0].trusted);
    EXPECT_LE(sent[0].seconds, 10);
    EXPECT_EQ(made["secret"].size(), 40u);
    EXPECT_EQ(
        header(sent[0], "X-Hub-Signature"),
        "sha256=" + base::hex(base::hmac_sha256(made["secret"], sent[0].body))
    );
    EXPECT_EQ(header(sent[0], "Content-Type"), "application/json");
    EXPECT_EQ(member(sent[0], "event"), "report.created");
    EXPECT_EQ(member(sent[0], "object.id"), id);
    EXPECT_EQ(member(sent[0], "object.target_account.account.id"), bob.id);
    EXPECT_EQ(member(sent[0], "created_at"), base::to_string(w.now()));
    EXPECT_THAT(calls(), IsEmpty());
}

TEST_P(Webhooks, are_told_again_unless_the_answer_would_be_the_same) {
    hook("report.created");
    answers(500);
    report();
    EXPECT_THROW(calls(), std::runtime_error);
    internet().asked.clear();
    answers(200);
    w.advance(121);
    EXPECT_EQ(calls().size(), 1u);
    w.advance(121);
    EXPECT_THAT(calls(), IsEmpty());
    for (int final : {404, 410, 501}) {
        answers(final);
        report();
        EXPECT_EQ(calls().size(), 1u) << final;
        w.advance(121);
        EXPECT_THAT(calls(), IsEmpty()) << final;
    }
    for (int passing : {401, 408, 429, 503}) {
        answers(passing);
        report();
        EXPECT_THROW(calls(), std::runtime_error) << passing;
        answers(200);
        w.advance(121);
        calls();
    }
}

TEST_P(Webhooks, hear_what_they_asked_for_and_of_this_site_alone) {
    hook("status.created");
    answers(200);
    auto post = alice.status("for all to read");
    auto sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(member(sent[0], "object.id"), post);
    alice.status("for some", {{"visibility", "private"}});
    alice.status("for @bob", {{"visibility", "direct"}});
    report();
    EXPECT_THAT(calls(), IsEmpty());
    hook("status.updated");
    alice.put("/api/v1/statuses/" + post, {{"status", "other words"}});
    sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(member(sent[0], "event"), "status.updated");
    EXPECT_EQ(member(sent[0], "object.content"), "<p>other words</p>");
}

TEST_P(Webhooks, hear_once_of_what_changes_while_they_are_told) {
    hook("status.created");
    auto post = alice.status("for all to read");
    internet().pages[address] = [&](const base::Fetch&) {
        bob.post("/api/v1/statuses/" + post + "/favourite");
        Fetched answer;
        answer.status = 200;
        return answer;
    };
    EXPECT_EQ(calls().size(), 1u);
    EXPECT_THAT(calls(), IsEmpty());
    EXPECT_EQ(bob.get("/api/v1/statuses/" + post)["favourites_count"], "1");
}

TEST_P(Webhooks, hear_of_accounts_that_come_and_change) {
    for (auto event : {"account.created", "account.approved", "account.updated", "report.updated"})
        hook(event);
    answers(200);
    auto app = w.app("read write");
    auto made = app.post(
        "/api/v1/accounts",
        {{"username", "eve"},
         {"email", "eve@example.com"},
         {"password", "long enough a password"},
         {"agreement", "true"}}
    );
    ASSERT_EQ(made.status, 200) << made.body;
    auto sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(member(sent[0], "event"), "account.created");
    EXPECT_EQ(member(sent[0], "object.username"), "eve");
    EXPECT_EQ(member(sent[0], "object.confirmed"), "false");
    auto id = member(sent[0], "object.id");
    w.write([&](db::Write& db) { accounts::confirm(db, accounts::find_user_of(db, {std::stoll(id)})->id); });
    sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(member(sent[0], "event"), "account.approved");
    owner.post("/api/v1/admin/accounts/" + bob.id + "/action", {{"type", "silence"}});
    sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(member(sent[0], "event"), "account.updated");
    EXPECT_EQ(member(sent[0], "object.silenced"), "true");
    auto strike = "/api/dunlin/v1/strikes/" + bob.get("/api/dunlin/v1/strikes").ids()[0];
    bob.post(strike + "/appeal", {{"text", "It was not me"}});
    owner.post(
        "/api/dunlin/v1/moderation/appeals/" + owner.get("/api/dunlin/v1/moderation/appeals").ids()[0] +
        "/approve"
    );
    sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(member(sent[0], "object.silenced"), "false");
    auto about = report();
    owner.post("/api/v1/admin/reports/" + about + "/resolve");
    sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(member(sent[0], "event"), "report.updated");
    EXPECT_EQ(member(sent[0], "object.action_taken"), "true");
}

TEST_P(Webhooks, that_rest_hear_nothing) {
    auto made = hook("report.created");
    answers(200);
    owner.put(hooks + "/" + made.id(), {{"enabled", "false"}});
    report();
    EXPECT_THAT(calls(), IsEmpty());
    owner.put(hooks + "/" + made.id(), {{"enabled", "true"}});
    report();
    owner.del(hooks + "/" + made.id());
    EXPECT_THAT(calls(), IsEmpty());
    EXPECT_THAT(
        logged(w, owner), ElementsAre("create Webhook", "update Webhook", "update Webhook", "destroy Webhook")
    );
}

TEST_P(Webhooks, need_what_opens_their_events_attack_61) {
    auto users = staff(
        w, "uma", role_with(w, accounts::permission::manage_webhooks | accounts::permission::manage_users)
    );
    auto made = users.post(hooks, {{"url", address}, {"events[]", "account.created"}});
    EXPECT_EQ(made.status, 200) << made.body;
    EXPECT_EQ(users.post(hooks, {{"url", address}, {"events[]", "report.created"}}).status, 403);
    auto path = hooks + "/" + made.id();
    EXPECT_EQ(users.put(path, {{"events[]", "status.created"}}).status, 403);
    owner.put(path, {{"events[]", "status.created"}});
    EXPECT_EQ(users.del(path).status, 403);
    EXPECT_EQ(users.post(path + "/rotate").status, 403);
    auto renewed = owner.post(path + "/rotate");
    EXPECT_NE(renewed["secret"], made["secret"]);
    EXPECT_EQ(renewed["secret"].size(), 40u);
}

TEST_P(Webhooks, that_could_not_work_are_refused) {
    auto refused = [&](Fields fields) { return owner.post(hooks, fields).error(); };
    Fields event{{"events[]", "report.created"}};
    EXPECT_EQ(refused(event), "Validation failed: Url is invalid");
    EXPECT_EQ(refused({{"url", "ftp://a.example"}, event[0]}), "Validation failed: Url is invalid");
    EXPECT_EQ(refused({{"url", address}}), "Validation failed: Events can't be blank");
    EXPECT_EQ(
        refused({{"url", address}, {"events[]", "moon.rose"}}),
        "Validation failed: Events is not included in the list"
    );
    EXPECT_EQ(
        refused({{"url", address}, event[0], {"secret", "short"}}),
        "Validation failed: Secret is too short (minimum is 12 characters)"
    );
    for (auto bad : {"{{", "{{}}", "{{a..b}}", "{{a b}}", "x {{a.}} y"})
        EXPECT_EQ(
            refused({{"url", address}, event[0], {"template", bad}}), "Validation failed: Template is invalid"
        ) << bad;
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Webhooks, send_another_form_where_one_is_given) {
    hook(
        "report.created",
        {{"template",
          R"({"text":"{{event}} on {{ object.target_account.username }}","n":{{object.id}},"x":{{no.such}}})"}
        }
    );
    answers(200);
    auto id = report();
    auto sent = calls();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].body, R"({"text":"report.created on bob","n":)" + id + R"(,"x":null})");
}

TEST(WebhookTemplate, puts_values_in_as_json_has_them) {
    auto body = R"({"a":[{"b":"say \"hi\"\n"},2],"c":{"d":null}})";
    EXPECT_EQ(
        moderation::filled_template("{{a.0.b}}|{{a.1}}|{{c}}|{{a.7}}", body),
        R"(say \"hi\"\n|2|{"d":null}|null)"
    );
    EXPECT_EQ(moderation::filled_template("no {place}", body), "no {place}");
}

}  // namespace

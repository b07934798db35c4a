// SPDX-License-Identifier: AGPL-3.0-or-later
// What a Mastodon kept from others stays kept from them: drafts, suspended people, a server that was closed.
#include "social/accounts/administering.hpp"
#include "social/media/withholding.hpp"
#include "takeover/stage.hpp"

#include <gmock/gmock.h>

#include <typeindex>

namespace {

using namespace takeover_stage;
using testing::AllOf, testing::ElementsAre, testing::HasSubstr, testing::Not;

struct MastodonLimits : CopiedTo {
    void SetUp() override {
        CopiedTo::SetUp();
        if (IsSkipped()) return;
        if (!support::postgres_url()) GTEST_SKIP() << "a Mastodon needs PostgreSQL: DUNLIN_TEST_POSTGRES";
        before.emplace();
    }
    void copy_it() { copy(*before, {.settings = Mastodon::settings(), .notification_days = 2000}); }
    static std::string person(int id, const std::string& domain) {
        const auto name = "far" + std::to_string(id), home = "https://" + domain + "/" + name;
        return "INSERT INTO accounts (id, username, domain, uri, inbox_url, protocol, created_at, "
               "updated_at) VALUES (" +
               std::to_string(id) + ", '" + name + "', '" + domain + "', '" + home + "', '" + home +
               "/inbox', 1, now(), now());";
    }
    std::optional<Mastodon> before;
    const std::string bob = "111866491699200077", wren = "110502110822400005";
};
ON_EACH_DATABASE(MastodonLimits);

TEST_P(MastodonLimits, scheduled_posts_come_out_as_their_authors_meant_them) {
    before->change(
        R"(UPDATE users SET settings = '{"default_privacy": "unlisted", "default_sensitive": true, "default_language": "fr"}'
               WHERE id = 1;
           INSERT INTO scheduled_statuses VALUES
               (2, 1, '2027-03-02', '{"text": "as ever", "visibility": null, "sensitive": null, "language": null}'),
               (3, 111866491699200077, '2027-03-02', '{"text": "by one who is locked"}'),
               (4, 1, '2027-03-02', '{"text": "x", "visibility": "public", "quote_approval_policy": 262144}'),
               (5, 1, '2027-03-02', '{"text": "x", "visibility": "public", "quote_approval_policy": 131072}'),
               (6, 1, '2027-03-02', '{"text": "x", "visibility": "private", "quote_approval_policy": 131072}'),
               (7, 1, '2027-03-02', '{"text": "x", "visibility": "of-a-fork", "sensitive": false, "language": "de"}');)"
    );
    copy_it();
    auto params = [&](int id) {
        return ask("SELECT params FROM scheduled_statuses WHERE id = " + std::to_string(id));
    };
    auto shown_to = [](const char* whom, const char* quotes) {
        return AllOf(
            HasSubstr(std::string(R"("visibility":")") + whom + "\""),
            HasSubstr(std::string(R"("quote_approval_policy":")") + quotes + "\"")
        );
    };
    EXPECT_THAT(params(1), shown_to("public", "nobody"));
    EXPECT_THAT(params(2), shown_to("unlisted", "nobody"));
    EXPECT_THAT(params(2), AllOf(HasSubstr(R"("sensitive":true)"), HasSubstr(R"("language":"fr")")));
    EXPECT_THAT(params(3), shown_to("private", "nobody"));
    EXPECT_THAT(params(4), shown_to("public", "followers"));
    EXPECT_THAT(params(5), shown_to("public", "public"));
    EXPECT_THAT(params(6), shown_to("private", "nobody"));
    EXPECT_THAT(params(7), shown_to("private", "nobody"));
    EXPECT_THAT(params(7), AllOf(HasSubstr(R"("sensitive":false)"), HasSubstr(R"("language":"de")")));
}

TEST_P(MastodonLimits, a_closed_server_stays_closed) {
    auto lines = [&](const takeover::Settings& settings) {
        auto foreign = db::open_foreign(before->source());
        std::vector<std::string> out;
        for (auto& line : takeover::check(*takeover::recognise(*foreign, settings), {}).configuration)
            if (line.ends_with(" = true")) out.push_back(std::move(line));
        return out;
    };
    auto settings = Mastodon::settings();
    EXPECT_THAT(lines(settings), ElementsAre());
    settings["DISALLOW_UNAUTHENTICATED_API_ACCESS"] = "true";
    EXPECT_THAT(lines(settings), ElementsAre("restricted = true"));
    before->change(
        "INSERT INTO settings (id, var, value) VALUES (20, 'authorized_fetch', '--- true' || chr(10))"
    );
    EXPECT_THAT(lines(Mastodon::settings()), ElementsAre("authorized_fetch = true"));
    settings["AUTHORIZED_FETCH"] = "false";
    EXPECT_THAT(lines(settings), ElementsAre("restricted = true")) << "the environment decides";
    settings = Mastodon::settings();
    settings["LIMITED_FEDERATION_MODE"] = "true";
    EXPECT_THAT(
        lines(settings),
        ElementsAre("limited_federation = true", "authorized_fetch = true", "restricted = true")
    );
    const auto limited = lines(settings);
    settings.erase("LIMITED_FEDERATION_MODE");
    settings["WHITELIST_MODE"] = "true";
    EXPECT_EQ(lines(settings), limited) << "its older name";
    EXPECT_THAT(sentence(*before, {.settings = settings}), HasSubstr("write limited_federation = true"));
    settings["LIMITED_FEDERATION_MODE"] = "false";
    EXPECT_THAT(lines(settings), ElementsAre("authorized_fetch = true")) << "the newer name decides";
    settings["LIMITED_FEDERATION_MODE"] = "true";
    EXPECT_THAT(sentence(*before, {.settings = settings}), HasSubstr("write limited_federation = true"));
    expect_nothing_written();
    EXPECT_EQ(sentence(*before, {.settings = settings, .limited = true}), "");
    EXPECT_EQ(ask("SELECT count(*) FROM users"), "2");
}

TEST_P(MastodonLimits, nobody_gets_mails_that_they_chose_not_to_get) {
    before->change(
        R"(UPDATE users SET time_zone = 'Europe/Berlin', settings = '{"notification_emails.follow": false,
               "notification_emails.mention": "0", "notification_emails.reblog": true, "notification_emails.quote": false,
               "notification_emails.appeal": false, "notification_emails.trends":false, "always_send_emails":true}'
               WHERE id = 1;)"
    );
    std::string lost;
    {
        auto foreign = db::open_foreign(before->source());
        for (const auto& loss : takeover::recognise(*foreign, Mastodon::settings())->losses())
            lost += std::to_string(loss.rows) + " " + loss.what + "\n";
    }
    EXPECT_THAT(lost, HasSubstr("1 people who wanted mails also while they are online"));
    EXPECT_THAT(lost, HasSubstr("1 choices about mails on sign-ups that wait, trends and new versions"));
    copy_it();
    EXPECT_EQ(
        ask("SELECT account_id, mail_mention, mail_quote, mail_follow, mail_follow_request, mail_reblog, "
            "mail_favourite, mail_report, mail_appeal, quiet_from, time_zone FROM notification_choices"),
        "1|0|0|0|1|1|0|1|0||Europe/Berlin"
    ) << "who chose nothing has no row";
}

TEST_P(MastodonLimits, why_somebody_wants_to_come_in_is_read_to_its_end) {
    before->change(
        "CREATE TABLE user_invite_requests (id bigint, user_id bigint, text text);"
        "INSERT INTO user_invite_requests VALUES (1, 2, repeat('ü', 420))"
    );
    copy_it();
    EXPECT_EQ(ask("SELECT length(reason) FROM users WHERE id = 2"), "420");
}

TEST_P(MastodonLimits, people_elsewhere_whom_the_team_limited_are_known_without_another_tie) {
    std::string people;
    for (const int id : {91, 92, 93, 94, 95, 96, 97}) people += person(id, "far.example");
    before->change(
        people + person(98, "spam.example") +
        "UPDATE accounts SET suspended_at = '2026-11-01', suspension_origin = 0 WHERE id = 91;"
        "UPDATE accounts SET silenced_at = '2026-11-01' WHERE id = 92;"
        "UPDATE accounts SET sensitized_at = '2026-11-01' WHERE id = 93;"
        "UPDATE accounts SET suspended_at = '2026-11-01', suspension_origin = 1 WHERE id = 94;"
        "UPDATE accounts SET suspended_at = '2024-05-01 10:00:00', suspension_origin = 0 WHERE id = 98;"
        "CREATE TABLE account_warnings (id bigint, account_id bigint, target_account_id bigint, action "
        "integer, "
        "text text, created_at timestamp, updated_at timestamp, report_id bigint, status_ids varchar[], "
        "overruled_at timestamp); INSERT INTO account_warnings VALUES (6, 1, 96, 0, 'loud', now(), now());"
        "CREATE TABLE account_moderation_notes (id bigint, content text, account_id bigint, "
        "target_account_id "
        "bigint, created_at timestamp); INSERT INTO account_moderation_notes VALUES (1, 'watch', 1, 97, "
        "now())"
    );
    copy_it();
    EXPECT_EQ(
        ask("SELECT id, suspended_at IS NOT NULL, silenced_at IS NOT NULL, sensitized_at IS NOT NULL FROM "
            "accounts "
            "WHERE domain LIKE '%.example' AND id < 100 ORDER BY id"),
        "91|1|0|0\n92|0|1|0\n93|0|0|1\n96|0|0|0\n97|0|0|0"
    );
    EXPECT_EQ(ask("SELECT account_id FROM strikes"), "96");
    EXPECT_EQ(ask("SELECT subject FROM notes"), "97");
}

TEST_P(MastodonLimits, whom_a_rule_about_their_server_limits_it_lets_go_again) {
    const std::string rule = "'2026-10-01 10:00:00.123456'";
    before->change(
        person(91, "a.loud.example") + person(92, "loud.example") + person(93, "loud.example") +
        "INSERT INTO domain_blocks (id, domain, severity, reject_media, reject_reports, obfuscate, "
        "created_at, "
        "updated_at) VALUES (9, 'loud.example', 1, false, false, false, " +
        rule +
        ", now());"
        "UPDATE accounts SET suspended_at = " +
        rule +
        ", suspension_origin = 0 WHERE id IN (91, 92);"
        "UPDATE accounts SET silenced_at = " +
        rule +
        " WHERE id = 92;"
        "UPDATE accounts SET suspended_at = '2026-10-02', silenced_at = '2026-10-02', suspension_origin = 0 "
        "WHERE id = 93;"
        "INSERT INTO follows (id, account_id, target_account_id, created_at, updated_at) VALUES "
        "(91, 1, 91, now(), now()), (92, 1, 92, now(), now())"
    );
    copy_it();
    EXPECT_EQ(
        ask("SELECT id, suspended_by, silenced_by FROM accounts WHERE id IN (91, 92, 93) ORDER BY id"),
        "91|domain|\n92|domain|domain\n93||"
    );
}

constexpr const char* deletion_requests =
    "CREATE TABLE account_deletion_requests (id bigint, account_id bigint, created_at timestamp);"
    "INSERT INTO account_deletion_requests VALUES (1, 111866491699200077, '2026-11-01'), "
    "(2, 110502110822400005, '2026-11-01');"
    "UPDATE accounts SET suspended_at = '2026-11-01', suspension_origin = 0 WHERE id IN (1, "
    "111866491699200077);"
    "UPDATE accounts SET suspended_at = '2026-11-01', suspension_origin = 1 WHERE id = 110502110822400005";

TEST_P(MastodonLimits, who_was_deleted_is_gone_and_who_is_to_be_deleted_waits) {
    before->change(deletion_requests);
    copy_it();
    EXPECT_EQ(
        ask("SELECT id, suspended_by FROM accounts ORDER BY id"), "1|gone\n" + wren + "|remote\n" + bob + "|"
    );
    EXPECT_EQ(ask("SELECT account_id FROM deletions"), bob) << "nobody whose own server suspended them";
}

TEST_P(MastodonLimits, nobody_is_deleted_who_is_not_suspended_any_more) {
    before->change(deletion_requests);
    copy_it();
    target().connection.script("UPDATE deletions SET due_at = 1; UPDATE accounts SET suspended_at = NULL");
    db::write_now(target().connection, target().context, [](db::Write& db) {
        accounts::delete_long_suspended(db);
    });
    EXPECT_EQ(ask("SELECT suspended_by, suspended_at FROM accounts WHERE username = 'bob'"), "|NULL");
    EXPECT_EQ(ask("SELECT count(*) FROM users"), "2");
    EXPECT_EQ(ask("SELECT count(*) FROM deletions"), "0");
}

struct Heard : db::EventSink {
    std::vector<base::AccountId> withheld;
    void emitted(db::Write&, std::type_index type, const void* event) override {
        if (type != typeid(media::SuspensionsChanged)) return;
        const auto& some = *static_cast<const media::SuspensionsChanged*>(event);
        withheld.insert(withheld.end(), some.accounts.begin(), some.accounts.end());
    }
};

TEST_P(MastodonLimits, files_of_suspended_people_here_are_withheld) {
    before->change(
        "UPDATE accounts SET suspended_at = '2026-11-01' WHERE id IN (111866491699200077, 110502110822400005)"
    );
    Heard heard;
    database.options.context.events = &heard;
    copy_it();
    database.options.context.events = nullptr;
    EXPECT_THAT(heard.withheld, ElementsAre(base::AccountId{111866491699200077}));
}

TEST_P(MastodonLimits, tokens_that_allow_nothing_known_open_nothing) {
    before->change(
        "INSERT INTO oauth_access_tokens (id, token, scopes, application_id, resource_owner_id, created_at) "
        "VALUES "
        "(8, 'of-a-fork-000000000000', 'telepathy', 2, 1, now()), (9, 'without-words-000', '', 2, 1, now()), "
        "(10, 'half-known-00000', 'telepathy write', 2, 1, now())"
    );
    copy_it();
    EXPECT_EQ(ask("SELECT id, scopes FROM tokens WHERE id > 3 ORDER BY id"), "9|read\n10|write");
    EXPECT_EQ(
        ask("SELECT kind, former, reason FROM takeover_refusals"),
        "token|8|nothing that it allows is known here"
    );
}

TEST_P(MastodonLimits, posts_of_an_earlier_address_are_taken) {
    before->change(
        "UPDATE statuses SET uri = 'http://old.example:3000/users/alice/statuses/8' WHERE id = 8;"
        "UPDATE statuses SET uri = 'https://old.example/users/alice/statuses/9' WHERE id = 117545317171200034"
    );
    copy_it();
    EXPECT_EQ(
        ask("SELECT uri, text FROM statuses WHERE id = 8"), "NULL|From the first days, with a small number"
    );
    EXPECT_EQ(
        ask("SELECT kind, former, reason FROM takeover_refusals"),
        "status|117545317171200034|it is of this server, its id is of another"
    ) << "nobody would find that one";
}

TEST_P(MastodonLimits, posts_in_html_stay_in_html_without_what_is_dangerous) {
    before->change(
        "ALTER TABLE statuses ADD COLUMN content_type varchar;"
        "UPDATE statuses SET content_type = 'text/html', text = '<p>was "
        "<b>edited</b></p><script>x()</script>' "
        "WHERE id = 117567966412800102;"
        "UPDATE status_edits SET text = '<p>to be <i>edited</i></p><script>x()</script>' WHERE id = 1"
    );
    copy_it();
    const auto post = ask("SELECT content_type, content FROM statuses WHERE id = 117567966412800102");
    EXPECT_THAT(post, AllOf(HasSubstr("text/html|<p>was <b>edited</b></p>"), Not(HasSubstr("script"))));
    const auto edit = ask("SELECT content FROM status_edits WHERE id = 1");
    EXPECT_THAT(edit, AllOf(HasSubstr("<p>to be <i>edited</i></p>"), Not(HasSubstr("script"))));
}

}  // namespace

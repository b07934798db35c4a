// SPDX-License-Identifier: AGPL-3.0-or-later
// What a GoToSocial kept from others stays kept from them: a server that was closed, people whom its team suspended, pictures
// that an edit took away.
#include "takeover/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::ElementsAre, testing::HasSubstr, testing::Not;

struct GoToSocialLimits : CopiedTo {
    takeover::Report check(const std::string& settings) const {
        auto foreign = db::open_foreign(before.source());
        return takeover::check(*takeover::recognise(*foreign, takeover::settings_of(settings)), {});
    }
    // What belongs into dunlin.toml besides the addresses.
    std::vector<std::string> lines(const std::string& settings) const {
        auto out = check(settings).configuration;
        out.erase(out.begin(), out.begin() + 2);
        return out;
    }
    static std::string ulid(int n) { return "01JD00000000000000000000" + std::to_string(n); }
    static std::string person(int n, const std::string& more) {
        const auto name = "far" + std::to_string(n), home = "https://far.example/" + name;
        return "INSERT INTO accounts (id, created_at, username, domain, uri, inbox_uri, actor_type, "
               "public_key, "
               "public_key_uri) SELECT '" +
               ulid(n) + "', '2026-11-01', '" + name + "', 'far.example', '" + home + "', '" + home +
               "/inbox', 4, public_key, '" + home + "#key' FROM accounts WHERE username = 'wren';" +
               (more.empty() ? "" : "UPDATE accounts SET " + more + " WHERE id = '" + ulid(n) + "';");
    }

    GoToSocial before;
    const std::string alice = "01PP9N5MV8F19VS8ZH0DJ2WTAH", rule = "01M81NR4FNYY941PM04QF2T9HT";
};
ON_EACH_DATABASE(GoToSocialLimits);

TEST_P(GoToSocialLimits, a_closed_server_stays_closed) {
    const std::string title = "title = \"social.example.org\"", closed = "registrations = \"closed\"",
                      limited = "limited_federation = true", fetch = "authorized_fetch = true";
    EXPECT_THAT(lines(""), ElementsAre(title, fetch)) << "nothing says who may sign up";
    EXPECT_THAT(lines("host: social.example.org"), ElementsAre(title, closed, fetch));
    EXPECT_THAT(
        lines("accounts-registration-open: true\ninstance-federation-mode: \"blocklist\""),
        ElementsAre(title, "registrations = \"approval\"", fetch)
    );
    const std::string allowlist = "instance-federation-mode: \"allowlist\"  # friends alone\n";
    EXPECT_THAT(lines(allowlist), ElementsAre(title, closed, limited, fetch));
    EXPECT_THAT(
        lines("GTS_INSTANCE_FEDERATION_MODE=allowlist\n"), ElementsAre(title, closed, limited, fetch)
    );
    before.change(
        "INSERT INTO domain_allows (id, domain, created_by_account_id) VALUES ('" + ulid(40) +
        "', 'friends.example', '" + alice + "')"
    );
    const auto settings = takeover::settings_of(allowlist);
    EXPECT_THAT(sentence(before, {.settings = settings}), HasSubstr("write limited_federation = true"));
    expect_nothing_written();
    EXPECT_EQ(sentence(before, {.settings = settings, .limited = true}), "");
    EXPECT_EQ(ask("SELECT domain FROM domain_allows"), "friends.example");
}

TEST_P(GoToSocialLimits, what_the_site_says_of_itself_is_said_on) {
    before.change(
        "UPDATE instances SET title = 'Mudflats', short_description_text = 'For \"waders\"', "
        "description_text "
        "= '# Long', terms_text = '# Terms', contact_email = 'team@example.org', contact_account_id = '" +
        alice + "', updated_at = '2026-02-03 04:05:06'"
    );
    EXPECT_THAT(
        lines("host: social.example.org"),
        ElementsAre(
            "title = \"Mudflats\"",
            "description = \"For \\\"waders\\\"\"",
            "contact_email = \"team@example.org\"",
            "contact_account = \"alice\"",
            "registrations = \"closed\"",
            "authorized_fetch = true"
        )
    );
    copy(before);
    EXPECT_EQ(
        ask("SELECT name, value FROM settings WHERE name LIKE 'text_%' ORDER BY name"),
        "text_extended_description|# Long\ntext_extended_description_at|1770091506000"
    );
    EXPECT_EQ(
        ask("SELECT text, effective_date, published_at FROM terms_of_service"),
        "# Terms|2026-02-03|1770091506000"
    );
    copy(before);
    EXPECT_EQ(ask("SELECT count(*) FROM terms_of_service"), "1");
}

TEST_P(GoToSocialLimits, what_is_lost_of_settings_is_named) {
    before.change(
        "UPDATE account_settings SET interaction_policy_public = '{}' WHERE account_id = '" + alice +
        "'; UPDATE instances SET custom_css = 'a{}'"
    );
    std::string lost;
    for (const auto& loss : check("").losses) lost += std::to_string(loss.rows) + " " + loss.what + "\n";
    for (const char* line :
         {"1 people who write in Markdown unless they choose otherwise",
          "1 people with rules of their own about who may answer",
          "1 styles of the pages of the site",
          "1 notes about who is gone elsewhere",
          "0 who may sign up, and whether it talks to allowed servers alone"})
        EXPECT_THAT(lost, HasSubstr(line));
    for (const auto& loss : check("host: social.example.org").losses)
        EXPECT_THAT(loss.what, Not(HasSubstr("who may sign up")));
}

TEST_P(
    GoToSocialLimits, people_elsewhere_whom_the_team_limited_or_wrote_about_are_known_without_another_tie
) {
    auto suspended_by = [](const std::string& whom) {
        return "suspended_at = '2026-11-01', suspension_origin = '" + whom + "'";
    };
    auto report = [&](int n, const std::string& by, const std::string& about, const std::string& posts) {
        return "INSERT INTO reports (id, uri, account_id, target_account_id, comment, statuses) VALUES ('" +
               ulid(n) + "', 'https://far.example/r/" + std::to_string(n) + "', '" + by + "', '" + about +
               "', 'rude', '" + posts + "');";
    };
    before.change(
        person(10, suspended_by(alice)) + person(11, "suspended_at = '2026-11-01'") +
        person(12, suspended_by(rule)) + person(13, suspended_by(ulid(13))) +
        person(14, "silenced_at = '2026-11-01'") + person(15, "sensitized_at = '2026-11-01'") +
        person(16, "") + person(17, "") + person(18, "") +
        "INSERT INTO statuses (id, created_at, uri, content, account_id, account_uri, activity_streams_type, "
        "federated, visibility) VALUES ('" +
        ulid(20) + "', '2026-11-01', 'https://far.example/p/1', '<p>rude</p>', '" + ulid(16) +
        "', 'https://far.example/far16', 'Note', 1, 2);" +
        report(30, alice, ulid(16), "[\"" + ulid(20) + "\"]") + report(31, ulid(17), alice, "[]")
    );
    copy(before);
    EXPECT_EQ(
        ask("SELECT username, suspended_at IS NOT NULL, silenced_at IS NOT NULL, sensitized_at IS NOT NULL "
            "FROM accounts WHERE domain = 'far.example' ORDER BY username"),
        "far10|1|0|0\nfar11|1|0|0\nfar14|0|1|0\nfar15|0|0|1\nfar16|0|0|0\nfar17|0|0|0"
    );
    EXPECT_EQ(
        ask("SELECT a.username, t.username, r.status_ids <> '[]' FROM reports r JOIN accounts a ON a.id = "
            "r.account_id JOIN accounts t ON t.id = r.target_id ORDER BY 1"),
        "alice|far16|1\nfar17|alice|0"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM statuses WHERE uri = 'https://far.example/p/1'"), "1");
    EXPECT_EQ(ask("SELECT count(*) FROM takeover_refusals"), "0");
}

TEST_P(GoToSocialLimits, whom_a_rule_about_their_server_suspended_it_lets_go_again) {
    before.change(
        person(10, "suspended_at = '2026-11-01', suspension_origin = '" + alice + "'") +
        person(11, "suspended_at = '2026-11-01', suspension_origin = '" + rule + "'") +
        person(12, "suspended_at = '2026-11-01', suspension_origin = '" + ulid(12) + "'") + person(13, "")
    );
    copy(before, {.everything = true});
    EXPECT_EQ(
        ask("SELECT username, suspended_by FROM accounts WHERE domain = 'far.example' ORDER BY username"),
        "far10|\nfar11|domain\nfar12|remote\nfar13|"
    );
}

TEST_P(GoToSocialLimits, a_picture_that_an_edit_took_away_is_not_shown_again) {
    const std::string of_picture = " WHERE id = '01M81NR2QFS1JR7A1JGX2BFB3W'";
    auto position = [&] {
        copy(before);
        return ask("SELECT position, status_id IS NOT NULL FROM media");
    };
    EXPECT_EQ(position(), "0|1");
    before.change("UPDATE statuses SET attachments = '[\"01M81NR1D6X658NX6XFT7FAEG9\"]'" + of_picture);
    EXPECT_EQ(position(), "-1|1");
    before.change("UPDATE statuses SET attachments = 'null'" + of_picture);
    EXPECT_EQ(position(), "-1|1") << "its last one";
    before.change("UPDATE media_attachments SET status_id = NULL");
    EXPECT_EQ(position(), "0|0") << "it waits for a post";
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// What a Mastodon has for its team, in tables of ours: reports, decisions, blocks, announcements.
#include "takeover/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;

// The columns that are read, in the types that they have there.
constexpr const char* tables_of_the_team = R"(
CREATE TABLE reports (id bigint, status_ids bigint[] NOT NULL DEFAULT '{}', comment text NOT NULL DEFAULT '',
    created_at timestamp, updated_at timestamp, account_id bigint, action_taken_by_account_id bigint,
    target_account_id bigint, assigned_account_id bigint, uri varchar, forwarded boolean, category integer DEFAULT 0,
    action_taken_at timestamp, rule_ids bigint[], application_id bigint);
CREATE TABLE account_warnings (id bigint, account_id bigint, target_account_id bigint, action integer, text text,
    created_at timestamp, updated_at timestamp, report_id bigint, status_ids varchar[], overruled_at timestamp);
CREATE TABLE appeals (id bigint, account_id bigint, account_warning_id bigint, text text, approved_at timestamp,
    approved_by_account_id bigint, rejected_at timestamp, rejected_by_account_id bigint, created_at timestamp);
CREATE TABLE account_moderation_notes (id bigint, content text, account_id bigint, target_account_id bigint,
    created_at timestamp);
CREATE TABLE report_notes (id bigint, content text, report_id bigint, account_id bigint, created_at timestamp);
CREATE TABLE announcements (id bigint, text text, published boolean, all_day boolean, scheduled_at timestamp,
    starts_at timestamp, ends_at timestamp, created_at timestamp, updated_at timestamp, published_at timestamp,
    status_ids bigint[]);
CREATE TABLE announcement_reactions (id bigint, account_id bigint, announcement_id bigint, name varchar,
    custom_emoji_id bigint);
CREATE TABLE announcement_mutes (id bigint, account_id bigint, announcement_id bigint);
CREATE TABLE relays (id bigint, inbox_url varchar, follow_activity_id varchar, created_at timestamp, state integer);
CREATE TABLE ip_blocks (id bigint, ip inet, severity integer, expires_at timestamp, comment text, created_at timestamp);
CREATE TABLE email_domain_blocks (id bigint, domain varchar, created_at timestamp, parent_id bigint,
    allow_with_approval boolean);
CREATE TABLE username_blocks (id bigint, username varchar, normalized_username varchar, exact boolean,
    allow_with_approval boolean, created_at timestamp);
CREATE TABLE domain_allows (id bigint, domain varchar, created_at timestamp);
CREATE TABLE terms_of_services (id bigint, text text, changelog text, published_at timestamp, created_at timestamp,
    effective_date date);
CREATE TABLE account_warning_presets (id bigint, text text, title varchar);
CREATE TABLE user_invite_requests (id bigint, user_id bigint, text text);
CREATE TABLE notification_permissions (id bigint, account_id bigint, from_account_id bigint);
CREATE TABLE notification_requests (id bigint, account_id bigint, from_account_id bigint, last_status_id bigint,
    notifications_count bigint, created_at timestamp, updated_at timestamp);
CREATE TABLE follow_recommendation_mutes (id bigint, account_id bigint, target_account_id bigint, created_at timestamp);
CREATE TABLE account_deletion_requests (id bigint, account_id bigint, created_at timestamp);
CREATE TABLE web_settings (id bigint, data json, user_id bigint);
INSERT INTO reports VALUES (5, '{117584953344000153,99}', 'rude', '2026-11-10', '2026-11-11', 1, NULL,
    110502110822400005, 1, NULL, true, 2000, NULL, '{1}', NULL);
INSERT INTO account_warnings VALUES (6, 1, 111866491699200077, 3000, 'loud', '2026-11-12', '2026-11-12', 5, '{8}',
    '2026-11-13');
INSERT INTO appeals VALUES (7, 111866491699200077, 6, 'I was not', '2026-11-13', 1, NULL, NULL, '2026-11-12 12:00');
INSERT INTO account_moderation_notes VALUES (1, 'watch', 1, 110502110822400005, '2026-11-12');
INSERT INTO report_notes VALUES (1, 'asked them', 5, 1, '2026-11-12');
INSERT INTO announcements VALUES (8, 'We #move', true, false, NULL, NULL, NULL, '2026-11-01', '2026-11-01',
    '2026-11-01', NULL), (9, 'draft', false, false, NULL, NULL, NULL, '2026-11-01', '2026-11-01', NULL, NULL);
INSERT INTO announcement_reactions VALUES (3, 1, 8, 'dunlin', 1);
INSERT INTO announcement_mutes VALUES (4, 1, 8);
INSERT INTO relays VALUES (1, 'https://relay.example/inbox', 'https://social.example.org/payloads/r1', '2026-01-01', 2),
    (2, 'https://off.example/inbox', NULL, '2026-01-01', 0);
INSERT INTO ip_blocks VALUES (1, '192.0.2.0/24', 5500, NULL, 'spam', '2026-01-01');
INSERT INTO email_domain_blocks VALUES (1, 'throwaway.example', '2026-01-01', NULL, true);
INSERT INTO username_blocks VALUES (1, 'Adm1n', 'admin', true, false, '2026-01-01');
INSERT INTO domain_allows VALUES (1, 'friends.example', '2026-01-01');
INSERT INTO terms_of_services VALUES (1, '# Terms', 'new', '2026-01-01', '2026-01-01', '2026-02-01'),
    (2, '# First', '', '2025-03-04 23:30', '2025-03-01', NULL), (3, '# Draft', '', NULL, '2025-03-01', NULL);
INSERT INTO account_warning_presets VALUES (1, 'Please stop', 'Stop');
INSERT INTO user_invite_requests VALUES (1, 2, 'I like birds');
INSERT INTO notification_permissions VALUES (1, 1, 110502110822400005);
INSERT INTO notification_requests VALUES (2, 1, 110502110822400005, 117584953344000153, 3, '2026-11-01', '2026-11-02');
INSERT INTO follow_recommendation_mutes VALUES (1, 1, 111866491699200077, '2026-11-01');
INSERT INTO account_deletion_requests VALUES (1, 111866491699200077, '2026-11-01');
INSERT INTO web_settings VALUES (1, '{"theme": "dark"}', 1);
INSERT INTO settings (id, var, value) VALUES (20, 'trends', '--- false' || chr(10)),
    (21, 'site_extended_description', '--- "Long\nwords"' || chr(10)), (22, 'custom_css', '--- ''a{}''' || chr(10));
)";

struct MastodonTeamCopied : CopiedTo {
    void SetUp() override {
        CopiedTo::SetUp();
        if (IsSkipped()) return;
        if (!support::postgres_url()) GTEST_SKIP() << "a Mastodon needs PostgreSQL: DUNLIN_TEST_POSTGRES";
        const Mastodon before;
        before.change(tables_of_the_team);
        copy(before, {.settings = Mastodon::settings(), .notification_days = 2000});
    }
    const std::string bob = "111866491699200077", wren = "110502110822400005", remote = "117584953344000153";
};
ON_EACH_DATABASE(MastodonTeamCopied);

TEST_P(MastodonTeamCopied, reports_and_what_was_decided_stay) {
    EXPECT_EQ(
        ask("SELECT id, account_id, target_id, category, comment, status_ids, rule_ids, forwarded, "
            "assigned_account_id, action_taken_at FROM reports"),
        "5|1|" + wren + "|violation|rude|[\"" + remote + "\"]|[\"1\"]|1|1|NULL"
    );
    EXPECT_EQ(ask("SELECT report_id, status_id FROM report_statuses"), "5|" + remote);
    EXPECT_EQ(ask("SELECT account_id, open, reports FROM cases"), wren + "|1|1") << "the team finds it";
    EXPECT_EQ(
        ask("SELECT id, account_id, actor_id, action, text, report_id, status_ids, overruled_at IS NOT NULL, "
            "ground, "
            "rule_ids FROM strikes"),
        "6|" + bob + "|1|silence|loud|5|[\"8\"]|1|violation|[\"1\"]"
    );
    EXPECT_EQ(
        ask("SELECT id, strike_id, account_id, state, decided_by_id FROM appeals"),
        "7|6|" + bob + "|approved|1"
    );
    EXPECT_EQ(
        ask("SELECT kind, subject, author_id, text FROM notes ORDER BY text"),
        "account|" + wren + "|1|asked them\naccount|" + wren + "|1|watch"
    );
}

// A copy that was cut off while it was settled is settled again.
TEST_P(MastodonTeamCopied, settling_twice_changes_nothing_more) {
    const auto once = everything();
    takeover::Choice choice;
    choice.now = database.options.context.clock();
    takeover::settle(target(), choice);
    EXPECT_EQ(difference(everything(), once), "");
}

TEST_P(MastodonTeamCopied, who_may_come_in_is_decided_as_before) {
    EXPECT_EQ(ask("SELECT ip, severity, comment FROM ip_blocks"), "192.0.2.0/24|sign_up_block|spam");
    EXPECT_EQ(ask("SELECT domain, allow_with_approval FROM email_domain_blocks"), "throwaway.example|1");
    EXPECT_EQ(ask("SELECT username, plain, exact FROM username_blocks"), "Adm1n|admin|1");
    EXPECT_EQ(ask("SELECT domain FROM domain_allows"), "friends.example");
    EXPECT_EQ(ask("SELECT reason FROM users WHERE id = 2"), "I like birds");
    EXPECT_EQ(
        ask("SELECT inbox, follow, state FROM relays"),
        "https://relay.example/inbox|https://social.example.org/payloads/r1|accepted"
    );
}

TEST_P(MastodonTeamCopied, what_the_site_says_is_said_on) {
    EXPECT_EQ(ask("SELECT id, text, published_at FROM announcements"), "8|We #move|1793491200000");
    EXPECT_EQ(ask("SELECT account_id, name, custom_emoji_id FROM announcement_reactions"), "1|dunlin|1");
    EXPECT_EQ(ask("SELECT account_id, announcement_id FROM announcement_dismissals"), "1|8");
    EXPECT_EQ(
        ask("SELECT text, changelog, effective_date FROM terms_of_service ORDER BY id"),
        "# Terms|new|2026-02-01\n# First||2025-03-04"
    );
    EXPECT_EQ(ask("SELECT title, text FROM warning_presets"), "Stop|Please stop");
    EXPECT_EQ(
        ask("SELECT value FROM settings WHERE name IN ('trends', 'text_extended_description', 'custom_css') "
            "ORDER BY "
            "name"),
        "a{}\nLong\nwords\nfalse"
    );
}

TEST_P(MastodonTeamCopied, what_people_chose_besides_stays) {
    EXPECT_EQ(ask("SELECT account_id, from_account_id FROM notification_permissions"), "1|" + wren);
    EXPECT_EQ(
        ask("SELECT account_id, from_account_id, last_status_id, notifications_count FROM "
            "notification_requests"),
        "1|" + wren + "|" + remote + "|3"
    );
    EXPECT_EQ(ask("SELECT account_id, target_id FROM suggestion_dismissals"), "1|" + bob);
    EXPECT_EQ(ask("SELECT account_id, due_at FROM deletions"), bob + "|1796083200000");
    EXPECT_EQ(ask("SELECT user_id, data FROM web_settings"), "1|{\"theme\": \"dark\"}");
    EXPECT_EQ(ask("SELECT kind, former, reason FROM takeover_refusals"), "");
}

}  // namespace

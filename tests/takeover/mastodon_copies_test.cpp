// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies out of a Mastodon that are cut off, made again, or of databases that are not as expected.
#include "takeover/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::ElementsAre, testing::HasSubstr;

struct MastodonCopies : CopiedTo {
    void SetUp() override {
        CopiedTo::SetUp();
        if (!IsSkipped() && !support::postgres_url())
            GTEST_SKIP() << "a Mastodon needs PostgreSQL: DUNLIN_TEST_POSTGRES";
    }
    static takeover::Report check(
        const Mastodon& before, const takeover::Settings& settings, const fs::path& media
    ) {
        auto foreign = db::open_foreign(before.source());
        return takeover::check(*takeover::recognise(*foreign, settings), media);
    }
    static std::string objection(const Mastodon& before, const takeover::Settings& settings) {
        try {
            check(before, settings, {});
        } catch (const takeover::Unsuitable& e) {
            return e.what();
        }
        return "";
    }
    static std::string losses(const takeover::Report& report) {
        std::string out;
        for (const auto& loss : report.losses) out += std::to_string(loss.rows) + " " + loss.what + "\n";
        return out;
    }
    const Order known{.settings = Mastodon::settings(), .notification_days = 2000};
};
ON_EACH_DATABASE(MastodonCopies);

TEST_P(MastodonCopies, end_with_the_same_rows_wherever_they_were_cut_off) {
    const Mastodon before;
    copy(before, known);
    const auto whole = everything();
    ASSERT_THAT(whole, HasSubstr("First light over the estuary"));
    // Chunks of two rows, so that most cuts are in the middle of a table.
    const int stride = database.is_postgres() ? 29 : 11;
    bool was_cut = true;
    for (int chunks = 0; was_cut; chunks += stride) {
        begin_anew();
        was_cut = false;
        auto order = known;
        order.chunk = 2;
        order.chunks = chunks;
        try {
            copy(before, order);
        } catch (const Interrupted&) {
            was_cut = true;
            database.clock_ms += 1000;
            order.chunks = -1;
            copy(before, order);
        }
        EXPECT_EQ(difference(everything(), whole), "") << "after " << chunks;
    }
}

TEST_P(MastodonCopies, made_again_follow_the_source) {
    const Mastodon before;
    copy(before, known);
    before.change(
        "UPDATE statuses SET text = 'was edited again' WHERE id = 117567966412800102;"
        "DELETE FROM favourites WHERE id = 41; DELETE FROM statuses WHERE id = 117550979481600051;"
        "UPDATE user_roles SET name = 'Welcomer' WHERE id = 5"
    );
    copy(before, known);
    EXPECT_EQ(ask("SELECT count(*) FROM statuses"), "11");
    EXPECT_EQ(ask("SELECT text FROM statuses WHERE edited_at IS NOT NULL"), "was edited again");
    EXPECT_EQ(ask("SELECT favourites_count FROM statuses WHERE id = 117539654860800017"), "1");
    EXPECT_EQ(ask("SELECT name FROM roles WHERE id = 5"), "Welcomer");
    takeover::finish(target());
    EXPECT_THAT(sentence(before, known), HasSubstr("has taken over already"));
}

TEST_P(MastodonCopies, never_write_to_the_source) {
    const Mastodon before;
    auto rows_changed = [&] {
        const auto there = db::open_foreign(before.source());
        return rows(
            *there, "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del), count(*) FROM pg_stat_user_tables"
        );
    };
    before.change("SELECT pg_stat_force_next_flush()");
    const auto at_first = rows_changed();
    copy(before, known);
    before.change("SELECT pg_stat_force_next_flush()");
    EXPECT_EQ(rows_changed(), at_first);
    auto foreign = db::open_foreign(before.source());
    EXPECT_THROW(foreign->run("DELETE FROM users", {}, [](auto&) {}), db::Unreadable);
}

TEST_P(MastodonCopies, are_preceded_by_a_check_that_names_what_is_lost_and_what_to_configure) {
    const Mastodon before;
    fs::remove(before.media / "media_attachments/files/117/545/313/239/040/003/original/dunlin01.jpg");
    const auto report = check(before, Mastodon::settings(), before.media);
    EXPECT_EQ(report.program + " " + report.version, "Mastodon 4.7");
    EXPECT_EQ(report.keys_checked, 3);
    EXPECT_THAT(report.bad_keys, ElementsAre());
    EXPECT_EQ(report.files_checked, 1);
    EXPECT_EQ(report.files_found, 0);
    EXPECT_EQ(
        losses(report),
        "1 copies of media of other servers, which are fetched again\n"
        "0 link previews and trends, which are made anew\n"
        "0 statistics of days gone by\n"
    );
    EXPECT_THAT(
        report.configuration,
        ElementsAre(
            "domain = \"social.example.org\"",
            "public_url = \"https://social.example.org\"",
            "title = \"Mudflats\"",
            "description = \"A server for\\nshorebirds\"",
            "contact_account = \"alice\"",
            "registrations = \"approval\""
        )
    );
    before.change(
        "INSERT INTO keypairs VALUES (9, 1, 2, NULL, '#pq', 'x', 'y', NULL, false, now(), now());"
        "CREATE TABLE webhooks (id bigint); INSERT INTO webhooks VALUES (1), (2)"
    );
    auto settings = Mastodon::settings();
    settings.erase("VAPID_PRIVATE_KEY");
    const auto more = losses(check(before, settings, {}));
    EXPECT_THAT(more, HasSubstr("1 keys of a kind that nobody here signs with (ML-DSA)"));
    EXPECT_THAT(more, HasSubstr("2 webhooks"));
    EXPECT_THAT(more, HasSubstr("1 push subscriptions, since VAPID_PRIVATE_KEY"));
    before.change(
        "UPDATE accounts SET public_key = (SELECT public_key FROM accounts WHERE id = -99) WHERE id = 1"
    );
    EXPECT_THAT(check(before, settings, {}).bad_keys, ElementsAre("https://social.example.org/users/alice"));
    expect_nothing_written();
}

TEST_P(MastodonCopies, of_what_cannot_be_read_write_nothing) {
    const Mastodon before;
    EXPECT_THAT(objection(before, {}), HasSubstr("Name the configuration of that server with --old-config"));
    auto wrong = Mastodon::settings();
    wrong["ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY"] = "another";
    EXPECT_THAT(objection(before, wrong), HasSubstr("do not open what is encrypted"));
    EXPECT_THAT(sentence(before, {.settings = wrong}), HasSubstr("do not open what is encrypted"));
    before.change("ALTER TABLE polls RENAME COLUMN voters_count TO people");
    EXPECT_EQ(sentence(before, known), "The table polls has no column voters_count");
    before.change("INSERT INTO schema_migrations VALUES ('20991231000000')");
    EXPECT_THAT(sentence(before, known), HasSubstr("last migration is 20991231000000"));
    EXPECT_EQ(
        sentence(before, {.settings = known.settings, .newer = true}),
        "The table polls has no column voters_count"
    );
    before.change("DELETE FROM schema_migrations; INSERT INTO schema_migrations VALUES ('20230101000000')");
    EXPECT_THAT(sentence(before, known), HasSubstr("Bring it to such a version first"));
    before.change("DROP TABLE oauth_access_tokens");
    EXPECT_THAT(sentence(before, known), HasSubstr("no database of"));
    expect_nothing_written();
}

TEST_P(MastodonCopies, of_older_versions_lack_only_what_these_did_not_have) {
    const Mastodon before;
    before.change(
        "DROP TABLE quotes; DROP TABLE notification_policies; DROP TABLE invites;"
        "ALTER TABLE accounts DROP COLUMN id_scheme, DROP COLUMN avatar_description, DROP COLUMN show_media;"
        "ALTER TABLE statuses DROP COLUMN quote_approval_policy; ALTER TABLE user_roles DROP COLUMN "
        "require_2fa;"
        "ALTER TABLE users DROP COLUMN age_verified_at; ALTER TABLE web_push_subscriptions DROP COLUMN "
        "standard;"
        "UPDATE schema_migrations SET version = '20241014010506';"
        "UPDATE statuses SET uri = 'https://social.example.org/users/bob/statuses/' || id WHERE account_id = "
        "111866491699200077 AND reblog_of_id IS NULL"
    );
    copy(before, known);
    EXPECT_EQ(ask("SELECT version FROM takeovers"), "4.3");
    EXPECT_EQ(ask("SELECT uri FROM accounts WHERE username = 'bob'"), "https://social.example.org/users/bob");
    EXPECT_EQ(
        ask("SELECT id FROM actor_keys WHERE account_id = 111866491699200077"),
        "https://social.example.org/users/bob#main-key"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM statuses"), "12");
    EXPECT_EQ(ask("SELECT count(*) FROM quotes"), "0");
    EXPECT_EQ(ask("SELECT relations FROM statuses WHERE id = 117590615654400170"), "0");
}

TEST_P(MastodonCopies, refuse_bad_rows_one_by_one_and_take_the_rest) {
    const Mastodon before;
    before.change(
        // Somebody elsewhere whose id is here, and a follow by them.
        "INSERT INTO accounts (id, username, domain, uri, inbox_url, protocol, created_at, updated_at) "
        "VALUES "
        "(77, 'eve', 'evil.example', 'https://social.example.org/users/alice/eve', "
        "'https://evil.example/inbox', 1, "
        "now(), now());"
        "INSERT INTO follows (id, account_id, target_account_id, created_at, updated_at) VALUES (77, 77, 1, "
        "now(), "
        "now());"
        // The same name in other letters.
        "INSERT INTO accounts (id, username, private_key, public_key, id_scheme, created_at, updated_at) "
        "SELECT 78, "
        "'ALICE', private_key, public_key, 1, now(), now() FROM accounts WHERE id = 1;"
        // A post of this site under an id of another, and two that answer each other.
        "UPDATE statuses SET uri = 'https://evil.example/8' WHERE id = 8;"
        "UPDATE statuses SET in_reply_to_id = 117573628723200119, in_reply_to_account_id = "
        "111866491699200077 WHERE "
        "id = 117539654860800017;"
        // A path that leads out of the folder, and a text that is longer than any post.
        "UPDATE media_attachments SET file_file_name = '../../../../../../../etc/passwd' WHERE id = "
        "117545313239040003;"
        "UPDATE statuses SET text = repeat('x', 2000000) WHERE id = 117550979481600051;"
        "UPDATE webauthn_credentials SET public_key = 'AAAA'"
    );
    copy(before, known);
    const auto refused = ask("SELECT kind, former, reason FROM takeover_refusals ORDER BY kind, former");
    for (const char* line :
         {"account|77|@eve: it is of another server, its id is of this one",
          "account|78|somebody else has this name, in other letters",
          "answer|117539654860800017|it answers itself by a circle",
          "file|117545313239040003|its path leads elsewhere",
          "passkey|1|its key is of a kind that is not known here",
          "status|117550979481600051|text is longer than a million bytes",
          "status|8|it is of this server, its id is of another"})
        EXPECT_THAT(refused, HasSubstr(line));
    EXPECT_EQ(std::ranges::count(refused, '\n'), 6) << refused;
    EXPECT_EQ(ask("SELECT count(*) FROM statuses"), "10");
    EXPECT_EQ(ask("SELECT count(*) FROM follows"), "3");
    EXPECT_EQ(ask("SELECT count(*) FROM media WHERE account_id = 1"), "0");
}

TEST_P(MastodonCopies, leave_out_what_nobody_here_has_to_do_with_unless_all_is_asked_for) {
    const Mastodon before;
    before.change(
        "INSERT INTO accounts (id, username, domain, uri, inbox_url, protocol, created_at, updated_at) "
        "VALUES "
        "(90, 'far', 'far.example', 'https://far.example/u/far', 'https://far.example/inbox', 1, now(), "
        "now()),"
        "(91, 'older', 'old.example', 'https://old.example/u/older', '', 0, now(), now());"
        "INSERT INTO conversations VALUES (90, 'https://far.example/c/1', NULL, NULL, now(), now());"
        "INSERT INTO statuses (id, uri, text, created_at, updated_at, account_id, local, conversation_id) "
        "VALUES "
        "(900, 'https://far.example/p/1', '<p>far</p>', now(), now(), 90, false, 90)"
    );
    copy(before, known);
    EXPECT_EQ(ask("SELECT count(*) FROM accounts WHERE id IN (90, 91)"), "0");
    EXPECT_EQ(ask("SELECT count(*) FROM statuses WHERE id = 900"), "0");
    auto order = known;
    order.everything = true;
    copy(before, order);
    EXPECT_EQ(ask("SELECT id FROM accounts WHERE id IN (90, 91)"), "90");
    EXPECT_EQ(ask("SELECT content, conversation_id FROM statuses WHERE id = 900"), "<p>far</p>|90");
    EXPECT_EQ(ask("SELECT uri FROM conversations WHERE id = 90"), "https://far.example/c/1");
}

}  // namespace

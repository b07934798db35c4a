// SPDX-License-Identifier: AGPL-3.0-or-later
// What a Hollo has that cannot be taken is said, row by row and before; and a copy is the same however it was made.
#include "takeover/hollo_stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::AllOf, testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::Pair;

struct HolloLimits : HolloThere {
    takeover::Report report() const {
        auto foreign = db::open_foreign(before->source());
        auto source = takeover::recognise(*foreign, {});
        return takeover::check(*source, before->media);
    }
};
ON_EACH_DATABASE(HolloLimits);

TEST_P(HolloLimits, a_check_says_what_is_lost_and_what_to_write) {
    before->change(
        "UPDATE totps SET algorithm = 'SHA256'; UPDATE accounts SET successor_id = (SELECT id FROM accounts "
        "WHERE handle LIKE '@wren@%') WHERE handle LIKE '@bob@%'"
    );
    const auto found = report();
    EXPECT_EQ(
        found.program + " " + found.version + " " + found.domain,
        "Hollo schema 20260822140652 social.example.org"
    );
    EXPECT_EQ(found.keys_checked, 2);
    EXPECT_TRUE(found.bad_keys.empty());
    EXPECT_EQ(found.files_checked, 1);
    EXPECT_EQ(found.files_found, 1);
    std::map<std::string, std::int64_t> lost;
    for (const auto& loss : found.losses)
        lost[loss.what.substr(0, loss.what.find_first_of(",:"))] = loss.rows;
    for (const auto& [what, rows] : std::map<std::string, std::int64_t>{
             {"reactions with an emoji", 3},
             {"accounts besides the first of the one who signs in", 1},
             {"accounts whose list of followers is hidden from now on", 1},
             {"second factors whose codes are not of six digits", 1},
             {"accounts that have moved", 1},
             {"uploads that no post shows", 1},
             {"sign-ins of apps that were not finished", 1},
             {"deliveries and other work that waited", 1},
         })
        EXPECT_THAT(lost, Contains(Pair(what, rows)));
    EXPECT_THAT(
        found.configuration,
        ElementsAre(
            R"(domain = "social.example.org")",
            R"(public_url = "https://social.example.org")",
            R"(registrations = "closed")"
        )
    );
    expect_nothing_written();
}

TEST_P(HolloLimits, direct_conversations_are_made_of_their_posts) {
    const std::string alice = "01a1961f-5c00-7000-8001-000000000001",
                      bob = "01a19b45-b800-7000-8002-000000000002",
                      answering = "01a1cf00-0000-7000-8013-000000000014",
                      word = "01a1ce9c-1d20-7000-8013-000000000013";
    auto views = [&] {
        return ask(
            "SELECT a.username, v.unread, (SELECT o.username FROM accounts o WHERE v.participants = ',' || "
            "o.id || ','), (SELECT text FROM statuses s WHERE s.id = v.last_status_id), (SELECT count(*) "
            "FROM "
            "account_conversation_statuses x WHERE x.account_conversation_id = v.id) FROM "
            "account_conversations v JOIN accounts a ON a.id = v.account_id ORDER BY 1"
        );
    };
    copy(*before);
    EXPECT_EQ(views(), "alice|0|bob|@bob a direct word|1\nbob|0|alice|@bob a direct word|1");
    before->change(
        "INSERT INTO posts (id, iri, type, actor_id, visibility, published, updated, content, content_html, "
        "reply_target_id) VALUES ('" +
        answering + "', 'https://social.example.org/@bob/" + answering + "', 'Note', '" + bob +
        "', 'direct', '2026-11-12 09:00:00+00', '2026-11-12 09:00:00+00', '@alice yes', '<p>yes</p>', '" +
        word + "'); INSERT INTO mentions (post_id, account_id) VALUES ('" + answering + "', '" + alice + "')"
    );
    const auto numbers = ask("SELECT id FROM account_conversations ORDER BY id");
    copy(*before);
    EXPECT_EQ(views(), "alice|0|bob|@alice yes|2\nbob|0|alice|@alice yes|2");
    EXPECT_EQ(ask("SELECT id FROM account_conversations ORDER BY id"), numbers) << "as they were called";
    before->change("INSERT INTO blocks VALUES ('" + alice + "', '" + bob + "')");
    copy(*before);
    EXPECT_EQ(views(), "bob|0|alice|@alice yes|2");
    EXPECT_EQ(ask("SELECT count(*) FROM account_conversation_statuses"), "2");
}

TEST_P(HolloLimits, home_is_read_up_to_the_nearest_older_post_where_one_did_not_come_along) {
    before->change(
        "UPDATE markers SET last_read_id = '01a1ceb7-9460-7000-8019-000000000019' WHERE type = 'home'"
    );
    copy(*before);
    EXPECT_EQ(ask("SELECT last_read_id - " + post(wish) + " FROM markers WHERE timeline = 'home'"), "0");
    before->change("UPDATE markers SET last_read_id = 'none of ours' WHERE type = 'home'");
    copy(*before);
    EXPECT_EQ(ask("SELECT count(*) FROM markers WHERE timeline = 'home'"), "0");
}

TEST_P(HolloLimits, another_copy_and_one_that_was_cut_off_give_the_same_rows) {
    copy(*before);
    const auto whole = everything();
    ASSERT_THAT(whole, HasSubstr("over the estuary"));
    copy(*before);
    EXPECT_EQ(difference(everything(), whole), "");
    for (const int chunks : {3, 30}) {
        begin_anew();
        EXPECT_THROW(copy(*before, {.chunks = chunks, .chunk = 2}), Interrupted);
        copy(*before, {.chunk = 2});
        EXPECT_EQ(difference(everything(), whole), "") << chunks;
    }
}

TEST_P(HolloLimits, a_thread_that_grew_between_two_copies_stays_one_when_the_second_is_cut_off) {
    copy(*before);
    before->change(
        "UPDATE posts SET reply_target_id = (SELECT id FROM posts WHERE content = 'A picture') WHERE content "
        "= 'Look'"
    );
    EXPECT_THROW(copy(*before, {.chunks = 3, .chunk = 2}), Interrupted);
    copy(*before);
    EXPECT_EQ(
        ask("SELECT count(DISTINCT conversation_id) FROM statuses WHERE text IN ('Look', 'A picture')"), "1"
    );
}

TEST_P(HolloLimits, handles_may_be_of_another_domain_and_files_in_a_bucket) {
    before->change(R"(
        UPDATE accounts SET handle = '@' || split_part(handle, '@', 2) || '@example.org' WHERE handle LIKE '%@social.example.org';
        UPDATE accounts SET avatar_url = 'https://files.example.org/hollo/avatars/alice.png' WHERE handle LIKE '@alice@%';
        UPDATE media SET url = 'https://files.example.org/hollo/media/far.png' WHERE post_id IS NOT NULL;
    )");
    EXPECT_EQ(report().domain, "example.org");
    database.site.domain = "example.org";
    copy(*before, {.settings = takeover::settings_of("STORAGE_URL_BASE=https://files.example.org/hollo/\n")});
    EXPECT_EQ(ask("SELECT avatar FROM accounts WHERE username = 'alice'"), "former/assets/avatars/alice.png");
    EXPECT_EQ(ask("SELECT file FROM media"), "https://files.example.org/hollo/media/far.png");
    EXPECT_EQ(refusals(), "");
}

TEST_P(HolloLimits, hostile_rows_are_refused_one_by_one) {
    before->change(R"(
        INSERT INTO accounts (id, iri, type, name, handle, inbox_url, published)
            SELECT CAST('01a1961f-5c00-7000-8001-0000000000' || n AS uuid), iri, 'Person', 'x', handle, inbox, '2026-11-05'
            FROM (VALUES ('f1', 'https://social.example.org/@ALICE', '@ALICE@social.example.org', 'https://social.example.org/x'),
                         ('f2', 'https://far.example/users/mal', '@mal@social.example.org', 'https://far.example/x'),
                         ('f3', 'https://social.example.org/users/sly', '@sly@remote.example', 'https://remote.example/x'),
                         ('f4', 'https://social.example.org/@odd', '@odd@social.example.org', 'https://social.example.org/x'))
                v(n, iri, handle, inbox);
        INSERT INTO account_owners (id, handle, rsa_private_key_jwk, rsa_public_key_jwk, ed25519_private_key_jwk,
                ed25519_public_key_jwk, visibility)
            SELECT a.id, a.iri, o.rsa_private_key_jwk, o.rsa_public_key_jwk,
                CASE WHEN a.handle LIKE '@odd%' THEN o.ed25519_private_key_jwk || '{"d": "AAAA"}' ELSE o.ed25519_private_key_jwk END,
                o.ed25519_public_key_jwk, 'public'
            FROM accounts a JOIN account_owners o ON o.handle = 'bob' WHERE a.name = 'x' AND a.handle NOT LIKE '@sly%';
        INSERT INTO follows (iri, following_id, follower_id, approved)
            SELECT 'https://remote.example/f/9', (SELECT id FROM account_owners WHERE handle = 'alice'), id, now()
            FROM accounts WHERE handle LIKE '@sly%';
        INSERT INTO accounts (id, iri, type, name, handle, inbox_url, published)
            VALUES ('01a1ffff-0000-7000-8000-0000000000f5', 'https://social.example.org/users/late', 'Person', 'late',
                '@late@remote.example', 'https://remote.example/x', '2026-11-05');
        UPDATE accounts SET successor_id = '01a1ffff-0000-7000-8000-0000000000f5' WHERE handle LIKE '@bob@%';
        UPDATE accounts SET cover_url = 'https://social.example.org/assets/%ff.png' WHERE handle LIKE '@bob@%';
        UPDATE mutes SET duration = '9000000 days' WHERE duration = 'PT1H';
        UPDATE polls SET expires = 'infinity';
        UPDATE accounts SET avatar_url = 'https://social.example.org/assets/../secret.png' WHERE handle LIKE '@alice@%';
        UPDATE follows SET iri = 'https://remote.example/forged' WHERE iri LIKE '%#follows/0b9c';
        UPDATE posts SET content = repeat('x', 1000001) WHERE content = 'was edited';
        UPDATE posts SET iri = 'https://social.example.org/@wren/1' WHERE iri = 'https://remote.example/posts/113';
        UPDATE posts SET reply_target_id = (SELECT id FROM posts WHERE content = 'Look') WHERE content = 'A picture';
        UPDATE posts SET reply_target_id = (SELECT id FROM posts WHERE content = 'A picture') WHERE content = 'Look';
        UPDATE posts SET tags = '[1]' WHERE content = 'Look';
        UPDATE passkeys SET public_key = 'AAAA';
        INSERT INTO custom_emojis VALUES ('no name', 'https://social.example.org/assets/x.png', NULL, now());
        INSERT INTO custom_emojis VALUES ('gone', 'https://social.example.org/assets/gone.png', NULL, now());
    )");
    copy(*before);
    const auto refused = refusals();
    for (const char* line :
         {"account|01a1961f-5c00-7000-8001-0000000000f1|another account has its name, in capitals or not, or "
          "its id",
          "@mal@social.example.org: it is of this server, its id is of another",
          "@sly@remote.example: it is of another server, its id is of this one",
          "@odd@social.example.org: one of its pairs of keys is none",
          "|its path leads elsewhere: ../secret.png",
          "it is missing: %ff.png of @bob@social.example.org",
          "poll|01a1cea0-b100-7000-803d-00000000003d|expires ",
          "|its id is of another server than who follows",
          "|it answers itself by a circle; the post is taken, the answer is not",
          "status|01a1cea9-d8c0-7000-8016-000000000016|",
          "status|01a1ceb3-0080-7000-8018-000000000018|it is of another server, its id is of this one",
          "passkey|cGFzc2tleS1vZi1hbGljZQ|its key is of a kind that is not known here",
          "emoji|no name|its name is none",
          "file|https://social.example.org/assets/gone.png|it is missing: gone.png of :gone:"})
        EXPECT_THAT(refused, HasSubstr(line));
    EXPECT_EQ(ask("SELECT username FROM accounts WHERE domain = '' ORDER BY 1"), "alice\nbob");
    EXPECT_FALSE(fs::exists(file("secret.png")));
    EXPECT_EQ(ask("SELECT count(*) FROM accounts WHERE moved_to_id IS NOT NULL"), "0");
    EXPECT_EQ(ask("SELECT count(*) FROM mutes WHERE expires_at IS NULL"), "1");
    const auto foreign = db::open_foreign(before->source());
    EXPECT_NO_THROW(takeover::recognise(*foreign, {})->samples(100));
}

TEST_P(HolloLimits, what_is_not_known_or_not_whole_gets_one_sentence_and_nothing_is_written) {
    before->change("UPDATE drizzle.__drizzle_migrations SET created_at = 4000000000000");
    EXPECT_THAT(
        sentence(*before), AllOf(HasSubstr("This version of Hollo is not known"), HasSubstr("20961002"))
    );
    before->change("DROP SCHEMA drizzle CASCADE");
    EXPECT_THAT(sentence(*before), HasSubstr("its last migration is unknown"));
    before->change(
        "CREATE SCHEMA drizzle; CREATE TABLE drizzle.__drizzle_migrations (created_at bigint); INSERT INTO "
        "drizzle.__drizzle_migrations VALUES (1781329517000); ALTER TABLE media DROP COLUMN position"
    );
    EXPECT_EQ(sentence(*before), "") << "0.9.9 had no order of media";
    begin_anew();
    before->change("ALTER TABLE posts RENAME content TO source");
    EXPECT_EQ(sentence(*before), "The table posts has no column content");
    before->change("DROP TABLE markers");
    before->change("ALTER TABLE posts RENAME source TO content");
    EXPECT_EQ(sentence(*before), "There is no table markers");
    expect_nothing_written();
}

}  // namespace

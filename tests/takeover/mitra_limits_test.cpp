// SPDX-License-Identifier: AGPL-3.0-or-later
// What a Mitra has that cannot be taken is said, row by row and before; and a copy is the same however it was made.
#include "takeover/mitra/reading.hpp"
#include "takeover/mitra_stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::Pair;

struct MitraLimits : MitraThere {
    takeover::Report report(bool lose_portable = false) const {
        auto foreign = db::open_foreign(before->source());
        auto source = takeover::recognise(*foreign, Mitra::settings());
        if (lose_portable) takeover::mitra::lose_portable(*source);
        return takeover::check(*source, before->media);
    }
};
ON_EACH_DATABASE(MitraLimits);

TEST_P(MitraLimits, a_check_says_what_is_lost_and_what_to_write) {
    const auto found = report();
    EXPECT_EQ(
        found.program + " " + found.version + " " + found.domain, "Mitra schema 0135 social.example.org"
    );
    EXPECT_EQ(found.keys_checked, 3);
    EXPECT_TRUE(found.bad_keys.empty());
    EXPECT_EQ(found.files_checked, 2);
    EXPECT_EQ(found.files_found, 1);
    std::map<std::string, std::int64_t> lost;
    for (const auto& loss : found.losses) lost[loss.what.substr(0, loss.what.find(','))] = loss.rows;
    for (const auto& [what, rows] : std::map<std::string, std::int64_t>{
             {"people here", 2},
             {"people elsewhere with ids that are of no server (FEP-ef61)", 1},
             {"posts for subscribers or those of a thread", 1},
             {"posts with a title", 1},
             {"reactions with an emoji", 2},
             {"dislikes", 1},
             {"choices not to see answers of somebody", 1},
             {"follow requests that were declined", 1},
             {"access tokens of no app", 1},
             {"uploads that no post shows", 1},
             {"deliveries that waited", 1},
             {"rules about other servers that say what nothing here says", 1},
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

TEST_P(MitraLimits, home_is_read_up_to_the_nearest_older_post_where_one_did_not_come_along) {
    before->change("UPDATE timeline_marker SET last_read_id = '" + uuid("19") + "' WHERE timeline = 1");
    copy_it();
    EXPECT_EQ(ask("SELECT count(*) FROM statuses WHERE uri LIKE 'https://far.example/%'"), "0");
    EXPECT_EQ(ask("SELECT last_read_id - " + post(wish) + " FROM markers WHERE timeline = 'home'"), "0");
}

TEST_P(MitraLimits, keys_of_the_server_that_are_none_are_told_of_and_made_anew) {
    before->change(R"(
        UPDATE internal_property SET property_value = '[48, 256]' WHERE property_name LIKE '%_rsa_%';
        DO $$ BEGIN
            EXECUTE format('ALTER DATABASE %I SET bytea_output = escape', current_database());
        END $$;
    )");
    EXPECT_THAT(report().bad_keys, ElementsAre("https://social.example.org/actor"));
    copy_it();
    EXPECT_THAT(refusals(), HasSubstr("the key of the server is none"));
    EXPECT_EQ(ask("SELECT count(*) FROM actor_keys WHERE account_id = 0"), "0");
}

// Version 136, which nobody has released: tokens from before it name nothing that they allow.
TEST_P(MitraLimits, apps_of_a_newer_one_may_do_what_their_tokens_or_they_themselves_may) {
    before->change(R"(
        UPDATE refinery_schema_history SET version = 136;
        ALTER TABLE oauth_token ADD COLUMN scopes text[] NOT NULL DEFAULT '{}';
        INSERT INTO oauth_token (owner_id, application_id, scopes, token_digest, created_at, expires_at)
            SELECT id, 1, '{"read"}', sha256('token-of-bob'), created_at, '2036-01-01 00:00:00+00' FROM user_account
            WHERE user_role = 1;
    )");
    copy_it();
    EXPECT_EQ(
        ask("SELECT a.username, t.scopes FROM tokens t JOIN users u ON u.id = t.user_id JOIN accounts a ON "
            "a.id = u.account_id ORDER BY 1"),
        "alice|read write\nbob|read"
    );
}

TEST_P(MitraLimits, an_address_without_a_scheme_is_that_of_a_web_site) {
    auto foreign = db::open_foreign(before->source());
    const auto at = [&](const char* line) {
        return takeover::recognise(*foreign, takeover::settings_of(line))->addresses().public_url;
    };
    EXPECT_EQ(at("instance_url: social.example.org"), "https://social.example.org");
    EXPECT_EQ(at("instance_url: 'http://social.example.org/'"), "http://social.example.org");
    EXPECT_EQ(at("instance_url: \"not an address\""), "");
}

// Of a thread that is for followers of who began it: wren follows alice, stint wrote in it and does not.
TEST_P(MitraLimits, what_is_for_those_of_a_thread_is_for_no_more_people) {
    before->change(R"(
        INSERT INTO post (id, author_id, created_at, conversation_id, in_reply_to_id, visibility, content, object_id)
            SELECT CAST(v.id AS uuid), a.id, '2026-11-12 07:55:00+00', root.conversation_id, root.id, 5, '<p>so</p>', v.uri
            FROM (VALUES ('0190c0de-0000-7000-8000-0000000000e1', 'bob', NULL),
                         ('0190c0de-0000-7000-8000-0000000000e2', 'wren', 'https://remote.example/posts/e2'),
                         ('0190c0de-0000-7000-8000-0000000000e3', 'stint', 'https://far.example/posts/e3')) v(id, name, uri)
            JOIN actor_profile a ON a.username = v.name, post root WHERE root.content_source = 'For followers only';
    )");
    copy_it();
    EXPECT_EQ(
        ask("SELECT a.username FROM mentions m JOIN accounts a ON a.id = m.account_id WHERE m.silent = TRUE "
            "AND "
            "m.status_id = " +
            post("e1") + " ORDER BY 1"),
        "alice\nwren"
    );
}

TEST_P(MitraLimits, people_of_no_server_are_told_of_first_and_left_behind_when_asked_for) {
    before->change(R"(
        INSERT INTO actor_profile (id, portable_user_id, actor_type, username, actor_json)
            SELECT i, i, 1, 'nomad', '{"type": "Person", "id": "ap://did:key:z6N/actor", "inbox": "x", "outbox": "x"}'
            FROM (SELECT CAST('0190c0de-0000-7000-8000-0000000000f0' AS uuid) AS i) v;
        INSERT INTO portable_user_account (id) VALUES ('0190c0de-0000-7000-8000-0000000000f0');
    )");
    EXPECT_THROW(report(), takeover::Unsuitable);
    EXPECT_THAT(sentence(*before, {.settings = Mitra::settings()}), HasSubstr("--lose-portable"));
    expect_nothing_written();
    const auto found = report(true);
    ASSERT_FALSE(found.losses.empty());
    EXPECT_THAT(found.losses.front().what, HasSubstr("FEP-ef61"));
    EXPECT_EQ(found.losses.front().rows, 1);
}

TEST_P(MitraLimits, another_copy_and_one_that_was_cut_off_give_the_same_rows) {
    copy_it();
    const auto whole = everything();
    ASSERT_THAT(whole, HasSubstr("over the estuary"));
    copy_it();
    EXPECT_EQ(difference(everything(), whole), "");
    for (const int chunks : {3, 30}) {
        begin_anew();
        EXPECT_THROW(copy_it({.chunks = chunks, .chunk = 2}), Interrupted);
        copy_it({.chunk = 2});
        EXPECT_EQ(difference(everything(), whole), "") << chunks;
    }
}

TEST_P(MitraLimits, one_that_talks_to_few_is_not_copied_into_one_that_talks_to_all) {
    before->change("INSERT INTO filter_rule (target, filter_action, is_reversed) VALUES ('*', 5, FALSE)");
    EXPECT_THAT(report().configuration, Contains("limited_federation = true"));
    EXPECT_THAT(
        sentence(*before, {.settings = Mitra::settings()}), HasSubstr("write limited_federation = true")
    );
    expect_nothing_written();
    copy_it({.limited = true});
    EXPECT_EQ(ask("SELECT domain FROM domain_allows"), "well.example");
}

// Whether one is rejected and whether its media are is judged apart, and what is taken back is taken back of that alone.
TEST_P(MitraLimits, rules_let_nobody_in_who_was_kept_out) {
    before->change(R"(
        INSERT INTO filter_rule (target, filter_action, is_reversed) VALUES
            ('bad.example', 1, FALSE), ('bad.example', 5, TRUE),
            ('media.example', 2, FALSE), ('media.example', 5, TRUE),
            ('*.apart.example', 5, FALSE), ('apart.example', 5, TRUE), ('pictures.apart.example', 2, FALSE),
            ('below.example', 5, FALSE), ('fine.below.example', 5, TRUE),
            ('*.remote.example', 5, FALSE);
        UPDATE actor_profile SET actor_json = actor_json || '{"id": "https://sub.remote.example/users/wren"}'
            WHERE username = 'wren';
    )");
    copy_it();
    EXPECT_EQ(
        ask("SELECT domain, severity, reject_media FROM domain_blocks ORDER BY 1"),
        "apart.example|suspend|0\nbad.example|suspend|0\nbelow.example|suspend|0\nfine.below.example|noop|0\n"
        "loud.example|noop|1\nmedia.example|noop|1\npictures.apart.example|suspend|1\n"
        "remote.example|suspend|0\nspam.example|suspend|0"
    );
    EXPECT_EQ(ask("SELECT suspended_by FROM accounts WHERE username = 'wren'"), "domain");
    before->change(
        "INSERT INTO filter_rule (target, filter_action, is_reversed) VALUES ('*', 1, FALSE), ('*', 5, TRUE)"
    );
    EXPECT_THAT(report().configuration, Contains("limited_federation = true"));
}

TEST_P(MitraLimits, hostile_rows_are_refused_one_by_one) {
    before->change(R"(
        INSERT INTO actor_profile (id, user_id, actor_type, username) SELECT CAST(i AS uuid), CAST(i AS uuid), 1, n
            FROM (VALUES ('0190c0de-0000-7000-8000-0000000000f1', 'ALICE'),
                         ('0190c0de-0000-7000-8000-0000000000f2', 'odd')) v(i, n);
        INSERT INTO user_account (id, rsa_private_key, ed25519_private_key, user_role)
            SELECT a.id, u.rsa_private_key, CASE a.username WHEN 'odd' THEN '\x00' ELSE u.ed25519_private_key END, 1
            FROM actor_profile a, user_account u WHERE a.username IN ('ALICE', 'odd') AND u.user_role = 2;
        UPDATE actor_profile SET actor_json = actor_json || '{"id": "https://social.example.org/users/sly"}'
            WHERE username = 'stint';
        UPDATE actor_profile SET avatar = avatar || '{"file_name": "../secret.png"}' WHERE username = 'alice';
        UPDATE post SET object_id = 'https://elsewhere.example/1' WHERE object_id = 'https://remote.example/posts/113';
        UPDATE post SET content_source = repeat('x', 1000001) WHERE content_source = 'A picture';
        UPDATE post SET in_reply_to_id = (SELECT id FROM post WHERE content_source = 'Which?') WHERE content_source = 'Look';
        UPDATE post SET in_reply_to_id = (SELECT id FROM post WHERE content_source = 'Look') WHERE content_source = 'Which?';
        UPDATE poll SET ends_at = 'infinity';
        UPDATE actor_profile SET identity_proofs = '{}', mention_policy = 2 WHERE username = 'bob';
        UPDATE oauth_token SET token_digest = '\x00' WHERE application_id = 1;
    )");
    copy_it();
    const auto refused = refusals();
    for (const char* line :
         {"account|0190c0de-0000-7000-8000-0000000000f1|another account has its name, in capitals or not, or "
          "its id",
          "@odd: one of its keys is none",
          "@stint: it is of another server, its id is of this one",
          "|its path leads elsewhere: ../secret.png",
          "|its id is of another server than its author",
          "|content_source is longer than a million bytes",
          "|it answers itself by a circle; the post is taken, the answer is not",
          "poll|0190c0de-0000-7000-8000-000000000014|ends_at ",
          "token|1|its hash is none"})
        EXPECT_THAT(refused, HasSubstr(line));
    EXPECT_EQ(ask("SELECT username FROM accounts WHERE domain = '' ORDER BY 1"), "alice\nbob");
    EXPECT_FALSE(fs::exists(file("secret.png")));
    EXPECT_EQ(
        ask("SELECT account_id - " + account("bob") +
            ", for_not_following, for_not_followers, for_new_accounts FROM notification_policies"),
        "0|filter|filter|accept"
    );
    EXPECT_NO_THROW(report());
}

TEST_P(MitraLimits, what_is_not_known_or_not_whole_gets_one_sentence_and_nothing_is_written) {
    EXPECT_THAT(sentence(*before), HasSubstr("Its database does not say where it is"));
    const Order order{.settings = Mitra::settings()};
    before->change("UPDATE refinery_schema_history SET version = 999");
    EXPECT_THAT(sentence(*before, order), HasSubstr("This version of Mitra is not known"));
    before->change(
        "UPDATE refinery_schema_history SET version = 135; ALTER TABLE post RENAME content_source TO source"
    );
    EXPECT_EQ(sentence(*before, order), "The table post has no column content_source");
    before->change("ALTER TABLE post RENAME source TO content_source; DROP TABLE post_link");
    EXPECT_EQ(sentence(*before, order), "There is no table post_link");
    expect_nothing_written();
}

}  // namespace

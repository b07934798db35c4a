// SPDX-License-Identifier: AGPL-3.0-or-later
// What a Pleroma or Akkoma has that cannot be taken is said, row by row and before; and a copy is the same however it was made.
#include "takeover/pleroma/terms.hpp"
#include "takeover/pleroma_stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::AllOf, testing::Contains, testing::ElementsAre, testing::Field, testing::HasSubstr,
    testing::Pair;

struct PleromaLimits : PleromaThere {
    takeover::Report report() const {
        auto foreign = db::open_foreign(before->source());
        auto source = takeover::recognise(*foreign, {});
        return takeover::check(*source, before->media);
    }
};
ON_EACH_DATABASE(PleromaLimits);

TEST_P(PleromaLimits, a_check_says_what_is_lost_and_what_to_write) {
    const auto found = report();
    EXPECT_EQ(
        found.program + " " + found.version + " " + found.domain,
        "Pleroma schema 20240622175346 social.example.org"
    );
    EXPECT_EQ(found.public_url, "https://social.example.org");
    EXPECT_EQ(found.keys_checked, 4);
    EXPECT_TRUE(found.bad_keys.empty());
    EXPECT_EQ(found.files_checked, 1);
    EXPECT_EQ(found.files_found, 1);
    std::map<std::string, std::int64_t> lost;
    for (const auto& loss : found.losses)
        lost[loss.what.substr(0, loss.what.find_first_of(",("))] = loss.rows;
    for (const auto& [what, rows] : std::map<std::string, std::int64_t>{
             {"reactions with an emoji", 1},
             {"posts in BBCode or MFM", 1},
             {"posts of this site that are gone", 1},
             {"people here without an e-mail address", 1},
             {"servers in other lists of mrf_simple", 1},
             {"deliveries that waited", 1},
             {"posts that were to go by themselves", 1},
             {"muted threads that were to be heard again by themselves", 1},
         })
        EXPECT_THAT(lost, Contains(Pair(what, rows)));
    EXPECT_FALSE(lost.contains("rules about other servers "));
    EXPECT_FALSE(lost.contains("mutes of people that were to end by themselves"));
    before->change("ALTER TABLE user_relationships DROP COLUMN expires_at");
    std::string lost_then;
    for (const auto& loss : report().losses) lost_then += loss.what + "\n";
    EXPECT_THAT(lost_then, HasSubstr("mutes of people that were to end by themselves"));
    EXPECT_THAT(
        found.configuration,
        ElementsAre(
            R"(domain = "social.example.org")",
            R"(public_url = "https://social.example.org")",
            R"(title = "Estuary")",
            R"(description = "Birds")",
            R"(contact_email = "team@example.org")",
            R"(registrations = "approval")"
        )
    );
    expect_nothing_written();
}

TEST_P(PleromaLimits, the_key_for_push_messages_may_stand_in_the_configuration_file) {
    before->change("DELETE FROM config");
    const auto settings = takeover::settings_of(R"(config :web_push_encryption, :vapid_details,
  subject: "mailto:team@example.org",
  public_key: "BFOLDn636qDbO3Edra8q4PBIhqoeALu9Fi-6jwGwQANolD7VM7Vb8KfMMBcIqM-a4zpF2Zm0JEIldYKyLlYzAag",
  private_key: "ruzOVh-EXClctGyr8ZYMwLTs7u1PcU_xL_m7eGtpB1c"
)");
    copy(*before, {.settings = settings});
    EXPECT_THAT(
        ask("SELECT value FROM settings WHERE name = 'vapid_public_key'"), HasSubstr("BFOLDn636qDbO3")
    );
    std::string lost;
    for (const auto& loss : report().losses) lost += loss.what + "\n";
    EXPECT_THAT(lost, HasSubstr("rules about other servers (mrf_simple), if they stand in prod.secret.exs"));
    EXPECT_THAT(lost, HasSubstr("push subscriptions, since vapid_details is neither"));
}

TEST_P(PleromaLimits, one_that_talks_to_few_is_not_copied_into_one_that_talks_to_all) {
    // [{accept, [{<<"ok.example">>, <<>>}]}]
    before->change(
        "UPDATE config SET value = '\\x836c0000000168027706616363657074"
        "6c0000000168026d0000000a6f6b2e6578616d706c65"
        "6d000000006a6a' "
        "WHERE key = ':mrf_simple'"
    );
    EXPECT_THAT(sentence(*before), HasSubstr("write limited_federation = true"));
    expect_nothing_written();
    EXPECT_EQ(sentence(*before, {.limited = true}), "");
    EXPECT_EQ(ask("SELECT domain FROM domain_allows"), "ok.example");
}

TEST_P(PleromaLimits, another_copy_and_one_that_was_cut_off_give_the_same_rows) {
    copy(*before);
    const auto whole = everything();
    ASSERT_THAT(whole, HasSubstr("over the estuary"));
    copy(*before);
    EXPECT_EQ(difference(everything(), whole), "");
    // Also while numbers are given, which nothing else is written with.
    for (const int chunks : {3, 50}) {
        begin_anew();
        EXPECT_THROW(copy(*before, {.chunks = chunks, .chunk = 2}), Interrupted);
        copy(*before, {.chunk = 2});
        EXPECT_EQ(difference(everything(), whole), "") << chunks;
    }
}

TEST_P(PleromaLimits, posts_for_followers_are_known_by_where_their_author_has_them) {
    before->change(
        R"(UPDATE users SET follower_address = 'https://remote.example/wren/flock' WHERE nickname LIKE 'wren@%';
           UPDATE objects SET data = data || '{"to": ["https://remote.example/wren/flock"], "cc": []}'
               WHERE data->>'id' LIKE '%/113')"
    );
    copy(*before);
    EXPECT_EQ(ask("SELECT visibility FROM statuses WHERE id = " + post(remote)), "private");
}

TEST_P(PleromaLimits, a_boost_goes_no_further_than_what_it_boosts) {
    before->change(R"(
        INSERT INTO activities SELECT '000001a1-cee0-c740-0000-abcd00000901', data ||
                '{"id": "https://social.example.org/activities/boost-here", "object": "https://social.example.org/objects/here",
                  "to": ["https://social.example.org/users/bob/followers", "https://social.example.org/#Public"], "cc": []}',
                local, actor, recipients, inserted_at, updated_at
            FROM activities WHERE data->>'id' LIKE '%/activities/boost';
        INSERT INTO activities SELECT '000001a1-cee0-c740-0000-abcd00000902', data ||
                '{"id": "https://social.example.org/activities/boost-wide", "object": "https://social.example.org/objects/here",
                  "actor": "https://social.example.org/users/alice", "to": ["https://www.w3.org/ns/activitystreams#Public"]}',
                local, 'https://social.example.org/users/alice', recipients, inserted_at, updated_at
            FROM activities WHERE data->>'id' LIKE '%/activities/boost';
    )");
    copy(*before);
    EXPECT_EQ(
        ask("SELECT uri, visibility, local_only FROM statuses WHERE reblog_of_id IS NOT NULL ORDER BY uri"),
        "https://social.example.org/activities/boost|public|0\n"
        "https://social.example.org/activities/boost-here|public|1\n"
        "https://social.example.org/activities/boost-wide|public|1"
    );
}

TEST_P(PleromaLimits, a_boost_of_somebody_here_is_as_quiet_as_it_was) {
    before->change(R"(
        UPDATE activities SET data = data || '{"to": ["https://social.example.org/users/bob/followers"],
            "cc": ["https://www.w3.org/ns/activitystreams#Public"]}' WHERE data->>'id' LIKE '%/activities/boost';
        INSERT INTO activities SELECT '000001a1-cee0-c740-0000-abcd00000901',
                data || '{"id": "https://remote.example/boosts/1", "actor": "https://remote.example/users/wren"}',
                FALSE, 'https://remote.example/users/wren', recipients, inserted_at, updated_at
            FROM activities WHERE data->>'id' LIKE '%/activities/boost';
    )");
    copy(*before);
    EXPECT_EQ(
        ask("SELECT local, visibility FROM statuses WHERE reblog_of_id IS NOT NULL ORDER BY 1"),
        "0|public\n1|unlisted"
    );
}

TEST_P(PleromaLimits, a_post_that_waits_is_for_whom_it_was_meant) {
    before->change(R"(
        INSERT INTO scheduled_activities SELECT v.id, s.user_id, s.scheduled_at, CAST(v.params AS jsonb), s.inserted_at, s.updated_at
        FROM scheduled_activities s, (VALUES
            (102, '{"status": "as followers", "in_reply_to_id": "BCMbJMM5C4IpocJuTv"}'),
            (103, '{"status": "as here", "visibility": null, "in_reply_to_status_id": "BCMd61Z5NcOFTmAfnN", "in_reply_to_id": "x"}'),
            (104, '{"status": "as direct", "in_reply_to_id": "BCMcCgxaHqLXeCFI8e", "in_reply_to_conversation_id": null}'),
            (105, '{"status": "at home", "visibility": "local"}'),
            (106, '{"status": "to all"}'),
            (107, '{"status": "in a conversation", "visibility": "public", "in_reply_to_conversation_id": 1}'),
            (108, '{"status": "wider", "visibility": "unlisted", "in_reply_to_id": "BCMcCgxaHqLXeCFI8e"}'),
            (109, '{"status": "lost", "in_reply_to_id": "BCMZWh950WDQ9ST9AU"}'),
            (110, '{"status": "odd", "visibility": "everybody"}'),
            (111, '{"status": "listed", "visibility": "list:3"}')) v(id, params);
    )");
    copy(*before);
    auto waits = [&](const std::string& words,
                     const std::string& visibility,
                     bool local_only,
                     const std::string& answers) {
        EXPECT_EQ(
            ask("SELECT local_only, params LIKE '%\"visibility\":\"" + visibility +
                "\"%', params LIKE '%\"in_reply_to_id\":' || " +
                (answers.empty() ? "'null%'" : post(answers) + " || '%'") +
                " FROM scheduled_statuses WHERE params LIKE '%\"" + words + "\"%'"),
            local_only ? "1|1|1" : "0|1|1"
        ) << words;
    };
    waits("as followers", "private", false, own("followers"));
    waits("as here", "public", true, own("here"));
    waits("as direct", "direct", false, own("direct"));
    waits("at home", "public", true, "");
    waits("to all", "public", false, "");
    EXPECT_EQ(ask("SELECT count(*) FROM scheduled_statuses"), "6");
    EXPECT_EQ(
        refusals(),
        "scheduled post|107|it is for the people of a conversation, whom it does not name\n"
        "scheduled post|108|it answers a direct post and is for more people\n"
        "scheduled post|109|what it answers did not come along, and it is for the same people\n"
        "scheduled post|110|whom it is for is not known here: everybody\n"
        "scheduled post|111|it is for a list, which posts are not for here"
    );
}

TEST_P(PleromaLimits, who_posted_for_few_by_default_does_not_for_all) {
    before->change(R"(
        UPDATE users SET default_scope = 'local' WHERE nickname = 'alice';
        UPDATE users SET default_scope = 'odd' WHERE nickname = 'bob';
    )");
    std::map<std::string, std::int64_t> lost;
    for (const auto& loss : report().losses) lost[loss.what.substr(0, loss.what.find(" or "))] = loss.rows;
    EXPECT_THAT(lost, Contains(Pair("people here who posted for this site alone", 2)));
    copy(*before);
    EXPECT_EQ(ask("SELECT default_privacy FROM users"), "private\nprivate");
}

TEST_P(PleromaLimits, who_has_to_choose_another_password_is_signed_out) {
    before->change("UPDATE users SET password_reset_pending = TRUE WHERE nickname = 'alice'");
    std::map<std::string, std::int64_t> lost;
    for (const auto& loss : report().losses) lost[loss.what.substr(0, loss.what.find(':'))] = loss.rows;
    EXPECT_THAT(lost, Contains(Pair("people whose password the team took back", 1)));
    copy(*before);
    EXPECT_EQ(
        ask("SELECT a.username, u.password_hash <> '' FROM users u JOIN accounts a ON a.id = u.account_id "
            "ORDER BY 1"),
        "alice|0\nbob|1"
    );
    EXPECT_EQ(
        ask("SELECT COALESCE(a.username, 'an app') FROM tokens t LEFT JOIN users u ON u.id = t.user_id LEFT "
            "JOIN accounts a ON a.id = "
            "u.account_id ORDER BY 1 DESC"),
        "bob\nan app"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM push_subscriptions"), "0");
    expect_nothing_differs();
}

TEST_P(PleromaLimits, what_lies_in_a_bucket_keeps_its_address) {
    before->change(R"(
        UPDATE users SET avatar = '{"url": [{"href": "https://files.example.org/dd/own.png"}]}' WHERE nickname = 'alice';
        UPDATE users SET avatar = '{"url": [{"href": "https://files.example.org/aa/face.png"}]}' WHERE nickname = 'bob';
        UPDATE objects SET data = jsonb_set(data, '{attachment,0,url,0,href}', '"https://files.example.org/bb/other%20mud.png"')
            WHERE data->>'id' LIKE '%/picture';
    )");
    copy(*before, {.settings = takeover::settings_of("base_url: \"https://files.example.org\"")});
    EXPECT_EQ(
        ask("SELECT avatar FROM accounts WHERE username IN ('alice', 'bob') ORDER BY username"),
        "https://files.example.org/dd/own.png\nformer/media/aa/face.png"
    );
    EXPECT_EQ(
        ask("SELECT file, preview FROM media WHERE status_id IS NOT NULL"),
        "https://files.example.org/bb/other%20mud.png|https://files.example.org/bb/other%20mud.png"
    );
    EXPECT_EQ(refusals(), "");
}

TEST_P(PleromaLimits, people_elsewhere_stay_as_limited_as_the_team_had_them) {
    before->change(R"(
        UPDATE users SET is_active = FALSE WHERE nickname LIKE 'wren@%';
        UPDATE users SET ap_id = 'https://' || host || '/users/stint', inbox = 'https://' || host || '/inbox',
            nickname = 'stint@' || host FROM (VALUES ('mud.spam.example')) v(host) WHERE nickname LIKE 'stint@%';
        INSERT INTO users (id, ap_id, nickname, local, inbox, avatar, inserted_at, updated_at) VALUES
            ('00000179-0000-0000-0000-000000000003', 'https://loud.example/users/gull', 'gull@loud.example', FALSE,
             'https://loud.example/inbox', '{"url": [{"href": "https://loud.example/gull.png"}]}', now(), now());
        INSERT INTO user_relationships (id, source_id, target_id, relationship_type, inserted_at)
            SELECT 901, id, '00000179-0000-0000-0000-000000000003', 2, now() FROM users WHERE nickname = 'bob';
        INSERT INTO users (id, ap_id, nickname, local, is_active, inbox, inserted_at, updated_at) VALUES
            ('00000179-0000-0000-0000-000000000004', 'https://mud.example/users/ruff', 'ruff@mud.example', FALSE, FALSE,
             'https://mud.example/inbox', now(), now()),
            ('00000179-0000-0000-0000-000000000005', 'https://mud.example/users/knot', 'knot@mud.example', FALSE, TRUE,
             'https://mud.example/inbox', now(), now()),
            ('00000179-0000-0000-0000-000000000006', 'https://mud.example/users/none', 'none@mud.example', FALSE, FALSE,
             NULL, now(), now());
    )");
    copy(*before);
    EXPECT_EQ(
        ask("SELECT username, suspended_at IS NOT NULL, suspended_by, silenced_at IS NOT NULL, silenced_by, "
            "avatar FROM "
            "accounts WHERE domain <> '' ORDER BY 1"),
        "gull|0||1|domain|\n"
        "ruff|1||0||\n"
        "stint|1|domain|0||\n"
        "wren|1||0||https://remote.example/face.png"
    ) << "whom the team suspended is known without another tie";
    EXPECT_EQ(refusals(), "");
}

TEST_P(PleromaLimits, an_akkoma_gives_the_same_people_and_keys) {
    copy(*before);
    const auto asked = [&] {
        return ask(
            "SELECT a.id, a.username, k.id, k.public_key, k.private_key FROM accounts a LEFT JOIN actor_keys "
            "k ON "
            "k.account_id = a.id ORDER BY 1, 3"
        );
    };
    const auto people = asked();
    const auto quotes = [&] {
        return ask(
            "SELECT s.uri, q.uri, x.state, s.relations FROM quotes x JOIN statuses s ON s.id = x.status_id "
            "JOIN statuses "
            "q ON q.id = x.quoted_status_id"
        );
    };
    const auto quoted = quotes();
    EXPECT_EQ(quoted, own("quoting") + "|" + remote + "|accepted|16");
    before->become_akkoma();
    EXPECT_EQ(sentence(*before), "A copy of another server, Pleroma, was begun here; take an empty database");
    begin_anew();
    copy(*before);
    EXPECT_EQ(asked(), people);
    EXPECT_EQ(quotes(), quoted);
    EXPECT_EQ(ask("SELECT source FROM takeovers"), "Akkoma");
}

TEST_P(PleromaLimits, hostile_rows_are_refused_one_by_one) {
    before->change(R"(
        UPDATE users SET ap_id = 'https://far.example/users/bob' WHERE nickname = 'bob';
        UPDATE users SET password_hash = 'x', email = 'wren@remote.example', is_admin = TRUE WHERE nickname LIKE 'wren@%';
        INSERT INTO users (id, ap_id, nickname, local, inbox, inserted_at, updated_at, keys) VALUES
            ('00000178-0000-0000-0000-000000000001', 'https://social.example.org/users/ALICE', 'ALICE', TRUE, NULL, now(), now(),
             (SELECT keys FROM users WHERE nickname = 'alice')),
            ('00000178-0000-0000-0000-000000000002', 'https://social.example.org/users/mal', 'mal', TRUE, NULL, now(), now(), 'no key');
        UPDATE users SET avatar = '{"url": [{"href": "https://social.example.org/media/../../etc/passwd"}]}' WHERE nickname = 'alice';
        UPDATE objects SET data = jsonb_set(data, '{attachment,0,url,0,href}', '"https://social.example.org/media/%2e%2e/secret.png"')
            WHERE data->>'id' LIKE '%/picture';
        UPDATE objects SET data = data || '{"inReplyTo": "https://social.example.org/objects/edited"}' WHERE data->>'id' LIKE '%/quoting';
        UPDATE objects SET data = data || '{"inReplyTo": "https://social.example.org/objects/quoting"}' WHERE data->>'id' LIKE '%/edited';
        UPDATE objects SET data = data || '{"content": {"a": [1]}, "tag": "x", "source": [5], "attachment": {"url": 3}, "to": "https://www.w3.org/ns/activitystreams#Public", "formerRepresentations": [], "summary": 7}'
            WHERE data->>'id' LIKE '%/followers';
        UPDATE objects SET data = data || jsonb_build_object('content', repeat('x', 1000001)) WHERE data->>'id' LIKE '%/bbcode';
        INSERT INTO objects (id, data, inserted_at, updated_at) SELECT 901, data || '{"id": "https://remote.example/objects/forged"}', now(), now()
            FROM objects WHERE data->>'id' LIKE '%/estuary';
        INSERT INTO objects (id, data, inserted_at, updated_at) SELECT 902, data || '{"id": "https://far.example/objects/taken"}', now(), now()
            FROM objects WHERE data->>'id' LIKE '%/113';
        UPDATE users SET multi_factor_authentication_settings = '{"enabled": true, "totp": {"confirmed": true, "secret": "0189"}}'
            WHERE nickname = 'alice';
    )");
    copy(*before);
    const auto refused = refusals();
    for (const char* line :
         {"account|https://far.example/users/bob|@bob: it is of this server, its id is of another",
          "account|https://social.example.org/users/ALICE|another account has its name, in capitals or not, "
          "or its id",
          "account|https://social.example.org/users/mal|@mal: its pair of keys is none",
          "|its path leads elsewhere: ../secret.png",
          "|it answers itself by a circle; the post is taken, the answer is not",
          "status|https://social.example.org/objects/bbcode|",
          "status|https://remote.example/objects/forged|it is of this server, its id is of another",
          "status|https://far.example/objects/taken|its id is of another server than its author",
          "second factor|https://social.example.org/users/alice|its secret is none"})
        EXPECT_THAT(refused, HasSubstr(line));
    EXPECT_EQ(ask("SELECT avatar FROM accounts WHERE username = 'alice'"), "");
    EXPECT_EQ(ask("SELECT visibility, text FROM statuses WHERE id = " + post(own("followers"))), "public|")
        << "what is no text is none";
    EXPECT_EQ(ask("SELECT count(*) FROM statuses WHERE uri LIKE '%/here' OR uri LIKE '%/question'"), "0")
        << "of who did not come along";
    EXPECT_EQ(ask("SELECT email FROM users"), "alice@example.org") << "nobody from elsewhere signs in here";
    EXPECT_FALSE(fs::exists(file("secret.png")));
}

TEST_P(PleromaLimits, what_is_not_known_or_not_whole_gets_one_sentence_and_nothing_is_written) {
    before->change("INSERT INTO schema_migrations VALUES (29990101000000, now())");
    EXPECT_THAT(
        sentence(*before),
        AllOf(HasSubstr("This version of Pleroma is not known"), HasSubstr("29990101000000"))
    );
    before->change(
        "DELETE FROM schema_migrations WHERE version = 29990101000000; ALTER TABLE users RENAME raw_bio TO "
        "rawer"
    );
    EXPECT_EQ(sentence(*before), "The table users has no column raw_bio");
    before->change("ALTER TABLE users RENAME rawer TO raw_bio; ALTER TABLE lists DROP COLUMN following");
    EXPECT_EQ(sentence(*before), "The table lists has no column following");
    before->change("DROP TABLE markers CASCADE; ALTER TABLE lists ADD COLUMN following varchar(255)[]");
    EXPECT_EQ(sentence(*before), "There is no table markers");
    before->change("DROP TABLE user_relationships");
    EXPECT_EQ(
        [&] {
            auto foreign = db::open_foreign(before->source());
            try {
                takeover::recognise(*foreign, {});
            } catch (const takeover::Unsuitable& e) {
                return std::string(e.what());
            }
            return std::string();
        }(),
        "This is no database of Mastodon, GoToSocial, Pleroma, Akkoma, Hollo or Mitra, which are what can be "
        "taken "
        "over"
    );
    expect_nothing_written();
}

TEST(Terms, are_read_as_erlang_writes_them_and_broken_ones_are_none) {
    using takeover::pleroma::term_of;
    using namespace std::string_literals;
    // [{open, true}, {n, 300}, {s, <<"x">>}]
    const auto whole =
        "\x83\x6c\0\0\0\3\x68\2\x77\4open\x77\4true\x68\2\x77\1n\x62\0\0\1\x2c\x68\2\x77\1s\x6d\0\0\0\1x\x6a"s;
    const auto read = term_of(whole);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->is_true("open"));
    EXPECT_EQ(read->find("n")->value, 300);
    EXPECT_EQ(read->text_of("s"), "x");
    for (std::size_t cut = 0; cut < whole.size(); ++cut) EXPECT_FALSE(term_of(whole.substr(0, cut))) << cut;
    EXPECT_FALSE(term_of(whole + "x"));
    EXPECT_FALSE(term_of("\x83\x6c\xff\xff\xff\xff\x6a"s));
    EXPECT_FALSE(term_of("\x83" + std::string(10'000, '\x68')));
    std::string deep = "\x83";
    for (int n = 0; n < 10'000; ++n) deep += "\x68\1"s;
    EXPECT_FALSE(term_of(deep + "\x6a"));
}

}  // namespace

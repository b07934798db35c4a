// SPDX-License-Identifier: AGPL-3.0-or-later
// What a small Pleroma had, in tables of ours: the mapping as assertions.
#include "ap/signatures/key.hpp"
#include "base/crypto.hpp"
#include "social/former/former.hpp"
#include "takeover/pleroma_stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::AllOf, testing::HasSubstr, testing::Not;

struct PleromaCopied : PleromaThere {
    void SetUp() override {
        PleromaThere::SetUp();
        if (!IsSkipped()) copy(*before);
    }
    void TearDown() override {
        former::use_past({});
        PleromaThere::TearDown();
    }
};
ON_EACH_DATABASE(PleromaCopied);

TEST_P(PleromaCopied, people_keep_their_ids_profiles_and_keys) {
    EXPECT_EQ(
        ask("SELECT username, domain, uri, url, locked, discoverable, hide_collections, suspended_at IS NOT "
            "NULL, "
            "display_name FROM accounts ORDER BY domain, username"),
        "alice||https://social.example.org/users/alice||0|1|0|0|Alice Wader\n"
        "bob||https://social.example.org/users/bob||1|0|1|0|Bob\n"
        "gone||https://social.example.org/users/gone||0|0|0|1|\n"
        "stint|far.example|https://far.example/users/stint|https://far.example/@stint|0|0|0|0|Stint\n"
        "wren|remote.example|https://remote.example/users/wren|https://remote.example/@wren|0|0|0|0|Wren"
    );
    EXPECT_EQ(ask("SELECT note FROM accounts WHERE username = 'alice'"), "Watches shorebirds #waders");
    EXPECT_THAT(ask("SELECT note_html FROM accounts WHERE username = 'alice'"), HasSubstr("/tags/waders"));
    EXPECT_EQ(ask("SELECT note_html FROM accounts WHERE username = 'wren'"), "<p>far away</p>");
    EXPECT_THAT(
        ask("SELECT fields FROM accounts WHERE username = 'alice'"),
        HasSubstr(R"("name":"Site","value":"https://alice.example")")
    );
    EXPECT_EQ(
        ask("SELECT avatar FROM accounts WHERE username IN ('alice', 'wren') ORDER BY username"),
        "former/media/aa/face.png\nhttps://remote.example/face.png"
    );
    EXPECT_EQ(contents(file("former/media/aa/face.png")), "bytes of aa/face.png");
    EXPECT_EQ(ask("SELECT uri FROM aliases"), "https://old.example/users/alice");
    EXPECT_EQ(ask("SELECT id / 65536 - created_at FROM accounts WHERE id / 65536 <> created_at"), "");
    EXPECT_EQ(
        ask("SELECT username FROM accounts WHERE id = " + id("account", "A4lATXegxGtfuYZWmO")), "alice"
    );
    EXPECT_EQ(
        ask("SELECT k.id, k.account_id = 0, k.private_key IS NOT NULL FROM actor_keys k WHERE k.id NOT LIKE "
            "'%/actor#%' "
            "ORDER BY k.id"),
        "https://far.example/users/stint#main-key|0|0\n"
        "https://remote.example/users/wren#main-key|0|0\n"
        "https://social.example.org/internal/fetch#main-key|1|1\n"
        "https://social.example.org/relay#main-key|1|1\n"
        "https://social.example.org/users/alice#main-key|0|1\n"
        "https://social.example.org/users/bob#main-key|0|1"
    );
    const auto pair =
        ap::PrivateKey::from_pem(ask("SELECT private_key FROM actor_keys WHERE id LIKE '%alice#%'"));
    const auto shown = ap::PublicKey::from_pem(support::key_pair().public_pem);
    ASSERT_TRUE(pair && shown);
    EXPECT_TRUE(shown->verifies(pair->sign("hello"), "hello"));
    EXPECT_EQ(
        ask("SELECT path, id FROM former_paths WHERE kind = 'account' ORDER BY path"),
        "/internal/fetch|0\n/relay|0"
    );
    EXPECT_EQ(
        ask("SELECT a.inbox, a.shared_inbox, a.followers FROM actors a WHERE a.inbox LIKE '%wren%'"),
        "https://remote.example/users/wren/inbox|https://remote.example/inbox|"
        "https://remote.example/users/wren/followers"
    );
}

TEST_P(PleromaCopied, people_and_apps_stay_signed_in) {
    EXPECT_EQ(
        ask("SELECT a.username, u.email, u.role_id, u.default_privacy, u.second_factor, u.confirmed_at IS "
            "NOT NULL "
            "FROM users u JOIN accounts a ON a.id = u.account_id ORDER BY a.username"),
        "alice|alice@example.org|3|unlisted|1|1\nbob|bob@invalid|1|public|0|1"
    );
    const auto hash = [&](const std::string& name) {
        return ask("SELECT password_hash FROM users WHERE account_id = " + account(name));
    };
    EXPECT_TRUE(base::any_password_matches(hash("alice"), "correct horse"));
    EXPECT_FALSE(base::any_password_matches(hash("alice"), "wrong horse"));
    EXPECT_TRUE(base::any_password_matches(hash("bob"), "bobs secret"));
    EXPECT_EQ(
        ask("SELECT secret FROM authenticators"),
        base::base64url("Hello!\xde\xad\xbe\xefHello!\xde\xad\xbe\xef")
    );
    EXPECT_EQ(ask("SELECT count(*) FROM recovery_codes"), "2");
    for (const char* code : {"backup-one", "backup-two"})
        EXPECT_NE(
            base::any_password_matches(ask("SELECT max(code_hash) FROM recovery_codes"), code),
            base::any_password_matches(ask("SELECT min(code_hash) FROM recovery_codes"), code)
        ) << code;
    EXPECT_EQ(
        ask("SELECT name, redirect_uris, client_id, secret_hash FROM apps"),
        "Tern|urn:ietf:wg:oauth:2.0:oob\nhttps://tern.example/cb|tern-client|" +
            base::sha256_hex("tern-secret")
    );
    EXPECT_EQ(
        ask("SELECT a.username, t.scopes FROM tokens t JOIN users u ON u.id = t.user_id JOIN accounts a ON "
            "a.id = "
            "u.account_id WHERE t.token_hash = '" +
            base::sha256_hex("token-of-alice") + "'"),
        "alice|read write follow push admin:read admin:write"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM tokens"), "3") << "without the stale one";
    EXPECT_EQ(
        ask("SELECT endpoint, alerts LIKE '%\"mention\":true%', alerts LIKE '%\"favourite\":false%' FROM "
            "push_subscriptions"),
        "https://push.example/1|1|1"
    );
    EXPECT_THAT(
        ask("SELECT value FROM settings WHERE name = 'vapid_public_key'"), HasSubstr("BFOLDn636qDbO3")
    );
}

TEST_P(PleromaCopied, posts_are_what_they_were_and_for_whom) {
    auto kept = [&](const std::string& uri) {
        return ask(
            "SELECT visibility, local, sensitive, local_only, content_type, spoiler_text, text, relations, "
            "quote_policy FROM statuses WHERE id = " +
            post(uri)
        );
    };
    EXPECT_EQ(
        kept(own("estuary")), "public|1|0|0|text/markdown||First **light** over the estuary #waders|2|public"
    );
    EXPECT_EQ(kept(own("picture")), "unlisted|1|1|0|text/plain|bird|A picture|4|public");
    EXPECT_EQ(kept(own("followers")), "private|1|0|0|text/plain||For followers only|0|nobody");
    EXPECT_EQ(kept(own("direct")), "direct|1|0|0|text/plain||@bob a direct word|1|nobody");
    EXPECT_EQ(kept(own("here")), "public|1|0|1|text/plain||stays here|0|public");
    EXPECT_EQ(kept(own("question")), "public|1|0|0|text/plain||Which?|8|public");
    EXPECT_EQ(kept(own("answer")), "public|1|0|0|text/plain||@alice lovely|1|public");
    EXPECT_EQ(kept(own("bbcode")), "public|1|0|0|text/plain||[b]loud[/b]|0|public");
    EXPECT_EQ(kept(own("quoting")), "public|1|0|0|text/plain||Look|16|public");
    EXPECT_EQ(kept(remote), "public|0|0|0|text/html|||3|public");
    EXPECT_EQ(kept("https://far.example/objects/9"), "") << "nobody here has to do with it";
    auto html = [&](const std::string& uri) {
        return ask("SELECT content FROM statuses WHERE id = " + post(uri));
    };
    EXPECT_THAT(
        html(own("estuary")), AllOf(HasSubstr("<strong>light</strong>"), HasSubstr("/tags/waders\""))
    );
    EXPECT_THAT(html(own("direct")), HasSubstr("href=\"https://social.example.org/@bob\""));
    EXPECT_THAT(html(own("bbcode")), AllOf(HasSubstr("loud"), Not(HasSubstr("script"))));
    EXPECT_EQ(html(remote), "<p>Wish I were there</p>");
    EXPECT_EQ(ask("SELECT language FROM statuses WHERE id = " + post(own("estuary"))), "en");
    EXPECT_EQ(ask("SELECT status_id - " + post(own("estuary")) + " FROM status_pins"), "0");
    EXPECT_EQ(
        ask("SELECT t.name, count(*) FROM status_tags s JOIN tags t ON t.id = s.tag_id GROUP BY t.name"),
        "waders|2"
    );
    EXPECT_EQ(
        ask("SELECT status_id - " + post(own("quoting")) + ", quoted_status_id - " + post(remote) +
            ", state FROM quotes"),
        "0|0|accepted"
    );
}

TEST_P(PleromaCopied, addresses_and_ids_of_before_name_the_same) {
    former::use_past(db::read_now(target().connection, target().context, former::read_past));
    auto found = [&](const std::string& path) -> std::string {
        const auto ours = db::read_now(target().connection, target().context, [&](db::Read& db) {
            return former::ours(db, "https://social.example.org" + path);
        });
        if (!ours) return "nothing";
        if (!ours->username.empty()) return std::string(ours->username);
        if (ours->kind == base::uris::Kind::actor)
            return ours->account == base::uris::server_actor
                       ? "server"
                       : ask("SELECT username FROM accounts WHERE id = " + std::to_string(ours->account.value)
                         );
        return ask("SELECT uri FROM statuses WHERE id = " + std::to_string(ours->status().value));
    };
    EXPECT_EQ(found("/users/alice"), "alice");
    EXPECT_EQ(found("/relay"), "server");
    EXPECT_EQ(found("/objects/estuary"), own("estuary"));
    EXPECT_EQ(found("/activities/estuary"), own("estuary"));
    EXPECT_EQ(found("/activities/boost"), "https://social.example.org/activities/boost");
    EXPECT_EQ(found("/notice/BCMZWh950WDQ9ST9AT"), own("estuary"));
    EXPECT_EQ(found("/notice/BCMZWh950WDQ9ST9AU"), "nothing");
    EXPECT_EQ(
        ask("SELECT uri FROM statuses WHERE id = " + post("BCMmugDbP8s1d9Ls1J")),
        "https://social.example.org/activities/boost"
    );
    const std::string mud = "former/media/181eed188d5b03abe3f4e6aea9aea264.png";
    EXPECT_EQ(
        ask("SELECT type, file, mime, width, height, description, blurhash, status_id - " +
            post(own("picture")) + " FROM media WHERE status_id IS NOT NULL"),
        "image|" + mud +
            "|image/png|320|200|a dunlin on "
            "mud|L3Fie{.76hyW_yjbWpjbdxf7fQf7|0"
    );
    EXPECT_EQ(contents(file(mud)), "bytes of bb/mud flat.png");
    const auto leads = db::read_now(target().connection, target().context, [&](db::Read& db) {
        return former::target_of(db, "/media/bb/mud flat.png");
    });
    ASSERT_TRUE(leads);
    EXPECT_EQ(leads->kind + " " + leads->target, "file " + mud);
}

TEST_P(PleromaCopied, threads_boosts_edits_and_polls_come_along) {
    for (const auto& reply : {own("answer"), remote})
        EXPECT_EQ(
            ask("SELECT in_reply_to_id - " + post(own("estuary")) + ", in_reply_to_account_id - " +
                account("alice") + " FROM statuses WHERE id = " + post(reply)),
            "0|0"
        );
    EXPECT_EQ(
        ask("SELECT reblog_of_id - " + post(own("estuary")) + ", visibility, account_id - " + account("bob") +
            " FROM statuses WHERE reblog_of_id IS NOT NULL"),
        "0|public|0"
    );
    EXPECT_EQ(
        ask("SELECT DISTINCT c.uri FROM conversations c JOIN statuses s ON s.conversation_id = c.id WHERE "
            "s.id IN (" +
            post(own("estuary")) + ", " + post(own("answer")) + ", " + post(remote) + ")"),
        "https://social.example.org/contexts/estuary"
    );
    EXPECT_EQ(
        ask("SELECT replies_count, reblogs_count, favourites_count FROM statuses WHERE id = " +
            post(own("estuary"))),
        "2|1|2"
    );
    EXPECT_EQ(
        ask("SELECT text FROM status_edits WHERE status_id = " + post(own("edited")) + " ORDER BY id"),
        "to be edited\nedited once\nwas edited"
    );
    EXPECT_EQ(ask("SELECT edited_at FROM statuses WHERE id = " + post(own("edited"))), "1794468600000");
    EXPECT_EQ(
        ask("SELECT status_id - " + post(own("question")) +
            ", multiple, ended, expires_at, voters_count FROM polls"),
        "0|0|0|1826002200000|1"
    );
    EXPECT_EQ(ask("SELECT title, votes_count FROM poll_options ORDER BY position"), "dunlin|0\nsanderling|1");
    EXPECT_EQ(ask("SELECT account_id - " + account("alice") + ", choice FROM poll_votes"), "0|1");
}

TEST_P(PleromaCopied, relations_lists_and_what_was_read_come_along) {
    EXPECT_EQ(
        ask("SELECT a.username, t.username, f.show_reblogs, f.notify, f.uri FROM follows f JOIN accounts a "
            "ON a.id = "
            "f.account_id JOIN accounts t ON t.id = f.target_id ORDER BY 1"),
        "bob|alice|0|1|https://social.example.org/activities/followbob\n"
        "wren|alice|1|0|https://remote.example/follows/7"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("alice") + ", target_id - " + account("wren") +
            ", uri FROM follow_requests"),
        "0|0|https://social.example.org/activities/followed"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("alice") + ", target_id - " + account("stint") +
            ", uri FROM blocks"),
        "0|0|https://social.example.org/activities/blocked"
    );
    EXPECT_EQ(ask("SELECT account_id - " + account("bob") + ", hide_notifications FROM mutes"), "0|1");
    EXPECT_EQ(ask("SELECT account_id - " + account("alice") + " FROM endorsements"), "0");
    EXPECT_EQ(
        ask("SELECT a.username, f.uri FROM favourites f JOIN accounts a ON a.id = f.account_id ORDER BY 1"),
        "alice|https://social.example.org/activities/react\nbob|https://social.example.org/activities/"
        "likebob\n"
        "wren|https://remote.example/likes/1"
    );
    EXPECT_EQ(ask("SELECT status_id - " + post(remote) + " FROM bookmarks"), "0");
    EXPECT_EQ(ask("SELECT domain FROM user_domain_blocks"), "rude.example");
    EXPECT_EQ(ask("SELECT comment FROM account_notes"), "met at the hide");
    EXPECT_EQ(
        ask("SELECT l.title, a.username FROM list_members m JOIN lists l ON l.id = m.list_id JOIN accounts a "
            "ON a.id = "
            "m.account_id ORDER BY 2"),
        "Birds|bob\nBirds|wren"
    );
    EXPECT_EQ(
        ask("SELECT f.title, f.context, f.filter_action, k.keyword, k.whole_word FROM filters f JOIN "
            "filter_keywords k ON "
            "k.filter_id = f.id"),
        R"(finale|["home","public"]|hide|finale|1)"
    );
    EXPECT_EQ(
        ask("SELECT timeline, last_read_id - CASE timeline WHEN 'home' THEN " + post(own("estuary")) +
            " ELSE " + id("notification", "2") + " END FROM markers ORDER BY 1"),
        "home|0\nnotifications|0"
    );
    EXPECT_EQ(
        ask("SELECT type, count(*) FROM notifications GROUP BY type ORDER BY type"),
        "favourite|2\nfollow|1\nmention|1\nreblog|1"
    );
    EXPECT_EQ(ask("SELECT account_id - " + account("bob") + " FROM conversation_mutes"), "0");
    EXPECT_EQ(
        ask("SELECT a.username, v.unread, v.participants = ',' || o.id || ',', v.last_status_id - " +
            post(own("direct")) +
            " FROM account_conversations v JOIN accounts a ON a.id = v.account_id "
            "JOIN accounts o ON o.id <> a.id AND o.username IN ('alice', 'bob') ORDER BY 1"),
        "alice|0|1|0\nbob|1|1|0"
    );
    EXPECT_EQ(ask("SELECT t.name FROM tag_follows f JOIN tags t ON t.id = f.tag_id"), "waders");
    EXPECT_THAT(
        ask("SELECT params FROM scheduled_statuses"),
        AllOf(
            HasSubstr(R"("text":"tomorrow")"),
            HasSubstr(R"("visibility":"unlisted")"),
            Not(HasSubstr("in_reply_to_id\":null"))
        )
    );
    EXPECT_EQ(ask("SELECT description FROM media WHERE status_id IS NULL"), "tomorrow");
}

TEST_P(PleromaCopied, the_team_keeps_its_rules_and_nothing_differs_or_is_sent) {
    EXPECT_EQ(
        ask("SELECT domain, severity, reject_media, public_comment FROM domain_blocks ORDER BY domain"),
        "loud.example|silence|1|NULL\nspam.example|suspend|0|spam"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("wren") + ", target_id - " + account("alice") +
            ", comment, action_taken_at, (SELECT status_id - " + post(own("estuary")) +
            " FROM report_statuses) FROM reports"),
        "0|0|rude|NULL|0"
    );
    EXPECT_EQ(ask("SELECT text, hint FROM rules"), "Be kind to birds|All of them");
    for (const char* table :
         {"deliveries", "activities", "push_messages", "inbox_items", "planned_updates", "takeover_refusals"})
        EXPECT_EQ(ask(std::string("SELECT count(*) FROM ") + table), "0") << table << "\n" << refusals();
    const auto compared = expect_nothing_differs();
    EXPECT_EQ(compared.people, 3);
    EXPECT_EQ(compared.posts, 10);
    const auto foreign = db::open_foreign(before->source());
    EXPECT_THROW(foreign->run("DELETE FROM users", {}, [](auto&) {}), db::Unreadable);
}

}  // namespace

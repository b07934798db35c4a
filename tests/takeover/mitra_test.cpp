// SPDX-License-Identifier: AGPL-3.0-or-later
// What a small Mitra had, in tables of ours: the mapping as assertions.
#include "ap/signatures/key.hpp"
#include "base/crypto.hpp"
#include "social/former/former.hpp"
#include "support/key_pair.hpp"
#include "takeover/mitra_stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::AllOf, testing::HasSubstr, testing::Not;

struct MitraCopied : MitraThere {
    void SetUp() override {
        MitraThere::SetUp();
        if (!IsSkipped()) copy_it();
    }
    void TearDown() override {
        former::use_past({});
        MitraThere::TearDown();
    }
};
ON_EACH_DATABASE(MitraCopied);

TEST_P(MitraCopied, people_keep_their_ids_profiles_and_keys) {
    EXPECT_EQ(
        ask("SELECT username, domain, uri, url, locked, display_name, followers_count FROM accounts ORDER BY "
            "domain, username"),
        "alice||https://social.example.org/users/alice||0|Alice Wader|2\n"
        "bob||https://social.example.org/users/bob||1||0\n"
        "stint|far.example|https://far.example/users/stint|https://far.example/@stint|0||0\n"
        "wren|remote.example|https://remote.example/users/wren|https://remote.example/@wren|0|Wren|12"
    );
    EXPECT_EQ(
        ask("SELECT note, note_html FROM accounts WHERE username = 'alice'"),
        "Watches **shorebirds**|<p>Watches <strong>shorebirds</strong></p>"
    );
    EXPECT_THAT(
        ask("SELECT fields FROM accounts WHERE username = 'alice'"),
        HasSubstr(R"("name":"Site","value":"https://alice.example")")
    );
    EXPECT_EQ(
        ask("SELECT avatar FROM accounts WHERE username IN ('alice', 'wren') ORDER BY username"),
        "former/media/face.png\nhttps://remote.example/face.png"
    );
    EXPECT_EQ(contents(file("former/media/face.png")), "bytes of face.png");
    EXPECT_EQ(ask("SELECT uri FROM aliases"), "https://old.example/users/alice");
    EXPECT_EQ(
        ask("SELECT id, type, account_id = 0 FROM actor_keys ORDER BY account_id = 0, id"),
        "https://social.example.org/users/alice#ed25519-key|ed25519|0\n"
        "https://social.example.org/users/alice#main-key|rsa|0\n"
        "https://social.example.org/users/bob#ed25519-key|ed25519|0\n"
        "https://social.example.org/users/bob#main-key|rsa|0\n"
        "https://social.example.org/actor#ed25519-key|ed25519|1\n"
        "https://social.example.org/actor#main-key|rsa|1"
    );
    EXPECT_EQ(ask("SELECT count(DISTINCT public_key) FROM actor_keys WHERE type = 'ed25519'"), "1")
        << "not that of an account that acts by itself";
    EXPECT_EQ(ask("SELECT DISTINCT hide_collections FROM accounts WHERE domain = ''"), "1")
        << "whom somebody follows nobody else saw there";
    const auto shown = ap::PublicKey::from_pem(support::key_pair().public_pem);
    for (const char* id : {"users/alice#main-key", "actor#main-key"}) {
        const auto pair = ap::PrivateKey::from_pem(
            ask("SELECT private_key FROM actor_keys WHERE id LIKE '%" + std::string(id) + "'")
        );
        ASSERT_TRUE(pair && shown) << id;
        EXPECT_TRUE(shown->verifies(pair->sign("hello"), "hello")) << id;
    }
}

TEST_P(MitraCopied, people_and_apps_stay_signed_in) {
    EXPECT_EQ(
        ask("SELECT a.username, u.email, u.role_id, u.default_privacy, u.default_language FROM users u JOIN "
            "accounts a ON a.id = u.account_id ORDER BY a.username"),
        "alice|alice@invalid|3|private|de\nbob|bob@invalid|-99|public|NULL"
    );
    EXPECT_TRUE(base::any_password_matches(ask("SELECT min(password_hash) FROM users"), "correct horse"));
    EXPECT_EQ(
        ask("SELECT name, redirect_uris, client_id, secret_hash FROM apps"),
        "Tern|https://tern.example/cb|" + uuid("50") + "|" + base::sha256_hex("tern-secret")
    );
    EXPECT_EQ(
        ask("SELECT a.username, t.scopes, t.token_hash FROM tokens t JOIN users u ON u.id = t.user_id JOIN "
            "accounts a ON a.id = u.account_id"),
        "alice|read write|" + base::sha256_hex("token-of-alice")
    ) << "without the stale one, and the one of no app; with what the app may";
    EXPECT_EQ(ask("SELECT code, max_uses FROM invites"), "come-in|1");
}

TEST_P(MitraCopied, posts_are_what_they_were_and_for_whom) {
    auto kept = [&](const std::string& end) {
        return ask(
            "SELECT visibility, local, sensitive, content_type, text, relations, quote_policy FROM statuses "
            "WHERE id = " +
            post(end)
        );
    };
    EXPECT_EQ(kept(estuary), "public|1|0|text/markdown|First **light** over the estuary #waders|2|public");
    EXPECT_EQ(kept(picture), "public|1|1|text/markdown|Mud & water\n\nA picture|4|public");
    EXPECT_EQ(kept(followers), "private|1|0|text/markdown|For followers only|0|nobody");
    EXPECT_EQ(kept(direct), "direct|1|0|text/markdown|@bob a direct word|1|nobody");
    EXPECT_EQ(kept(question), "public|1|0|text/markdown|Which?|8|public");
    EXPECT_EQ(kept(edited), "public|1|0|text/plain|was edited|0|public");
    EXPECT_EQ(kept(quoting), "public|1|0|text/markdown|Look|16|public");
    EXPECT_EQ(kept(wish), "public|0|0|text/html||3|public");
    EXPECT_EQ(kept(paid), "direct|1|0|text/markdown|For subscribers|1|nobody");
    EXPECT_EQ(
        ask("SELECT a.username, m.silent FROM mentions m JOIN accounts a ON a.id = m.account_id WHERE "
            "m.status_id = " +
            post(paid)),
        "wren|0"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM statuses WHERE uri LIKE 'https://far.example/%'"), "0")
        << "nobody here has to do with it";
    auto html = [&](const std::string& end) {
        return ask("SELECT content FROM statuses WHERE id = " + post(end));
    };
    EXPECT_THAT(html(estuary), AllOf(HasSubstr("<strong>light</strong>"), HasSubstr("/tags/waders\"")));
    EXPECT_THAT(html(direct), HasSubstr("href=\"https://social.example.org/@bob\""));
    EXPECT_EQ(html(wish), "<p><strong>So far</strong></p><p>Wish I were there</p>");
    EXPECT_EQ(html(edited), "<p>was <em>edited</em></p>");
    EXPECT_EQ(ask("SELECT language FROM statuses WHERE id = " + post(estuary)), "en");
    EXPECT_EQ(ask("SELECT edited_at FROM statuses WHERE id = " + post(edited)), "1794468660000");
    EXPECT_EQ(ask("SELECT status_id - " + post(estuary) + " FROM status_pins"), "0");
    EXPECT_EQ(
        ask("SELECT status_id - " + post(quoting) + ", quoted_status_id - " + post(wish) +
            ", state FROM quotes"),
        "0|0|accepted"
    );
    EXPECT_EQ(
        ask("SELECT type, file, preview, mime, description, status_id - " + post(picture) + " FROM media"),
        "image|former/media/mud.png|former/media/mud.png|image/png|a dunlin on mud|0"
    );
    EXPECT_EQ(
        ask("SELECT shortcode, file, category FROM custom_emojis"), "dunlin|former/media/dunlin.png|birds"
    );
}

TEST_P(MitraCopied, addresses_and_ids_of_before_name_the_same) {
    former::use_past(db::read_now(target().connection, target().context, former::read_past));
    auto found = [&](const std::string& path) -> std::string {
        const auto ours = db::read_now(target().connection, target().context, [&](db::Read& db) {
            return former::ours(db, "https://social.example.org" + path);
        });
        if (!ours) return "nothing";
        if (!ours->username.empty()) return std::string(ours->username);
        return ask("SELECT uri FROM statuses WHERE id = " + std::to_string(ours->status().value));
    };
    EXPECT_EQ(found("/users/alice"), "alice");
    EXPECT_EQ(found("/objects/" + uuid(estuary)), own(estuary));
    EXPECT_EQ(found("/post/" + uuid(estuary)), own(estuary));
    const auto announce = "/activities/announce/" + uuid(boost);
    EXPECT_EQ(found(announce), "https://social.example.org" + announce);
    EXPECT_EQ(found("/objects/" + uuid(old_boost)), own(old_boost));
    EXPECT_EQ(found("/objects/" + uuid("ff")), "nothing");
}

TEST_P(MitraCopied, threads_boosts_and_polls_come_along) {
    for (const auto& reply : {answer, wish})
        EXPECT_EQ(
            ask("SELECT in_reply_to_id - " + post(estuary) + ", in_reply_to_account_id - " +
                account("alice") + " FROM statuses WHERE id = " + post(reply)),
            "0|0"
        );
    EXPECT_EQ(
        ask("SELECT a.username, b.visibility, b.uri FROM statuses b JOIN accounts a ON a.id = b.account_id "
            "WHERE b.reblog_of_id IS NOT NULL ORDER BY a.username"),
        "alice|public|" + own(old_boost) + "\nbob|public|https://social.example.org/activities/announce/" +
            uuid(boost) + "\nwren|public|https://remote.example/boosts/7"
    );
    EXPECT_EQ(
        ask("SELECT DISTINCT c.uri FROM conversations c JOIN statuses s ON s.conversation_id = c.id WHERE "
            "s.id "
            "IN (" +
            post(estuary) + ", " + post(answer) + ", " + post(wish) + ", " + post(boost) + ")"),
        "https://social.example.org/collections/conversations/" + uuid("40")
    );
    EXPECT_EQ(
        ask("SELECT replies_count, reblogs_count, favourites_count FROM statuses WHERE id = " + post(estuary)
        ),
        "2|2|2"
    );
    EXPECT_EQ(ask("SELECT multiple, ended, voters_count FROM polls"), "0|0|1");
    EXPECT_EQ(ask("SELECT title, votes_count FROM poll_options ORDER BY position"), "dunlin|0\nsanderling|1");
    EXPECT_EQ(ask("SELECT account_id - " + account("alice") + ", choice FROM poll_votes"), "0|1");
}

TEST_P(MitraCopied, relations_lists_and_what_was_read_come_along) {
    EXPECT_EQ(
        ask("SELECT a.username, t.username, f.show_reblogs, f.uri FROM follows f JOIN accounts a ON a.id = "
            "f.account_id JOIN accounts t ON t.id = f.target_id ORDER BY 1"),
        "bob|alice|0|" + own("64") + "\nwren|alice|1|https://remote.example/follows/7"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("alice") + ", target_id - " + account("wren") +
            ", uri FROM follow_requests"),
        "0|0|https://social.example.org/activities/follow/" + uuid("66")
    );
    EXPECT_EQ(ask("SELECT count(*) FROM blocks"), "0") << "who declines a request blocks nobody";
    EXPECT_EQ(
        ask("SELECT account_id - " + account("bob") + ", target_id - " + account("wren") + " FROM mutes"),
        "0|0"
    );
    EXPECT_EQ(
        ask("SELECT a.username, f.uri FROM favourites f JOIN accounts a ON a.id = f.account_id ORDER BY 1, 2"
        ),
        "alice|https://social.example.org/activities/like/" + uuid("5d") + "\nalice|" + own("5c") +
            "\nbob|https://social.example.org/activities/like/" + uuid("5a") +
            "\nwren|https://remote.example/likes/1"
    ) << "no dislike";
    EXPECT_EQ(ask("SELECT status_id - " + post(wish) + " FROM bookmarks"), "0");
    EXPECT_EQ(
        ask("SELECT l.title, a.username FROM list_members m JOIN lists l ON l.id = m.list_id JOIN accounts a "
            "ON "
            "a.id = m.account_id ORDER BY 2"),
        "Birds|bob\nBirds|wren"
    );
    EXPECT_EQ(
        ask("SELECT timeline, last_read_id - CASE timeline WHEN 'home' THEN " + post(estuary) + " ELSE " +
            id("notification", "2") + " END FROM markers ORDER BY 1"),
        "home|0\nnotifications|0"
    );
    EXPECT_EQ(
        ask("SELECT type, count(*) FROM notifications GROUP BY type ORDER BY type"),
        "favourite|1\nfollow|1\nmention|1\nreblog|1"
    );
    EXPECT_EQ(
        ask("SELECT a.username, v.unread, v.participants = ',' || o.id || ',', v.last_status_id - " +
            post(direct) +
            " FROM account_conversations v JOIN accounts a ON a.id = v.account_id "
            "JOIN accounts o ON o.id <> a.id AND o.username IN ('alice', 'bob') WHERE v.last_status_id = " +
            post(direct) + " ORDER BY 1"),
        "alice|0|1|0\nbob|0|1|0"
    );
    EXPECT_EQ(
        ask("SELECT domain, severity, reject_media FROM domain_blocks ORDER BY 1"),
        "loud.example|noop|1\nspam.example|suspend|0"
    );
}

TEST_P(MitraCopied, nothing_differs_and_nothing_is_sent) {
    for (const char* table :
         {"deliveries", "activities", "push_messages", "inbox_items", "planned_updates", "takeover_refusals"})
        EXPECT_EQ(ask(std::string("SELECT count(*) FROM ") + table), "0") << table << "\n" << refusals();
    const auto compared = expect_nothing_differs(*before, Mitra::settings());
    EXPECT_EQ(compared.people, 2);
    EXPECT_EQ(compared.posts, 8);
}

}  // namespace

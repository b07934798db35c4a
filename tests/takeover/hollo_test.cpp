// SPDX-License-Identifier: AGPL-3.0-or-later
// What a small Hollo had, in tables of ours: the mapping as assertions.
#include "ap/signatures/key.hpp"
#include "base/crypto.hpp"
#include "social/former/former.hpp"
#include "support/key_pair.hpp"
#include "takeover/hollo_stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::AllOf, testing::HasSubstr, testing::Not;

struct HolloCopied : HolloThere {
    void SetUp() override {
        HolloThere::SetUp();
        if (!IsSkipped()) copy(*before);
    }
    void TearDown() override {
        former::use_past({});
        HolloThere::TearDown();
    }
};
ON_EACH_DATABASE(HolloCopied);

TEST_P(HolloCopied, people_keep_their_ids_profiles_and_keys) {
    EXPECT_EQ(
        ask("SELECT username, domain, uri, url, locked, discoverable, hide_collections, display_name FROM "
            "accounts ORDER BY domain, username"),
        "alice||https://social.example.org/@alice||0|1|0|Alice Wader\n"
        "bob||https://social.example.org/@bob||1|0|1|Bob\n"
        "stint|far.example|https://far.example/users/stint|https://far.example/@stint|0|NULL|NULL|Stint\n"
        "wren|remote.example|https://remote.example/users/wren|https://remote.example/@wren|0|NULL|NULL|Wren"
    );
    EXPECT_EQ(
        ask("SELECT note, note_html FROM accounts WHERE username = 'alice'"),
        "Watches **shorebirds**|<p>Watches <strong>shorebirds</strong></p>"
    );
    EXPECT_EQ(ask("SELECT note_html FROM accounts WHERE username = 'wren'"), "<p>far away</p>");
    EXPECT_THAT(
        ask("SELECT fields FROM accounts WHERE username = 'alice'"),
        HasSubstr(R"("name":"Site","value":"https://alice.example")")
    );
    EXPECT_EQ(
        ask("SELECT avatar FROM accounts WHERE username IN ('alice', 'wren') ORDER BY username"),
        "former/assets/avatars/alice.png\nhttps://remote.example/face.png"
    );
    EXPECT_EQ(contents(file("former/assets/avatars/alice.png")), "bytes of avatars/alice.png");
    EXPECT_EQ(ask("SELECT uri FROM aliases"), "https://old.example/users/alice");
    EXPECT_EQ(ask("SELECT id / 65536 - created_at FROM accounts WHERE id / 65536 <> created_at"), "");
    EXPECT_EQ(
        ask("SELECT username FROM accounts WHERE id = " +
            id("account", "01a1961f-5c00-7000-8001-000000000001")),
        "alice"
    );
    EXPECT_EQ(
        ask("SELECT id, type FROM actor_keys WHERE account_id <> 0 ORDER BY id"),
        "https://social.example.org/@alice#key-2|ed25519\nhttps://social.example.org/@alice#main-key|rsa\n"
        "https://social.example.org/@alice#multikey-2|ed25519\n"
        "https://social.example.org/@bob#key-2|ed25519\nhttps://social.example.org/@bob#main-key|rsa\n"
        "https://social.example.org/@bob#multikey-2|ed25519"
    );
    const auto pair =
        ap::PrivateKey::from_pem(ask("SELECT private_key FROM actor_keys WHERE id LIKE '%alice#main-key'"));
    const auto shown = ap::PublicKey::from_pem(support::key_pair().public_pem);
    ASSERT_TRUE(pair && shown);
    EXPECT_TRUE(shown->verifies(pair->sign("hello"), "hello"));
    EXPECT_EQ(
        ask("SELECT a.inbox, a.shared_inbox, a.featured FROM actors a WHERE a.inbox LIKE '%wren%'"),
        "https://remote.example/users/wren/inbox|https://remote.example/inbox|"
        "https://remote.example/users/wren/featured"
    );
}

TEST_P(HolloCopied, who_signs_in_does_as_before_and_so_do_the_apps) {
    EXPECT_EQ(
        ask("SELECT a.username, u.email, u.role_id, u.default_privacy, u.default_language, u.second_factor, "
            "u.expand_spoilers FROM users u JOIN accounts a ON a.id = u.account_id ORDER BY a.username"),
        "alice|alice@example.org|3|unlisted|de|1|1\nbob|bob@invalid|-99|public|en|1|0"
    );
    for (const char* name : {"alice", "bob"}) {
        const auto hash = ask("SELECT password_hash FROM users WHERE account_id = " + account(name));
        EXPECT_TRUE(base::any_password_matches(hash, "correct horse")) << name;
        EXPECT_FALSE(base::any_password_matches(hash, "wrong horse")) << name;
    }
    EXPECT_EQ(
        ask("SELECT DISTINCT secret FROM authenticators"),
        base::base64url("Hello!\xde\xad\xbe\xefHello!\xde\xad\xbe\xef")
    );
    EXPECT_EQ(
        ask("SELECT name, redirect_uris, scopes, client_id, secret_hash FROM apps"),
        "Tern|urn:ietf:wg:oauth:2.0:oob\nhttps://tern.example/cb|read write follow push|tern-client|" +
            base::sha256_hex("tern-secret")
    );
    EXPECT_EQ(
        ask("SELECT a.username, t.scopes FROM tokens t JOIN users u ON u.id = t.user_id JOIN accounts a ON "
            "a.id = u.account_id WHERE t.token_hash = '" +
            base::sha256_hex("token-of-alice") + "'"),
        "alice|read write profile"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM tokens"), "3");
    EXPECT_EQ(
        ask("SELECT p.name, p.algorithm, p.uses FROM passkeys p JOIN users u ON u.id = p.user_id WHERE "
            "u.email = 'alice@example.org'"),
        "Laptop|-7|7"
    );
}

TEST_P(HolloCopied, posts_are_what_they_were_and_for_whom) {
    auto kept = [&](const std::string& uuid) {
        return ask(
            "SELECT visibility, local, sensitive, content_type, spoiler_text, text, relations, quote_policy "
            "FROM statuses WHERE id = " +
            post(uuid)
        );
    };
    EXPECT_EQ(
        kept(estuary), "public|1|0|text/markdown||First **light** over the estuary #waders|2|followers"
    );
    EXPECT_EQ(kept(picture), "unlisted|1|1|text/markdown|bird|A picture|4|public");
    EXPECT_EQ(kept(followers), "private|1|0|text/markdown||For followers only|0|nobody");
    EXPECT_EQ(kept(direct), "direct|1|0|text/markdown||@bob a direct word|1|nobody");
    EXPECT_EQ(kept(question), "public|1|0|text/markdown||Which?|8|public");
    EXPECT_EQ(kept(answer), "public|1|0|text/markdown||@alice lovely|1|public");
    EXPECT_EQ(kept(quoting), "public|1|0|text/markdown||Look|16|public");
    EXPECT_EQ(kept(wish), "public|0|0|text/html|||3|public");
    EXPECT_EQ(ask("SELECT count(*) FROM statuses WHERE uri LIKE 'https://far.example/%'"), "0")
        << "nobody here has to do with it";
    auto html = [&](const std::string& uuid) {
        return ask("SELECT content FROM statuses WHERE id = " + post(uuid));
    };
    EXPECT_THAT(html(estuary), AllOf(HasSubstr("<strong>light</strong>"), HasSubstr("/tags/waders\"")));
    EXPECT_THAT(html(direct), HasSubstr("href=\"https://social.example.org/@bob\""));
    EXPECT_EQ(html(wish), "<p>Wish I were there</p>");
    EXPECT_EQ(
        ask("SELECT language, app_id = (SELECT id FROM apps), edited_at IS NULL FROM statuses WHERE id = " +
            post(estuary)),
        "en|1|1"
    );
    EXPECT_EQ(ask("SELECT edited_at FROM statuses WHERE id = " + post(edited)), "1794468660123");
    EXPECT_EQ(ask("SELECT status_id - " + post(estuary) + " FROM status_pins"), "0");
    EXPECT_EQ(
        ask("SELECT status_id - " + post(quoting) + ", quoted_status_id - " + post(wish) +
            ", state, authorization_uri FROM quotes"),
        "0|0|accepted|https://remote.example/stamps/1"
    );
    EXPECT_EQ(
        ask("SELECT type, file, preview, mime, width, height, preview_width, description, status_id - " +
            post(picture) + " FROM media"),
        "image|former/assets/media/01a1ce92-0b00-7000-8046-000000000046/original.png|former/assets/media/"
        "01a1ce92-0b00-7000-8046-000000000046/thumbnail.webp|image/png|320|200|160|a dunlin on mud|0"
    );
}

TEST_P(HolloCopied, addresses_and_ids_of_before_name_the_same) {
    former::use_past(db::read_now(target().connection, target().context, former::read_past));
    auto found = [&](const std::string& path) -> std::string {
        const auto ours = db::read_now(target().connection, target().context, [&](db::Read& db) {
            return former::ours(db, "https://social.example.org" + path);
        });
        if (!ours) return "nothing";
        if (!ours->username.empty()) return std::string(ours->username);
        using base::uris::Kind;
        if (ours->kind == Kind::actor || ours->kind == Kind::followers || ours->kind == Kind::inbox)
            return ask("SELECT username FROM accounts WHERE id = " + std::to_string(ours->account.value));
        return ask("SELECT uri FROM statuses WHERE id = " + std::to_string(ours->status().value));
    };
    EXPECT_EQ(found("/@alice"), "alice");
    EXPECT_EQ(found("/@alice/followers"), "alice");
    EXPECT_EQ(found("/@bob/inbox"), "bob");
    EXPECT_EQ(found("/@alice/" + estuary), address("alice", estuary));
    EXPECT_EQ(found("/@bob/" + boost), address("bob", boost) + "#activity");
    EXPECT_EQ(found("/@bob/" + boost + "#activity"), address("bob", boost) + "#activity");
    EXPECT_EQ(found("/@alice/01a1ce8e-6180-7000-8010-0000000000ff"), "nothing");
    EXPECT_EQ(
        ask("SELECT shortcode, file, category FROM custom_emojis"),
        "dunlin|former/assets/emojis/dunlin.png|birds"
    );
}

TEST_P(HolloCopied, threads_boosts_and_polls_come_along) {
    for (const auto& reply : {answer, wish})
        EXPECT_EQ(
            ask("SELECT in_reply_to_id - " + post(estuary) + ", in_reply_to_account_id - " +
                account("alice") + " FROM statuses WHERE id = " + post(reply)),
            "0|0"
        );
    EXPECT_EQ(
        ask("SELECT a.username, b.visibility, b.uri, b.reblog_of_id - " + post(estuary) +
            " FROM statuses b JOIN accounts a ON a.id = b.account_id WHERE b.reblog_of_id IS NOT NULL ORDER "
            "BY a.username"),
        "bob|public|" + address("bob", boost) + "#activity|0\nwren|public|https://remote.example/boosts/7|0"
    );
    EXPECT_EQ(
        ask("SELECT count(DISTINCT conversation_id) FROM statuses WHERE id IN (" + post(estuary) + ", " +
            post(answer) + ", " + post(wish) + ", " + post(boost) + ")"),
        "1"
    );
    EXPECT_EQ(
        ask("SELECT replies_count, reblogs_count, favourites_count FROM statuses WHERE id = " + post(estuary)
        ),
        "2|2|2"
    );
    EXPECT_EQ(
        ask("SELECT status_id - " + id("poll", "01a1cea0-b100-7000-803d-00000000003d") +
            ", multiple, ended, voters_count FROM polls"),
        "0|0|0|1"
    );
    EXPECT_EQ(ask("SELECT title, votes_count FROM poll_options ORDER BY position"), "dunlin|0\nsanderling|1");
    EXPECT_EQ(ask("SELECT account_id - " + account("alice") + ", choice FROM poll_votes"), "0|1");
}

TEST_P(HolloCopied, relations_lists_and_what_was_read_come_along) {
    EXPECT_EQ(
        ask("SELECT a.username, t.username, f.show_reblogs, f.notify, f.languages, f.uri FROM follows f JOIN "
            "accounts a ON a.id = f.account_id JOIN accounts t ON t.id = f.target_id ORDER BY 1"),
        "bob|alice|0|1|[\"en\",\"de\"]|https://social.example.org/@bob#follows/0b9c\n"
        "wren|alice|1|0|NULL|https://remote.example/follows/7"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("alice") + ", target_id - " + account("wren") +
            ", uri FROM follow_requests"),
        "0|0|https://social.example.org/@alice#follows/1c2d"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("alice") + ", target_id - " + account("stint") +
            ", uri FROM blocks"),
        "0|0|https://social.example.org/@alice#block/01a1a592-7000-7000-8004-000000000004"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("bob") + ", target_id - " + account("wren") +
            ", hide_notifications, expires_at - created_at FROM mutes"),
        "0|0|1|630720000000"
    ) << "without the one that is over";
    EXPECT_EQ(
        ask("SELECT a.username, f.uri FROM favourites f JOIN accounts a ON a.id = f.account_id ORDER BY 1, 2"
        ),
        "alice|https://social.example.org/#react/01a1961f-5c00-7000-8001-000000000001/" + answer +
            "/%F0%9F%90%A6\nalice|https://social.example.org/@alice#likes/2026-11-12T08:33:00.000Z\n"
            "bob|https://social.example.org/@bob#likes/2026-11-12T08:31:00.123Z\nwren|NULL"
    );
    EXPECT_EQ(ask("SELECT status_id - " + post(wish) + " FROM bookmarks"), "0");
    EXPECT_EQ(
        ask("SELECT l.title, l.replies_policy, l.exclusive, a.username FROM list_members m JOIN lists l ON "
            "l.id "
            "= m.list_id JOIN accounts a ON a.id = m.account_id ORDER BY 4"),
        "Birds|followed|1|bob\nBirds|followed|1|wren"
    );
    EXPECT_EQ(
        ask("SELECT timeline, version, last_read_id - CASE timeline WHEN 'home' THEN " + post(estuary) +
            " ELSE " + id("notification", "01a1cee1-b1a0-7000-805b-00000000005b") +
            " END FROM markers ORDER BY 1"),
        "home|3|0\nnotifications|5|0"
    );
    EXPECT_EQ(
        ask("SELECT type, count(*) FROM notifications GROUP BY type ORDER BY type"),
        "favourite|2\nfollow|1\nmention|1\npoll|1\nreblog|1"
    );
    EXPECT_EQ(ask("SELECT t.name FROM tag_follows f JOIN tags t ON t.id = f.tag_id"), "waders");
    EXPECT_EQ(ask("SELECT name, statuses_count FROM featured_tags"), "Waders|1");
    EXPECT_EQ(
        ask("SELECT account_id - " + account("wren") + ", target_id - " + account("alice") +
            ", comment, (SELECT status_id - " + post(estuary) + " FROM report_statuses) FROM reports"),
        "0|0|rude|0"
    );
}

TEST_P(HolloCopied, nothing_differs_and_nothing_is_sent) {
    for (const char* table :
         {"deliveries", "activities", "push_messages", "inbox_items", "planned_updates", "takeover_refusals"})
        EXPECT_EQ(ask(std::string("SELECT count(*) FROM ") + table), "0") << table << "\n" << refusals();
    const auto compared = expect_nothing_differs(*before);
    EXPECT_EQ(compared.people, 2);
    EXPECT_EQ(compared.posts, 8);
    const auto foreign = db::open_foreign(before->source());
    EXPECT_THROW(foreign->run("DELETE FROM posts", {}, [](auto&) {}), db::Unreadable);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// What a small GoToSocial had, in tables of ours: the mapping as assertions.
#include "ap/signatures/key.hpp"
#include "base/crypto.hpp"
#include "takeover/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::HasSubstr, testing::Not;

struct GoToSocialCopied : CopiedTo {
    void SetUp() override {
        CopiedTo::SetUp();
        if (!IsSkipped()) copy(before);
    }
    // Of an id of before, as a subselect.
    static std::string id(const std::string& kind, const std::string& former) {
        return "(SELECT id FROM former_ids WHERE kind = '" + kind + "' AND former = '" + former + "')";
    }
    static std::string account(const std::string& name) {
        return "(SELECT id FROM accounts WHERE username = '" + name + "')";
    }
    static std::string post(const std::string& former) { return id("status", former); }

    GoToSocial before;
    const std::string estuary = "01M81NR2Q99PR48KDMZJD5NQ84", picture = "01M81NR2QFS1JR7A1JGX2BFB3W",
                      unlisted = "01M81NR2QQ5D13YN7TQNTQM3R2", followers = "01M81NR2RBF37GXQKKQN2C3TK5",
                      direct = "01M81NR2SQS4TWQNNG6REJR87E", question = "01M81NR3A02X4HQ0GJ5GFSEESY",
                      here_only = "01M81NR3DBBVM44D5SKR1XQ6R5", answer = "01M81NR3DGDHTVY0CSJT7MXWVT",
                      edited = "01M81NR3F06M1KXPACFKP6EM4B", boost = "01M81NR4FA970F26BTJNWCY4WS",
                      remote = "01M81NR50000000000REM0TEPS";
};
ON_EACH_DATABASE(GoToSocialCopied);

TEST_P(GoToSocialCopied, people_keep_their_names_ids_and_profiles) {
    EXPECT_EQ(
        ask("SELECT username, domain, uri, url, actor_type, locked, discoverable FROM accounts ORDER BY "
            "domain, username"),
        "alice||https://social.example.org/users/alice||Person|0|0\n"
        "bob||https://social.example.org/users/bob||Person|1|0\n"
        "wren|remote.example|https://remote.example/users/wren|https://remote.example/@wren|Person|0|1"
    );
    EXPECT_EQ(
        ask("SELECT display_name, note FROM accounts WHERE username = 'alice'"),
        "Alice Wader|Watches **shorebirds**. #waders"
    );
    EXPECT_THAT(
        ask("SELECT note_html FROM accounts WHERE username = 'alice'"),
        HasSubstr("<strong>shorebirds</strong>")
    );
    EXPECT_THAT(ask("SELECT note_html FROM accounts WHERE username = 'alice'"), HasSubstr("/tags/waders"));
    EXPECT_THAT(
        ask("SELECT fields FROM accounts WHERE username = 'alice'"),
        HasSubstr(R"("name":"Site","value":"https://alice.example")")
    );
    EXPECT_THAT(
        ask("SELECT fields FROM accounts WHERE username = 'alice'"), HasSubstr("rel=\\\"nofollow noopener")
    );
    EXPECT_EQ(ask("SELECT note_html FROM accounts WHERE username = 'wren'"), "<p>far away</p>");
    EXPECT_EQ(ask("SELECT count(*) FROM accounts WHERE username = 'social.example.org'"), "0");
}

TEST_P(GoToSocialCopied, numbers_are_made_of_dates_and_found_by_former_ids) {
    EXPECT_EQ(ask("SELECT id / 65536 - created_at FROM accounts"), "0\n0\n0");
    EXPECT_EQ(ask("SELECT id / 65536 - created_at FROM statuses WHERE id / 65536 <> created_at"), "");
    EXPECT_EQ(
        ask("SELECT username FROM accounts WHERE id = " + id("account", "01PP9N5MV8F19VS8ZH0DJ2WTAH")),
        "alice"
    );
    EXPECT_EQ(ask("SELECT text FROM statuses WHERE id = " + post(answer)), "@alice lovely");
    EXPECT_EQ(ask("SELECT " + id("poll", "01M81NR3B0T7JB538F3YMMGEC5") + " - " + post(question)), "0");
}

TEST_P(GoToSocialCopied, the_keys_others_know_sign_and_verify) {
    EXPECT_EQ(
        ask("SELECT k.id, COALESCE(a.username, '-'), k.type, k.private_key IS NOT NULL FROM actor_keys k "
            "LEFT JOIN accounts a ON a.id = k.account_id ORDER BY k.id"),
        "https://remote.example/users/wren#main-key|wren|pem|0\n"
        "https://social.example.org/users/alice/main-key|alice|rsa|1\n"
        "https://social.example.org/users/bob/main-key|bob|rsa|1\n"
        "https://social.example.org/users/social.example.org/main-key|-|rsa|1"
    );
    EXPECT_EQ(ask("SELECT account_id FROM actor_keys WHERE id LIKE '%/social.example.org/main-key'"), "0");
    const auto pair =
        ap::PrivateKey::from_pem(ask("SELECT private_key FROM actor_keys WHERE id LIKE '%alice/main-key'"));
    const auto shown =
        ap::PublicKey::from_pem(ask("SELECT public_key FROM actor_keys WHERE id LIKE '%alice/main-key'"));
    ASSERT_TRUE(pair && shown);
    EXPECT_TRUE(shown->verifies(pair->sign("hello"), "hello"));
    EXPECT_EQ(ask("SELECT kind, id FROM former_paths WHERE path = '/users/social.example.org'"), "account|0");
}

TEST_P(GoToSocialCopied, where_others_are_written_to_is_known) {
    EXPECT_EQ(
        ask("SELECT inbox, shared_inbox, outbox, followers, following, featured, refreshed_at FROM actors"),
        "https://remote.example/users/wren/inbox|https://remote.example/inbox|https://remote.example/users/"
        "wren/outbox|"
        "https://remote.example/users/wren/followers|https://remote.example/users/wren/following|"
        "https://remote.example/users/wren/collections/featured|0"
    );
    EXPECT_EQ(ask("SELECT domain FROM known_servers"), "remote.example");
}

TEST_P(GoToSocialCopied, logins_keep_passwords_roles_and_second_factors) {
    EXPECT_EQ(
        ask("SELECT email, role_id, approved, disabled, confirmed_at IS NOT NULL, default_privacy, "
            "default_sensitive, "
            "default_language, substr(password_hash, 1, 7), second_factor FROM users ORDER BY email"),
        "alice@example.org|3|1|0|1|unlisted|0|en|$2a$10$|0\nbob@example.org|-99|1|0|1|unlisted|0|en|$2a$10$|1"
    );
    EXPECT_EQ(
        ask("SELECT secret, confirmed_at IS NOT NULL, last_step FROM authenticators"),
        base::base64url("Hello!\xde\xad\xbe\xefHello!\xde\xad\xbe\xef") + "|1|0"
    );
    EXPECT_TRUE(base::any_password_matches(ask("SELECT code_hash FROM recovery_codes"), "backup-one"));
    EXPECT_EQ(
        ask("SELECT a.username FROM users u JOIN accounts a ON a.id = u.account_id ORDER BY u.email"),
        "alice\nbob"
    );
}

TEST(RecoveryCodesOfOthers, come_along_where_they_are_known_and_cost_no_more_than_a_password) {
    const std::string rest(53, 'x');
    const std::vector<std::string> good{"$2a$04$" + rest, "$2b$12$" + rest, "$2y$14$" + rest};
    auto given = good;
    for (const auto* other : {"$2b$15$", "$2b$31$", "$2b$1x$", "$2b-10$", "$1b$10$"})
        given.push_back(other + rest);
    given.push_back("$2b$10$" + rest + "x");
    EXPECT_EQ(takeover::known_recovery_codes(given), good);
    EXPECT_EQ(takeover::known_recovery_codes(std::vector(30, good[0])).size(), 20u);
}

TEST_P(GoToSocialCopied, apps_stay_logged_in) {
    EXPECT_EQ(ask("SELECT count(*) FROM apps"), "4");
    EXPECT_EQ(
        ask("SELECT name, redirect_uris, secret_hash FROM apps WHERE client_id = '01P0FR2856KHYRCZQX7432XQ5K'"
        ),
        "script|urn:ietf:wg:oauth:2.0:oob|" + base::sha256_hex("a2b2f43a-050e-4712-a11b-b548d96426c4")
    );
    EXPECT_EQ(
        ask("SELECT a.username, t.scopes, p.client_id, t.last_used_at FROM tokens t JOIN users u ON u.id = "
            "t.user_id "
            "JOIN accounts a ON a.id = u.account_id JOIN apps p ON p.id = t.app_id WHERE t.token_hash = '" +
            base::sha256_hex("ZTY5MGEYNDITMMEXMC0ZMTLILTGXMDITNDVKMDFLNGYZM2RM") + "'"),
        "alice|read write follow push admin:read admin:write|01P0FR2856KHYRCZQX7432XQ5K|1795352691867"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM tokens WHERE revoked_at IS NULL"), "2");
}

TEST_P(GoToSocialCopied, posts_are_what_they_were) {
    auto said = [&](const std::string& former) {
        return ask(
            "SELECT visibility, local, sensitive, local_only, content_type, spoiler_text, text, relations, "
            "quote_policy "
            "FROM statuses WHERE id = " +
            post(former)
        );
    };
    EXPECT_EQ(said(estuary), "public|1|0|0|text/markdown||First light over the estuary #waders|2|public");
    EXPECT_EQ(said(picture), "unlisted|1|1|0|text/markdown|bird|A picture|4|public");
    EXPECT_EQ(said(unlisted), "unlisted|1|0|0|text/markdown||*Unlisted* words, **markdown**|0|public");
    EXPECT_EQ(said(followers), "private|1|0|0|text/markdown||For followers only|0|nobody");
    EXPECT_EQ(said(direct), "direct|1|0|0|text/markdown||@bob a direct word|1|nobody");
    EXPECT_EQ(said(question), "unlisted|1|0|0|text/markdown||Which?|8|public");
    EXPECT_EQ(said(here_only), "public|1|0|1|text/markdown||stays here|0|public");
    EXPECT_EQ(said(answer), "unlisted|1|0|0|text/plain||@alice lovely|1|public");
    EXPECT_EQ(said(remote), "public|0|0|0|text/html|||0|public");
    EXPECT_EQ(ask("SELECT count(*) FROM statuses"), "11");
}

TEST_P(GoToSocialCopied, the_html_of_posts_is_made_anew_with_the_people_they_named) {
    auto html = [&](const std::string& former) {
        return ask("SELECT content FROM statuses WHERE id = " + post(former));
    };
    EXPECT_THAT(html(estuary), HasSubstr("href=\"https://social.example.org/tags/waders\""));
    EXPECT_THAT(html(unlisted), HasSubstr("<strong>markdown</strong>"));
    EXPECT_THAT(html(direct), HasSubstr("href=\"https://social.example.org/@bob\""));
    EXPECT_THAT(html(answer), HasSubstr("href=\"https://social.example.org/@alice\""));
    EXPECT_EQ(html(remote), "<p>Wish I were there</p>");
}

TEST_P(GoToSocialCopied, posts_keep_their_ids_and_threads) {
    EXPECT_EQ(
        ask("SELECT uri FROM statuses WHERE id = " + post(estuary)),
        "https://social.example.org/users/alice/statuses/" + estuary
    );
    EXPECT_EQ(
        ask("SELECT uri, url FROM statuses WHERE id = " + post(remote)),
        "https://remote.example/users/wren/statuses/113|https://remote.example/@wren/113"
    );
    for (const auto& reply : {answer, remote})
        EXPECT_EQ(
            ask("SELECT in_reply_to_id - " + post(estuary) + ", in_reply_to_account_id - " +
                account("alice") + " FROM statuses WHERE id = " + post(reply)),
            "0|0"
        );
    EXPECT_EQ(
        ask("SELECT reblog_of_id - " + post(estuary) +
            ", uri, content FROM statuses WHERE id = " + post(boost)),
        "0|https://social.example.org/users/bob/statuses/" + boost + "|"
    );
    EXPECT_EQ(
        ask("SELECT count(DISTINCT conversation_id) FROM statuses WHERE id IN (" + post(estuary) + ", " +
            post(answer) + ", " + post(remote) + ", " + post(boost) + ")"),
        "1"
    );
    EXPECT_EQ(
        ask("SELECT c.status_id - " + post(estuary) + ", c.account_id - " + account("alice") +
            " FROM conversations c JOIN statuses s ON s.conversation_id = c.id WHERE s.id = " + post(answer)),
        "0|0"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM conversations"), "8");
    EXPECT_EQ(ask("SELECT status_id - " + post(remote) + " FROM remote_statuses"), "0");
}

TEST_P(GoToSocialCopied, counts_are_those_of_the_rows) {
    EXPECT_EQ(
        ask("SELECT replies_count, reblogs_count, favourites_count FROM statuses WHERE id = " + post(estuary)
        ),
        "2|1|1"
    );
    EXPECT_EQ(
        ask("SELECT username, followers_count, following_count, statuses_count FROM accounts WHERE domain = "
            "'' ORDER BY "
            "username"),
        "alice|2|0|6\nbob|0|1|3"
    );
}

TEST_P(GoToSocialCopied, what_posts_carry_comes_along) {
    EXPECT_EQ(
        ask("SELECT a.username, m.silent, m.author_id IS NOT NULL FROM mentions m JOIN accounts a ON a.id = "
            "m.account_id "
            "WHERE m.status_id = " +
            post(direct)),
        "bob|0|1"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("alice") +
            ", author_id FROM mentions WHERE status_id = " + post(answer)),
        "0|NULL"
    );
    EXPECT_EQ(
        ask("SELECT t.name, t.listable, t.usable, s.local, s.reach FROM status_tags s JOIN tags t ON t.id = "
            "s.tag_id"),
        "waders|1|1|1|0"
    );
    EXPECT_EQ(ask("SELECT status_id - " + post(estuary) + " FROM status_pins"), "0");
    EXPECT_EQ(ask("SELECT uses FROM tag_uses"), "1");
}

TEST_P(GoToSocialCopied, media_are_the_same_files_under_the_same_addresses) {
    const std::string folder = "former/fileserver/01PP9N5MV8F19VS8ZH0DJ2WTAH/attachment/";
    EXPECT_EQ(
        ask("SELECT status_id - " + post(picture) +
            ", position, type, file, preview, mime, width, height, focus_x, "
            "blurhash, description, processing, free_since FROM media"),
        "0|0|image|" + folder + "original/01M81NR2BRGGX04TJ4HB9ZJKH2.png|" + folder +
            "small/01M81NR2BRGGX04TJ4HB9ZJKH2.jpeg|image/png|320|200|0.2|L3Fie{.76hyW_yjbWpjbdxf7fQf7|a "
            "dunlin on mud|"
            "complete|NULL"
    );
    EXPECT_EQ(
        contents(file(folder + "original/01M81NR2BRGGX04TJ4HB9ZJKH2.png")),
        "bytes of attachment/original/01M81NR2BRGGX04TJ4HB9ZJKH2.png"
    );
    EXPECT_TRUE(fs::exists(file(folder + "small/01M81NR2BRGGX04TJ4HB9ZJKH2.jpeg")));
    EXPECT_EQ(
        ask("SELECT avatar, avatar_static, header FROM accounts WHERE username = 'alice'"),
        folder + "original/01M81NR1D6X658NX6XFT7FAEG9.png|" + folder +
            "original/01M81NR1D6X658NX6XFT7FAEG9.png|"
    );
    EXPECT_TRUE(fs::exists(file(folder + "original/01M81NR1D6X658NX6XFT7FAEG9.png")));
    EXPECT_TRUE(fs::exists(
        before.media / "01PP9N5MV8F19VS8ZH0DJ2WTAH/attachment/original/01M81NR1D6X658NX6XFT7FAEG9.png"
    ));
}

TEST_P(GoToSocialCopied, edits_polls_and_votes_come_along) {
    EXPECT_EQ(
        ask("SELECT text, content, created_at FROM status_edits WHERE status_id = " + post(edited) +
            " ORDER BY id"),
        "to be edited|<p>to be edited</p>|1795352694240\nwas edited|<p>was edited</p>|1795352694248"
    );
    EXPECT_EQ(ask("SELECT edited_at FROM statuses WHERE id = " + post(edited)), "1795352694248");
    EXPECT_EQ(
        ask("SELECT status_id - " + post(question) +
            ", multiple, hide_totals, ended, expires_at, voters_count FROM polls"),
        "0|0|0|0|1795439094112|1"
    );
    EXPECT_EQ(ask("SELECT title, votes_count FROM poll_options ORDER BY position"), "dunlin|0\nsanderling|1");
    EXPECT_EQ(ask("SELECT account_id - " + account("bob") + ", choice FROM poll_votes"), "0|1");
}

TEST_P(GoToSocialCopied, relations_between_people_keep_their_ids) {
    EXPECT_EQ(
        ask("SELECT a.username, t.username, f.show_reblogs, f.notify, f.uri, f.origin, f.backfill_below > 0 "
            "FROM follows f "
            "JOIN accounts a ON a.id = f.account_id JOIN accounts t ON t.id = f.target_id ORDER BY a.username"
        ),
        "bob|alice|1|1|https://social.example.org/users/bob/follow/01GGNHX5BK8YBR0KC4XK8X4EGE||1\n"
        "wren|alice|1|0|https://remote.example/wren#follows/7|https://remote.example/|0"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("alice") + ", target_id - " + account("bob") +
            ", show_reblogs, uri FROM follow_requests"),
        "0|0|0|https://social.example.org/users/alice/follow/01SKRSCEGFEXFEHVDM5GKHVXWM"
    );
    EXPECT_EQ(
        ask("SELECT account_id - " + account("bob") + ", target_id - " + account("wren") +
            ", hide_notifications, expires_at FROM mutes"),
        "0|0|1|NULL"
    );
    EXPECT_EQ(ask("SELECT comment FROM account_notes"), "met at the hide");
    EXPECT_EQ(
        ask("SELECT account_id - " + account("bob") +
            ", uri FROM favourites WHERE status_id = " + post(estuary)),
        "0|https://social.example.org/users/bob/liked/01M81NR4F5BY39883X9BKV2VBZ"
    );
    EXPECT_EQ(ask("SELECT count(*) FROM favourites"), "2");
    EXPECT_EQ(ask("SELECT status_id - " + post(unlisted) + " FROM bookmarks"), "0");
    EXPECT_EQ(ask("SELECT t.name FROM tag_follows f JOIN tags t ON t.id = f.tag_id"), "waders");
}

TEST_P(GoToSocialCopied, lists_filters_and_what_was_read_come_along) {
    EXPECT_EQ(ask("SELECT title, replies_policy, exclusive FROM lists"), "Birds|list|1");
    EXPECT_EQ(ask("SELECT account_id - " + account("alice") + " FROM list_members"), "0");
    EXPECT_EQ(
        ask("SELECT title, context, filter_action, expires_at FROM filters"),
        R"(spoilers|["home","public"]|warn|NULL)"
    );
    EXPECT_EQ(ask("SELECT keyword, whole_word FROM filter_keywords"), "finale|1");
    EXPECT_EQ(ask("SELECT timeline, last_read_id - " + post(estuary) + " FROM markers"), "home|0");
    EXPECT_EQ(
        ask("SELECT a.username, v.unread, v.participants = ',' || o.id || ',' FROM account_conversations v "
            "JOIN accounts a ON a.id = v.account_id JOIN accounts o ON o.id <> a.id AND o.domain = '' ORDER "
            "BY 1"),
        "alice|0|1\nbob|1|1"
    );
    EXPECT_EQ(
        ask("SELECT count(*) FROM account_conversation_statuses WHERE status_id = " + post(direct)), "2"
    );
}

TEST_P(GoToSocialCopied, notifications_name_what_they_are_about) {
    EXPECT_EQ(ask("SELECT count(*) FROM notifications WHERE id % 160 <> 0"), "0") << "JavaScript reads them";
    EXPECT_EQ(
        ask("SELECT type, count(*) FROM notifications GROUP BY type ORDER BY type"),
        "favourite|2\nfollow|1\nfollow_request|1\nmention|2\nreblog|1\nstatus|7"
    );
    EXPECT_EQ(
        ask("SELECT status_id - " + post(estuary) + ", from_account_id - " + account("bob") +
            ", group_key = 'reblog-' || status_id || '-' || (created_at / 3600000) FROM notifications WHERE "
            "type = 'reblog'"),
        "0|0|1"
    );
}

TEST_P(GoToSocialCopied, the_server_keeps_its_rules_and_its_key_for_push_messages) {
    EXPECT_EQ(
        ask("SELECT domain, severity, public_comment, obfuscate FROM domain_blocks"),
        "spam.example|suspend|spam|0"
    );
    EXPECT_EQ(ask("SELECT text, position FROM rules"), "Be kind to birds|0");
    EXPECT_EQ(
        ask("SELECT value FROM settings WHERE name = 'vapid_public_key'"),
        "BP-XhOdmkKNngPUvPxZWOC3bfaEA36iXIyDqUvEd29BgcaXSb6iViYhmERiS75Mu6pqR_HXBgHX7iuqmF94-12w="
    );
    EXPECT_THAT(
        ask("SELECT value FROM settings WHERE name = 'vapid_private_key'"), HasSubstr("BEGIN PRIVATE KEY")
    );
}

TEST_P(GoToSocialCopied, nothing_is_to_be_sent_and_nothing_was_refused) {
    for (const char* table :
         {"deliveries", "activities", "push_messages", "inbox_items", "planned_updates", "takeover_refusals"})
        EXPECT_EQ(ask(std::string("SELECT count(*) FROM ") + table), "0") << table;
    EXPECT_EQ(ask("SELECT source, version, state FROM takeovers"), "GoToSocial|0.20|copied");
    auto foreign = db::open_foreign(before.source());
    auto source = takeover::recognise(*foreign, {});
    for (const auto& count : takeover::compare_counts(target(), *source))
        EXPECT_EQ(count.there, count.here) << count.what;
}

}  // namespace

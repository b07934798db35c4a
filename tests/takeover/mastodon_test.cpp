// SPDX-License-Identifier: AGPL-3.0-or-later
// What a small Mastodon had, in tables of ours: the mapping as assertions. Its numbers are ours.
#include "ap/signatures/key.hpp"
#include "base/crypto.hpp"
#include "takeover/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::HasSubstr, testing::Not;

struct MastodonCopied : CopiedTo {
    void SetUp() override {
        CopiedTo::SetUp();
        if (IsSkipped()) return;
        if (!support::postgres_url()) GTEST_SKIP() << "a Mastodon needs PostgreSQL: DUNLIN_TEST_POSTGRES";
        before.emplace();
        // Notifications of the dump are of 2024.
        copy(*before, {.settings = Mastodon::settings(), .notification_days = 2000});
    }
    std::optional<Mastodon> before;
    const std::string bob = "111866491699200077", wren = "110502110822400005";
    const std::string estuary = "117539654860800017", picture = "117545317171200034",
                      followers = "117550979481600051", direct = "117556641792000068",
                      question = "117562304102400085", edited = "117567966412800102",
                      answer = "117573628723200119", boost = "117579291033600136",
                      remote = "117584953344000153", quoting = "117590615654400170",
                      deleted = "117596277964800187";
};
ON_EACH_DATABASE(MastodonCopied);

TEST_P(MastodonCopied, people_keep_their_numbers_names_and_profiles) {
    EXPECT_EQ(
        ask("SELECT id, username, domain, uri, url, actor_type, locked, discoverable, indexable FROM "
            "accounts "
            "ORDER BY id"),
        "1|alice||https://social.example.org/users/alice||Person|0|1|1\n" + wren +
            "|wren|remote.example|https://remote.example/users/wren|https://remote.example/"
            "@wren|Person|0|NULL|0\n" +
            bob + "|bob||||Person|1|NULL|0"
    );
    EXPECT_EQ(
        ask("SELECT display_name, note FROM accounts WHERE id = 1"), "Alice Wader|Watches shorebirds #waders"
    );
    EXPECT_THAT(ask("SELECT note_html FROM accounts WHERE id = 1"), HasSubstr("/tags/waders"));
    EXPECT_THAT(
        ask("SELECT fields FROM accounts WHERE id = 1"),
        HasSubstr(R"("name":"Site","value":"https://alice.example")")
    );
    EXPECT_EQ(ask("SELECT note_html FROM accounts WHERE username = 'wren'"), "<p>far away</p>");
    EXPECT_EQ(ask("SELECT uri FROM aliases WHERE account_id = 1"), "https://old.example/users/alice");
    EXPECT_EQ(ask("SELECT count(*) FROM former_ids"), "0") << "no number changed";
}

TEST_P(MastodonCopied, the_keys_others_know_sign_and_verify_whether_they_were_encrypted_or_not) {
    EXPECT_EQ(
        ask("SELECT id, account_id, type, private_key IS NOT NULL FROM actor_keys ORDER BY id"),
        "https://remote.example/users/wren#main-key|" + wren + "|pem|0\n" +
            "https://social.example.org/actor#main-key|0|rsa|1\n" + "https://social.example.org/ap/users/" +
            bob + "#main-key|" + bob + "|rsa|1\n" + "https://social.example.org/users/alice#main-key|1|rsa|1"
    );
    for (const auto& account : {std::string("0"), std::string("1"), bob}) {
        const auto pair =
            ap::PrivateKey::from_pem(ask("SELECT private_key FROM actor_keys WHERE account_id = " + account));
        const auto shown =
            ap::PublicKey::from_pem(ask("SELECT public_key FROM actor_keys WHERE account_id = " + account));
        ASSERT_TRUE(pair && shown) << account;
        EXPECT_TRUE(shown->verifies(pair->sign("hello"), "hello"));
    }
    EXPECT_EQ(
        ask("SELECT inbox, shared_inbox, followers, featured, refreshed_at FROM actors"),
        "https://remote.example/users/wren/inbox|https://remote.example/inbox|https://remote.example/users/"
        "wren/"
        "followers|https://remote.example/users/wren/collections/featured|0"
    );
}

TEST_P(MastodonCopied, logins_keep_passwords_roles_settings_and_second_factors) {
    EXPECT_EQ(
        ask("SELECT u.id, account_id, email, r.name, locale, default_privacy, default_language, "
            "expand_media, "
            "chosen_languages, second_factor, last_active_at FROM users u JOIN roles r ON r.id = u.role_id "
            "ORDER "
            "BY u.id"),
        "1|1|alice@example.org|Owner|en|unlisted|en|show_all|NULL|0|1795161600000\n2|" + bob +
            "|bob@example.org|Greeter|de|NULL|NULL|default|[\"de\",\"en\"]|1|NULL"
    );
    EXPECT_EQ(ask("SELECT permissions, highlighted, position FROM roles WHERE id = 5"), "2048|1|5");
    for (const auto& hash :
         {ask("SELECT password_hash FROM users WHERE id = 1"),
          ask("SELECT password_hash FROM users WHERE id = 2")}) {
        EXPECT_TRUE(base::any_password_matches(hash, "sandpiper tide 42!"));
        EXPECT_FALSE(base::any_password_matches(hash, "sandpiper tide 43!"));
    }
    EXPECT_EQ(
        ask("SELECT user_id, secret, confirmed_at IS NOT NULL FROM authenticators"),
        "2|" + base::base64url("Hello!\xde\xad\xbe\xefHello!\xde\xad\xbe\xef") + "|1"
    );
    EXPECT_EQ(ask("SELECT user_id FROM recovery_codes"), "2");
    EXPECT_TRUE(base::any_password_matches(ask("SELECT code_hash FROM recovery_codes"), "backup-one"));
    EXPECT_EQ(
        ask("SELECT user_id, credential, algorithm, uses, name FROM passkeys"),
        "2|AAECAwQFBgcICQoLDA0ODw|-7|3|key"
    );
    EXPECT_EQ(ask("SELECT code, account_id, max_uses, uses, autofollow FROM invites"), "Wad3rs01|1|5|2|1");
}

TEST_P(MastodonCopied, apps_stay_logged_in_and_go_on_being_told) {
    EXPECT_EQ(
        ask("SELECT id, name, redirect_uris, client_id, secret_hash FROM apps"),
        "2|Tusky|oauth2redirect://com.example.app/|tusky-uid-000000000000000000000000000000000|" +
            base::sha256_hex("tusky-secret-0000000000000000000000000000000")
    );
    EXPECT_EQ(
        ask("SELECT id, token_hash, app_id, user_id, scopes FROM tokens ORDER BY id"),
        "1|" + base::sha256_hex("alice-token-kept-by-her-phone-0000000000000") +
            "|2|1|read write follow push\n3|" +
            base::sha256_hex("app-only-token-000000000000000000000000000000") + "|2|NULL|read"
    );
    EXPECT_EQ(
        ask("SELECT id, user_id, token_id, endpoint, standard, policy, alerts FROM push_subscriptions"),
        R"(1|1|1|https://push.example/abc|1|all|{"favourite":false,"mention":true})"
    );
    EXPECT_EQ(
        ask("SELECT value FROM settings WHERE name = 'vapid_public_key'"),
        "BFOLDn636qDbO3Edra8q4PBIhqoeALu9Fi-6jwGwQANolD7VM7Vb8KfMMBcIqM-a4zpF2Zm0JEIldYKyLlYzAag="
    );
}

TEST_P(MastodonCopied, posts_are_what_they_were) {
    auto said = [&](const std::string& id) {
        return ask(
            "SELECT account_id, visibility, local, sensitive, spoiler_text, text, relations, quote_policy, "
            "language "
            "FROM statuses WHERE id = " +
            id
        );
    };
    EXPECT_EQ(said(estuary), "1|public|1|0||First light over the estuary #waders|2|public|en");
    EXPECT_EQ(said(picture), "1|unlisted|1|1|bird|A picture|4|nobody|NULL");
    EXPECT_EQ(said(followers), "1|private|1|0||For followers only|0|nobody|NULL");
    EXPECT_EQ(said(direct), "1|direct|1|0||@bob a direct word|1|nobody|NULL");
    EXPECT_EQ(said(question), "1|public|1|0||Which?|8|nobody|NULL");
    EXPECT_EQ(said(answer), bob + "|public|1|0||@alice lovely|1|nobody|NULL");
    EXPECT_EQ(said(quoting), "1|public|1|0||Look at this|16|nobody|NULL");
    EXPECT_EQ(said("8"), "1|public|1|0||From the first days, with a small number|0|nobody|NULL");
    EXPECT_EQ(said(deleted), "1|public|1|0|||0|nobody|NULL");
    EXPECT_EQ(ask("SELECT deleted_at FROM statuses WHERE deleted_at IS NOT NULL"), "1794377100000");
    EXPECT_EQ(ask("SELECT count(*) FROM statuses"), "12");
    EXPECT_EQ(
        ask("SELECT id, uri FROM statuses WHERE uri IS NOT NULL"),
        remote + "|https://remote.example/users/wren/statuses/113"
    ) << "all others are found by their number";
    auto html = [&](const std::string& id) { return ask("SELECT content FROM statuses WHERE id = " + id); };
    EXPECT_THAT(html(estuary), HasSubstr("href=\"https://social.example.org/tags/waders\""));
    EXPECT_THAT(html(direct), HasSubstr("href=\"https://social.example.org/@bob\""));
    EXPECT_THAT(html(answer), HasSubstr("href=\"https://social.example.org/@alice\""));
    EXPECT_THAT(html(remote), HasSubstr("Wish I were there"));
}

TEST_P(MastodonCopied, threads_boosts_and_quotes_name_what_they_named) {
    for (const auto& reply : {answer, remote})
        EXPECT_EQ(
            ask("SELECT in_reply_to_id, in_reply_to_account_id FROM statuses WHERE id = " + reply),
            estuary + "|1"
        );
    EXPECT_EQ(ask("SELECT reblog_of_id, conversation_id FROM statuses WHERE id = " + boost), estuary + "|1");
    EXPECT_EQ(ask("SELECT status_id, account_id, uri FROM conversations WHERE id = 1"), estuary + "|1|NULL");
    EXPECT_EQ(
        ask("SELECT status_id, uri FROM conversations WHERE id = 9"),
        remote + "|tag:remote.example,2026:conv1"
    );
    EXPECT_EQ(
        ask("SELECT id, status_id, account_id, quoted_status_id, quoted_account_id, state, authorization_uri "
            "FROM "
            "quotes"),
        "117590615654400900|" + quoting + "|1|" + remote + "|" + wren +
            "|accepted|https://remote.example/users/wren/quote_authorizations/9"
    );
    EXPECT_EQ(
        ask("SELECT replies_count, reblogs_count, favourites_count FROM statuses WHERE id = " + estuary),
        "2|1|2"
    );
    EXPECT_EQ(ask("SELECT quotes_count FROM statuses WHERE id = " + remote), "1");
    EXPECT_EQ(
        ask("SELECT username, followers_count, following_count, statuses_count FROM accounts WHERE domain = "
            "'' "
            "ORDER BY username"),
        "alice|2|1|6\nbob|0|1|3"
    );
}

TEST_P(MastodonCopied, what_posts_carry_comes_along) {
    EXPECT_EQ(ask("SELECT account_id, silent FROM mentions WHERE status_id = " + direct), bob + "|0");
    EXPECT_EQ(
        ask("SELECT t.id, t.name, s.status_id FROM status_tags s JOIN tags t ON t.id = s.tag_id"),
        "1|waders|" + estuary
    );
    EXPECT_EQ(ask("SELECT id, status_id FROM status_pins"), "1|" + estuary);
    const std::string folder = "former/system/media_attachments/files/117/545/313/239/040/003/";
    EXPECT_EQ(
        ask("SELECT id, status_id, position, type, file, preview, mime, width, height, focus_x, blurhash, "
            "description FROM media WHERE account_id = 1"),
        "117545313239040003|" + picture + "|0|image|" + folder + "original/dunlin01.jpg|" + folder +
            "small/dunlin01.jpg|image/jpeg|320|200|0.2|LEHV6nWB2yk8pyo0adR*.7kCMdnj|a dunlin on mud"
    );
    EXPECT_EQ(
        contents(file(folder + "original/dunlin01.jpg")),
        "bytes of media_attachments/files/117/545/313/239/040/003/original/dunlin01.jpg"
    );
    EXPECT_EQ(ask("SELECT file FROM media WHERE account_id = " + wren), "https://remote.example/media/1.png");
    EXPECT_EQ(
        ask("SELECT avatar, avatar_static FROM accounts WHERE id = 1"),
        "former/system/accounts/avatars/000/000/001/original/0a1b2c3d.png|former/system/accounts/avatars/000/"
        "000/"
        "001/original/0a1b2c3d.png"
    );
    EXPECT_EQ(
        ask("SELECT id, shortcode, domain, category, file, static_file FROM custom_emojis ORDER BY id"),
        "1|dunlin||Birds|former/system/custom_emojis/images/000/000/001/original/d1.png|former/system/"
        "custom_emojis/"
        "images/000/000/001/static/d1.png\n2|wren|remote.example|NULL|https://remote.example/e/"
        "wren.png|https://"
        "remote.example/e/wren.png"
    );
    EXPECT_EQ(
        ask("SELECT id, text, content FROM status_edits WHERE status_id = " + edited + " ORDER BY id"),
        "1|to be edited|<p>to be edited</p>\n2|was edited|<p>was edited</p>"
    );
    EXPECT_EQ(ask("SELECT status_id, multiple, ended, voters_count FROM polls"), question + "|0|1|1");
    EXPECT_EQ(ask("SELECT title, votes_count FROM poll_options ORDER BY position"), "dunlin|0\nsanderling|1");
    EXPECT_EQ(ask("SELECT account_id, choice FROM poll_votes"), bob + "|1");
}

TEST_P(MastodonCopied, relations_keep_their_numbers_and_ids) {
    EXPECT_EQ(
        ask("SELECT id, account_id, target_id, show_reblogs, notify, languages, uri, backfill_below > 0 FROM "
            "follows "
            "ORDER BY id"),
        "1|" + bob +
            "|1|1|1|NULL|https://social.example.org/payloads/6f1c0c9e-0000-4000-8000-000000000001|1\n2|" +
            wren + "|1|1|0|NULL|https://remote.example/wren#follows/7|0\n3|1|" + wren +
            "|0|0|[\"en\"]|https://social.example.org/payloads/6f1c0c9e-0000-4000-8000-000000000003|1"
    );
    EXPECT_EQ(
        ask("SELECT id, account_id, target_id, uri FROM follow_requests"),
        "4|" + wren + "|" + bob + "|https://remote.example/wren#follows/8"
    );
    EXPECT_EQ(
        ask("SELECT id, account_id, target_id, uri FROM blocks"),
        "1|" + bob + "|" + wren + "|https://social.example.org/payloads/6f1c0c9e-0000-4000-8000-000000000005"
    );
    EXPECT_EQ(
        ask("SELECT account_id, target_id, hide_notifications, expires_at FROM mutes"),
        "1|" + wren + "|0|1798761600000"
    );
    EXPECT_EQ(ask("SELECT account_id, domain FROM user_domain_blocks"), bob + "|loud.example");
    EXPECT_EQ(ask("SELECT account_id, target_id, comment FROM account_notes"), bob + "|1|met at the hide");
    EXPECT_EQ(
        ask("SELECT id, account_id, status_id FROM favourites ORDER BY id"),
        "41|" + bob + "|" + estuary + "\n42|" + wren + "|" + estuary + "\n43|1|" + remote
    );
    EXPECT_EQ(ask("SELECT account_id, status_id FROM bookmarks"), bob + "|" + picture);
    EXPECT_EQ(ask("SELECT account_id, tag_id FROM tag_follows"), bob + "|1");
    EXPECT_EQ(ask("SELECT account_id, name, statuses_count FROM featured_tags"), "1|Waders|1");
    EXPECT_EQ(ask("SELECT account_id, target_id FROM endorsements"), "1|" + bob);
    EXPECT_EQ(ask("SELECT id, title, replies_policy, exclusive FROM lists"), "1|Birds|followed|1");
    EXPECT_EQ(ask("SELECT list_id, account_id FROM list_members"), "1|1");
    EXPECT_EQ(
        ask("SELECT id, title, context, filter_action FROM filters"), R"(1|spoilers|["home","public"]|blur)"
    );
    EXPECT_EQ(ask("SELECT keyword, whole_word FROM filter_keywords"), "finale|1");
    EXPECT_EQ(ask("SELECT status_id FROM filter_statuses"), question);
    EXPECT_EQ(ask("SELECT account_id, conversation_id FROM conversation_mutes"), bob + "|5");
}

TEST_P(MastodonCopied, what_waits_to_be_read_or_posted_comes_along) {
    EXPECT_EQ(
        ask("SELECT account_id, conversation_id, participants, last_status_id, unread FROM "
            "account_conversations"),
        bob + "|4|,1,|" + direct + "|1"
    );
    EXPECT_EQ(
        ask("SELECT account_id, timeline, last_read_id, version FROM markers"), "1|home|" + boost + "|4"
    );
    EXPECT_EQ(
        ask("SELECT id, type, from_account_id, status_id, group_key FROM notifications ORDER BY id"),
        "101|favourite|" + bob + "|" + estuary + "|favourite-" + estuary + "-485000\n102|mention|" + bob +
            "|" + answer + "|ungrouped-102\n103|reblog|" + bob + "|" + estuary + "|reblog-" + estuary +
            "-476266\n104|follow|" + wren + "|0|follow-476266"
    );
    EXPECT_EQ(
        ask("SELECT for_not_following, for_not_followers, for_private_mentions, for_bots FROM "
            "notification_policies"),
        "accept|filter|filter|drop"
    );
    EXPECT_THAT(
        ask("SELECT params FROM scheduled_statuses WHERE scheduled_at = 1803880800000"),
        HasSubstr(R"("text":"Spring tide")")
    );
    EXPECT_EQ(
        ask("SELECT uri, account_id FROM tombstones"), "https://remote.example/users/wren/statuses/99|" + wren
    );
}

TEST_P(MastodonCopied, the_site_keeps_its_rules) {
    EXPECT_EQ(
        ask("SELECT domain, severity, reject_media, reject_reports, obfuscate, public_comment FROM "
            "domain_blocks "
            "ORDER BY id"),
        "spam.example|suspend|1|1|0|spam\ngrey.example|noop|1|0|1|NULL"
    );
    EXPECT_EQ(ask("SELECT text, hint FROM rules"), "Be kind to birds|all of them");
}

TEST_P(MastodonCopied, nothing_is_to_be_sent_and_nothing_was_refused) {
    for (const char* name : {"deliveries", "activities", "push_messages", "inbox_items", "planned_updates"})
        EXPECT_EQ(ask(std::string("SELECT count(*) FROM ") + name), "0") << name;
    EXPECT_EQ(ask("SELECT kind, former, reason FROM takeover_refusals"), "");
    EXPECT_EQ(ask("SELECT source, version, state FROM takeovers"), "Mastodon|4.7|copied");
    auto foreign = db::open_foreign(before->source());
    auto source = takeover::recognise(*foreign, Mastodon::settings());
    for (const auto& count : takeover::compare_counts(target(), *source))
        EXPECT_EQ(count.there, count.here) << count.what;
}

}  // namespace

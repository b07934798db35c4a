// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies that are cut off, made again, or of sources that mean harm.
#include "takeover/stage.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::HasSubstr;

struct TakeoverCopies : CopiedTo {};
ON_EACH_DATABASE(TakeoverCopies);

TEST_P(TakeoverCopies, end_with_the_same_rows_wherever_they_were_cut_off) {
    const GoToSocial before;
    copy(before);
    const auto whole = everything();
    ASSERT_THAT(whole, HasSubstr("First light over the estuary"));
    // Chunks of two rows, so that most cuts are in the middle of a table.
    const int stride = database.is_postgres() ? 29 : 12;
    bool was_cut = true;
    for (int chunks = 0; was_cut; chunks += stride) {
        begin_anew();
        was_cut = false;
        try {
            copy(before, {.chunks = chunks, .chunk = 2});
        } catch (const Interrupted&) {
            was_cut = true;
            database.clock_ms += 1000;
            copy(before, {.chunk = 2});
        }
        EXPECT_EQ(difference(everything(), whole), "") << "after " << chunks;
    }
}

// What is written beside the reading fails, while more was read already.
TEST_P(TakeoverCopies, say_what_could_not_be_written_and_go_on_behind_what_could) {
    const GoToSocial before;
    copy(before);
    const auto whole = everything();
    for (const std::string table : {"accounts", "statuses", "mentions", "bookmarks"})
        for (const std::size_t chunk : {1u, 7u}) {
            begin_anew();
            target().connection.script(("ALTER TABLE " + table + " RENAME TO elsewhere").c_str());
            EXPECT_ANY_THROW(copy(before, {.chunk = chunk})) << table;
            target().connection.script(("ALTER TABLE elsewhere RENAME TO " + table).c_str());
            copy(before, {.chunk = chunk});
            EXPECT_EQ(difference(everything(), whole), "") << table;
        }
}

TEST_P(TakeoverCopies, begin_anew_behind_one_that_was_cut_off_where_that_is_asked_for) {
    const GoToSocial before;
    EXPECT_THROW(copy(before, {.chunks = 60, .chunk = 2}), Interrupted);
    ASSERT_EQ(ask("SELECT state, step <> 'numbers' FROM takeovers"), "copying|1");
    ASSERT_EQ(ask("SELECT text FROM statuses WHERE edited_at IS NOT NULL"), "was edited");
    before.change("UPDATE statuses SET text = 'was edited again' WHERE id = '01M81NR3F06M1KXPACFKP6EM4B'");
    database.clock_ms += 1000;
    copy(before, {.anew = true});
    EXPECT_EQ(ask("SELECT text FROM statuses WHERE edited_at IS NOT NULL"), "was edited again");
    EXPECT_EQ(ask("SELECT state, started_at FROM takeovers"), "copied|" + std::to_string(now + 1000));
    EXPECT_EQ(ask("SELECT count(*) FROM statuses"), "11");
}

TEST_P(TakeoverCopies, made_again_follow_the_source_and_keep_numbers) {
    const GoToSocial before;
    copy(before);
    const auto ids = ask("SELECT kind, former, id FROM former_ids ORDER BY kind, former");
    before.change(
        "UPDATE statuses SET text = 'was edited again', content = '<p>was edited again</p>' WHERE id = "
        "'01M81NR3F06M1KXPACFKP6EM4B'; DELETE FROM status_faves WHERE id = '01M81NR4F72V218SMYSYYZEQDR';"
        "DELETE FROM statuses WHERE id = '01M81NR2RBF37GXQKKQN2C3TK5'"
    );
    copy(before);
    EXPECT_EQ(ask("SELECT kind, former, id FROM former_ids ORDER BY kind, former"), ids);
    EXPECT_EQ(ask("SELECT count(*) FROM statuses"), "10");
    EXPECT_EQ(ask("SELECT text FROM statuses WHERE edited_at IS NOT NULL"), "was edited again");
    EXPECT_EQ(ask("SELECT count(*) FROM favourites"), "1");
    EXPECT_EQ(ask("SELECT favourites_count FROM statuses WHERE text = 'A picture'"), "0");
}

TEST_P(TakeoverCopies, are_not_made_into_a_server_in_use_or_one_that_has_taken_over) {
    const GoToSocial before;
    copy(before);
    takeover::finish(target());
    EXPECT_THAT(sentence(before), HasSubstr("has taken over already"));
    const auto stays = everything();
    EXPECT_EQ(sentence(before).find('\n'), std::string::npos);
    EXPECT_EQ(difference(everything(), stays), "");
    target().connection.script("DELETE FROM takeovers");
    EXPECT_THAT(sentence(before), HasSubstr("take an empty one"));
}

TEST_P(TakeoverCopies, of_what_is_not_known_write_nothing) {
    const GoToSocial newer, lacking, keyless, other;
    newer.change("INSERT INTO bun_migrations VALUES (119, '20991231000000', 1, '2026-11-22 13:03:45')");
    EXPECT_THAT(sentence(newer), HasSubstr("last migration is 20991231000000"));
    lacking.change("ALTER TABLE polls RENAME COLUMN voters TO people");
    EXPECT_EQ(sentence(lacking), "The table polls has no column voters");
    keyless.change("DELETE FROM instances");
    EXPECT_THAT(sentence(keyless), HasSubstr("account of the server itself"));
    other.change("DROP TABLE bun_migrations");
    EXPECT_THAT(sentence(other), HasSubstr("no database of"));
    expect_nothing_written();
}

TEST_P(TakeoverCopies, of_newer_versions_are_made_where_that_is_asked_for_and_nothing_lacks) {
    const GoToSocial newer;
    newer.change("INSERT INTO bun_migrations VALUES (119, '20991231000000', 1, '2026-11-22 13:03:45')");
    EXPECT_THAT(sentence(newer), HasSubstr("--newer"));
    newer.change("ALTER TABLE polls RENAME COLUMN voters TO people");
    EXPECT_EQ(sentence(newer, {.newer = true}), "The table polls has no column voters");
    expect_nothing_written();
    newer.change("ALTER TABLE polls RENAME COLUMN people TO voters");
    copy(newer, {.newer = true});
    EXPECT_EQ(ask("SELECT count(*) FROM users"), "2");
    const GoToSocial older;
    older.change("UPDATE bun_migrations SET name = '2024' || id");
    EXPECT_THAT(sentence(older, {.newer = true}), HasSubstr("Bring it to such a version first"));
}

TEST_P(TakeoverCopies, refuse_bad_rows_one_by_one_and_take_the_rest) {
    const GoToSocial before;
    const std::string alice = "01PP9N5MV8F19VS8ZH0DJ2WTAH", bob = "01H7N83RYV9Z3MBCD3DA4Q3BZR";
    before.change(
        // Two accounts with one name in other letters.
        "INSERT INTO accounts SELECT '01ZZZZZZZZZZZZZZZZZZZZZZZ1', created_at, updated_at, fetched_at, "
        "'ALICE', domain, "
        "NULL, NULL, NULL, NULL, display_name, emojis, fields, fields_raw, note, note_raw, memorialized_at, "
        "also_known_as_uris, moved_to_uri, move_id, locked, discoverable, uri || '2', url, inbox_uri, "
        "shared_inbox_uri, "
        "outbox_uri, following_uri, followers_uri, featured_collection_uri, actor_type, private_key, "
        "public_key, "
        "public_key_uri || '2', NULL, NULL, NULL, NULL, NULL, 0, 1 FROM accounts WHERE username = 'alice';"
        // Somebody here whose id is at another host, and somebody elsewhere whose id is here.
        "INSERT INTO accounts SELECT '01ZZZZZZZZZZZZZZZZZZZZZZZ2', created_at, updated_at, fetched_at, "
        "'mallory', domain, "
        "NULL, NULL, NULL, NULL, display_name, emojis, fields, fields_raw, note, note_raw, memorialized_at, "
        "also_known_as_uris, moved_to_uri, move_id, locked, discoverable, "
        "'https://evil.example/users/mallory', url, "
        "inbox_uri, shared_inbox_uri, outbox_uri, following_uri, followers_uri, featured_collection_uri, "
        "actor_type, "
        "private_key, public_key, public_key_uri || '3', NULL, NULL, NULL, NULL, NULL, 0, 1 FROM accounts "
        "WHERE "
        "username = 'alice';"
        "INSERT INTO accounts SELECT '01ZZZZZZZZZZZZZZZZZZZZZZZ3', created_at, updated_at, fetched_at, "
        "'eve', "
        "'evil.example', NULL, NULL, NULL, NULL, display_name, emojis, fields, fields_raw, note, note_raw, "
        "memorialized_at, also_known_as_uris, moved_to_uri, move_id, locked, discoverable, "
        "'https://social.example.org/users/alice/eve', url, inbox_uri, shared_inbox_uri, outbox_uri, "
        "following_uri, "
        "followers_uri, featured_collection_uri, actor_type, NULL, public_key, public_key_uri || '4', NULL, "
        "NULL, NULL, "
        "NULL, NULL, 0, 1 FROM accounts WHERE username = 'wren';"
        "INSERT INTO follows VALUES ('01ZZZZZZZZZZZZZZZZZZZZZZZ4', '2026-11-22', '2026-11-22', "
        "'https://evil.example/f', "
        "'01ZZZZZZZZZZZZZZZZZZZZZZZ3', '" +
        alice +
        "', 1, 0);"
        // A path that leads out of the folder.
        "UPDATE media_attachments SET file_path = '../../../etc/passwd' WHERE id = "
        "'01M81NR2BRGGX04TJ4HB9ZJKH2';"
        // Two posts that answer each other.
        "UPDATE statuses SET in_reply_to_id = '01M81NR3DGDHTVY0CSJT7MXWVT', in_reply_to_account_id = '" +
        bob +
        "' WHERE id = '01M81NR2Q99PR48KDMZJD5NQ84';"
        // No UTF-8, and longer than any post.
        "UPDATE statuses SET text = CAST(X'ff20fe' AS TEXT) WHERE id = '01M81NR2QQ5D13YN7TQNTQM3R2';"
        "UPDATE statuses SET text = replace(hex(zeroblob(5000000)), '00', 'xx') WHERE id = "
        "'01M81NR3DBBVM44D5SKR1XQ6R5';"
        // A second factor that is none.
        "UPDATE users SET two_factor_secret = '!' WHERE two_factor_secret IS NOT NULL;"
        // A date that is none.
        "UPDATE status_bookmarks SET created_at = 'yesterday'"
    );
    copy(before);
    const auto refused = ask("SELECT kind, former, reason FROM takeover_refusals ORDER BY kind, former");
    for (const char* line :
         {"account|01ZZZZZZZZZZZZZZZZZZZZZZZ1|somebody else has this name, in other letters",
          "account|01ZZZZZZZZZZZZZZZZZZZZZZZ2|@mallory: it is of this server, its id is of another",
          "account|01ZZZZZZZZZZZZZZZZZZZZZZZ3|@eve: it is of another server, its id is of this one",
          "answer|01M81NR2Q99PR48KDMZJD5NQ84|it answers itself by a circle",
          "bookmark|01M81NR4FD0748ZQ63BM3Y3GWN|created_at is no time",
          "file|01M81NR2BRGGX04TJ4HB9ZJKH2|its path leads elsewhere: ../../../etc/passwd",
          "second factor|01NFNMYMD7B8E79VHB6VQHJ3VA|its secret is none: bob@example.org signs in without",
          "status|01M81NR2QQ5D13YN7TQNTQM3R2|text is no UTF-8",
          "status|01M81NR3DBBVM44D5SKR1XQ6R5|text is longer than a million bytes"})
        EXPECT_THAT(refused, HasSubstr(line));
    EXPECT_EQ(std::ranges::count(refused, '\n'), 8) << refused;
    EXPECT_EQ(ask("SELECT count(*) FROM recovery_codes"), "0") << "of what they would stand in for";
    EXPECT_EQ(ask("SELECT count(*) FROM users WHERE second_factor"), "0");
    EXPECT_EQ(ask("SELECT username FROM accounts ORDER BY username"), "alice\nbob\nwren");
    EXPECT_EQ(ask("SELECT count(*) FROM statuses"), "9");
    EXPECT_EQ(ask("SELECT in_reply_to_id FROM statuses WHERE text LIKE 'First light%'"), "NULL");
    EXPECT_EQ(ask("SELECT count(*) FROM media"), "0");
    EXPECT_EQ(ask("SELECT count(*) FROM bookmarks"), "0");
    EXPECT_EQ(ask("SELECT count(*) FROM follows"), "2");
}

TEST_P(TakeoverCopies, never_write_to_the_source) {
    const GoToSocial before;
    const auto bytes = contents(before.file);
    copy(before);
    EXPECT_EQ(contents(before.file), bytes);
    auto foreign = db::open_foreign(before.source());
    EXPECT_THROW(foreign->run("DELETE FROM users", {}, [](auto&) {}), db::Unreadable);
}

TEST_P(TakeoverCopies, are_preceded_by_a_check_that_names_losses_and_configuration) {
    const GoToSocial before;
    before.change(
        "INSERT INTO header_filter_blocks VALUES ('01ZZZZZZZZZZZZZZZZZZZZZZZ5', 'User-Agent', 'x', '', '', "
        "'')"
    );
    fs::remove(
        before.media / "01PP9N5MV8F19VS8ZH0DJ2WTAH/attachment/original/01M81NR2BRGGX04TJ4HB9ZJKH2.png"
    );
    const auto report = [&] {
        auto foreign = db::open_foreign(before.source());
        const auto settings =
            takeover::settings_of("host: \"social.example.org\"\naccount-domain: \"example.org\"\n");
        return takeover::check(*takeover::recognise(*foreign, settings), before.media);
    }();
    EXPECT_EQ(report.version, "0.20");
    EXPECT_EQ(report.keys_checked, 3);
    EXPECT_TRUE(report.bad_keys.empty());
    EXPECT_EQ(report.files_checked, 2);
    EXPECT_EQ(report.files_found, 1);
    EXPECT_THAT(
        report.configuration,
        testing::ElementsAre(
            "domain = \"example.org\"",
            "public_url = \"https://social.example.org\"",
            "title = \"social.example.org\"",
            "registrations = \"closed\"",
            "authorized_fetch = true"
        )
    );
    EXPECT_TRUE(std::ranges::any_of(report.losses, [](const auto& loss) {
        return loss.what == "filters of HTTP headers" && loss.rows == 1;
    }));
    expect_nothing_written();
    before.change(
        "UPDATE accounts SET public_key = (SELECT public_key FROM accounts WHERE username = 'bob') WHERE "
        "username = 'alice'"
    );
    auto again = db::open_foreign(before.source());
    auto broken = takeover::check(*takeover::recognise(*again, {}), {});
    EXPECT_THAT(broken.bad_keys, testing::ElementsAre("https://social.example.org/users/alice"));
}

}  // namespace

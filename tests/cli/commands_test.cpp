// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>

#include "server/serving.hpp"
#include "support/postgres_databases.hpp"

namespace {

using testing::ContainsRegex, testing::HasSubstr, testing::MatchesRegex, testing::Not;

struct Commands : Program {
    void alice() {
        ASSERT_EQ(
            run("account create alice --email alice@example.org --password 'correct horse' --confirmed "
                "--role owner")
                .status,
            0
        );
    }
};

TEST_F(Commands, tell_what_they_are_for) {
    for (auto command :
         {"serve",
          "migrate",
          "account create",
          "account list",
          "account show",
          "account modify",
          "token create",
          "emoji create",
          "announcement create",
          "announcement list",
          "announcement delete",
          "invite create",
          "invite list",
          "invite revoke",
          "backup",
          "backup list",
          "backup verify",
          "backup prune",
          "restore",
          "routes",
          "prune",
          "tune",
          "top limits",
          "config check",
          "config show",
          "doctor",
          "setup",
          "docs",
          "version"}) {
        auto help = run(std::string(command) + " --help");
        EXPECT_EQ(help.status, 0) << command;
        EXPECT_THAT(help.out, HasSubstr("Example:\n  ")) << command;
        EXPECT_THAT(help.out, HasSubstr("dunlin " + std::string(command))) << command;
    }
    EXPECT_THAT(run("version").out, MatchesRegex("dunlin [0-9.]+\n"));
    EXPECT_EQ(run("--version").out, run("version").out);
    EXPECT_EQ(run("--version").status, 0);
}

TEST_F(Commands, that_are_misunderstood_exit_with_2_and_say_so_on_stderr) {
    for (auto line :
         {"",
          "dance",
          "account",
          "account create",
          "account create a b c",
          "token create alice",
          "account create alice --email a@b.example --role king",
          "routes --format xml",
          "invite create --uses 0",
          "invite create --expires soon",
          "invite revoke",
          "config show --max-media many",
          "account modify alice",
          "account modify alice --enable --disable"}) {
        auto outcome = run(line);
        EXPECT_EQ(outcome.status, 2) << line;
        EXPECT_EQ(outcome.out, "") << line;
        EXPECT_NE(outcome.err, "") << line;
    }
}

TEST_F(Commands, make_list_and_show_accounts) {
    auto made = run("account create alice --email alice@example.org --role admin --json");
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(
        made.out,
        ContainsRegex(
            R"("username":"alice","email":"alice@example.org","role":"admin","confirmed":false,"password":"[^"]{16,}")"
        )
    );
    EXPECT_THAT(run("account list").out, ContainsRegex("alice +alice@example.org +admin +unconfirmed"));
    EXPECT_THAT(run("account show @Alice").out, HasSubstr("alice@example.org"));
    EXPECT_THAT(run("account show alice@example.org --json").out, HasSubstr(R"("state":"unconfirmed")"));
    auto missing = run("account show nobody");
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.err, HasSubstr("account list"));
}

TEST_F(Commands, refuse_an_account_that_cannot_be) {
    alice();
    struct Row {
        const char *line, *sentence;
    };
    const Row rows[] = {
        {"account create ALICE --email b@example.org", "taken"},
        {"account create bob --email alice@example.org", "taken"},
        {"account create bob --email nonsense", "mail"},
        {"account create 'b ob' --email b@example.org", "Username"},
        {"account create bob --email b@example.org --password short", "password"},
    };
    for (const auto& row : rows) {
        auto outcome = run(row.line);
        EXPECT_EQ(outcome.status, 1) << row.line;
        EXPECT_THAT(outcome.err, HasSubstr(row.sentence)) << row.line;
    }
}

TEST_F(Commands, change_accounts) {
    alice();
    EXPECT_EQ(run("account modify alice --email new@example.org --role moderator --disable").status, 0);
    auto shown = run("account show alice --json").out;
    EXPECT_THAT(shown, HasSubstr(R"("email":"new@example.org","role":"moderator","state":"disabled")"));
    EXPECT_EQ(run("account modify new@example.org --enable").status, 0);
    EXPECT_THAT(run("account show alice").out, HasSubstr("active"));
    EXPECT_THAT(run("account modify alice --reset-password").out, ContainsRegex("Password: .{16,}\n"));
}

TEST_F(Commands, print_a_token_and_nothing_else) {
    alice();
    auto token = run("token create alice --scopes 'read write follow push'");
    EXPECT_EQ(token.status, 0) << token.err;
    EXPECT_THAT(token.out, MatchesRegex("[A-Za-z0-9_-]+\n"));
    EXPECT_EQ(run("token create alice --scopes 'read dance'").status, 1);
    EXPECT_EQ(run("token create bob --scopes read").status, 1);
}

TEST_F(Commands, make_emojis_of_pictures_only) {
    alice();
    auto made = run("emoji create bird '" DUNLIN_SOURCE_DIR "/web/static/logo.png' --category Birds --json");
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr(R"("shortcode":"bird")"));
    auto refused = run("emoji create bad '" DUNLIN_SOURCE_DIR "/LICENSE'");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("PNG, GIF or WebP"));
    EXPECT_EQ(run("emoji create bad missing.png").status, 1);

    auto shown = run("emoji list");
    EXPECT_THAT(shown.out, ContainsRegex("bird +Birds +shown +http"));
    EXPECT_THAT(run("emoji list --json").out, HasSubstr(R"("shortcode":"bird","category":"Birds")"));
    auto unsure = run("emoji delete bird < /dev/null");
    EXPECT_EQ(unsure.status, 1);
    EXPECT_THAT(unsure.err, HasSubstr("--yes"));
    EXPECT_EQ(run("emoji delete :bird: --yes").out, "Emoji :bird: is deleted.\n");
    EXPECT_EQ(run("emoji list --json").out, "[]\n");
    EXPECT_THAT(run("emoji delete bird --yes").err, HasSubstr("emoji list"));
    EXPECT_THAT(run("audit list").out, HasSubstr("bird"));
}

TEST_F(Commands, do_not_make_a_new_server_of_a_mistyped_folder) {
    for (auto line : {"account list", "token create a --scopes read", "account modify a --enable"}) {
        auto outcome = run(line);
        EXPECT_EQ(outcome.status, 1) << line;
        EXPECT_THAT(outcome.err, HasSubstr("--data")) << line;
    }
    EXPECT_FALSE(std::filesystem::exists(data));
}

TEST_F(Commands, migrate_once) {
    EXPECT_THAT(run("migrate").out, HasSubstr("applied 0001_first"));
    EXPECT_EQ(run("migrate").out, "The database is up to date.\n");
    EXPECT_EQ(run("migrate --json").out, "[]\n");
}

TEST_F(Commands, list_the_routes) {
    EXPECT_THAT(run("routes --format tsv").out, HasSubstr("method\tpath\tauth\tscopes\n"));
    EXPECT_THAT(
        run("routes --format tsv").out, HasSubstr("\nPOST\t/api/v1/statuses\tuser\twrite:statuses\n")
    );
    EXPECT_THAT(
        run("routes --format json").out,
        HasSubstr(R"({"method":"POST","path":"/api/v1/statuses","auth":"user","scopes":"write:statuses"})")
    );
}

TEST_F(Commands, show_the_configuration_without_its_secrets) {
    auto shown = run("config show --smtp-password swordfish --no-confirmation");
    EXPECT_THAT(shown.out, Not(HasSubstr("swordfish")));
    EXPECT_THAT(shown.out, ContainsRegex("smtp_password +\\*+ +--smtp-password\n"));
    EXPECT_THAT(shown.out, ContainsRegex("confirmation +false +--confirmation\n"));
    EXPECT_THAT(shown.out, ContainsRegex("data +.* DUNLIN_DATA\n"));
    auto json = run("config show --smtp-password swordfish --listen 127.0.0.1:1 --json").out;
    EXPECT_THAT(json, Not(HasSubstr("swordfish")));
    EXPECT_THAT(
        json, HasSubstr(R"({"name":"listen","value":["127.0.0.1:1"],"from":"--listen","secret":false})")
    );
    EXPECT_EQ(run("config check").status, 0);
    EXPECT_EQ(run("config check --domain a/b").status, 2);
}

TEST_F(Commands, write_and_compare_the_docs) {
    auto out = " --out '" + folder.string() + "'";
    EXPECT_EQ(run("docs --check" + out).status, 1);
    EXPECT_EQ(run("docs" + out).status, 0);
    EXPECT_EQ(run("docs --check" + out).status, 0);
}

TEST_F(Commands, announce_something_and_take_it_back) {
    alice();
    auto made = run("announcement create 'Down on Sunday' --ends-at 2999-12-24");
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, MatchesRegex("[0-9]+\n"));
    auto id = made.out.substr(0, made.out.size() - 1);
    EXPECT_EQ(run("announcement create later --publish-at 2999-01-01T10:00:00Z").status, 0);
    auto listed = run("announcement list");
    EXPECT_THAT(listed.out, ContainsRegex(id + " +published .*Down on Sunday"));
    EXPECT_THAT(listed.out, ContainsRegex("scheduled .*later"));
    EXPECT_THAT(run("announcement list --json").out, HasSubstr("\"state\":\"scheduled\""));
    EXPECT_EQ(run("announcement delete " + id).status, 0);
    EXPECT_EQ(run("announcement delete " + id).status, 1);
    EXPECT_THAT(run("announcement list").out, Not(HasSubstr("Down on Sunday")));
    for (auto line : {"create x --ends-at soon", "create ' '", "delete x"}) {
        auto outcome = run(std::string("announcement ") + line);
        EXPECT_EQ(outcome.status, 1) << line;
        EXPECT_NE(outcome.err, "") << line;
    }
}

TEST_F(Commands, keep_lists_of_words) {
    alice();
    const auto file = folder / "pills.txt";
    std::ofstream(file) << "cheap pills\nCASINO, as everybody says\n";
    auto made = run("words import Pills '" + file.string() + "'");
    EXPECT_EQ(made.out, "Pills: 2 entries\n") << made.err;
    EXPECT_THAT(run("words list").out, ContainsRegex("Pills +words +2 +20"));
    EXPECT_EQ(run("words export Pills").out, "cheap pills\nCASINO\n");
    std::ofstream(file) << "shop.example\n";
    EXPECT_THAT(
        run("words import Shops '" + file.string() + "' --of domains --json").out,
        HasSubstr(R"("kind":"domains")")
    );
    EXPECT_EQ(run("words import Pills '" + file.string() + "'").out, "Pills: 1 entries\n")
        << "it has others now";
    std::ofstream(file) << "no domain\n";
    auto refused = run("words import Shops '" + file.string() + "'");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("Line 1"));
    EXPECT_EQ(run("words remove Shops").status, 0);
    EXPECT_THAT(run("words list --json").out, Not(HasSubstr("Shops")));
    for (auto line : {"remove Shops", "export Shops", "import x /nowhere"}) {
        auto outcome = run(std::string("words ") + line);
        EXPECT_EQ(outcome.status, 1) << line;
        EXPECT_NE(outcome.err, "") << line;
    }
}

TEST_F(Commands, invite_people_and_take_it_back) {
    alice();
    auto made = run("invite create --uses 2 --expires 7 --autofollow @alice");
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, MatchesRegex("https?://[^/]+/invite/[A-HJ-NP-Za-km-z2-9]{8}\n"));
    auto code = made.out.substr(made.out.size() - 9, 8);
    EXPECT_THAT(run("invite create --json").out, ContainsRegex(R"("invite_code":"[^"]{8}","url":"http)"));
    EXPECT_THAT(run("invite list").out, ContainsRegex(code + " +valid +0 of 2 +20.*alice"));
    EXPECT_EQ(run("invite revoke " + code).status, 0);
    EXPECT_THAT(run("invite list").out, ContainsRegex(code + " +ended"));
    EXPECT_THAT(
        run("invite list --json").out, HasSubstr(R"("max_uses":null,"expires_at":null,"follows":null)")
    );
    for (auto line : {"create --autofollow nobody", "revoke 12345678"}) {
        auto outcome = run(std::string("invite ") + line);
        EXPECT_EQ(outcome.status, 1) << line;
        EXPECT_NE(outcome.err, "") << line;
    }
}

// It is told by a flag what it is called, and they are not.
struct CommandsBesideServer : server_test::Serve {
    void do_as_it_does(const std::string& database) {
        start("--domain example.org" + database);
        const auto here =
            run("account create alice --email a@example.org --confirmed --role owner" + database);
        ASSERT_EQ(here.status, 0) << here.err;
        const auto made = run("invite create" + database);
        EXPECT_THAT(made.out, HasSubstr("http://dunlin.example/invite/"));
        EXPECT_EQ(made.err, "");
        const auto kept = (folder / "kept").string();
        EXPECT_EQ(run("backup " + kept + database).status, 0);
        EXPECT_THAT(contents(kept + "/manifest.json"), HasSubstr(R"("public_url":"http://dunlin.example")"));

        const auto other = " --public-url https://other.example" + database;
        const std::string sentence =
            "--public-url: https://other.example is not what the server was last started as, which is "
            "http://dunlin.example; write the right one into dunlin.toml";
        EXPECT_THAT(run("invite create" + other).err, HasSubstr(sentence));
        EXPECT_THAT(run("doctor" + other).out, HasSubstr(sentence));
        EXPECT_THAT(run("doctor" + database).out, Not(HasSubstr("was last started as")));
        EXPECT_THAT(
            run("invite create --domain other.example" + database).err,
            HasSubstr(
                "--domain: other.example is not what the server was last started as, which is example.org"
            )
        );
    }
};

TEST_F(CommandsBesideServer, do_as_it_does_on_sqlite) { do_as_it_does(""); }

TEST_F(CommandsBesideServer, do_as_it_does_on_postgres) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    const support::PostgresDatabase database(false);
    do_as_it_does(" --database '" + database.url() + "'");
}

}  // namespace

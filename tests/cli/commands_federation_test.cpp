// SPDX-License-Identifier: AGPL-3.0-or-later
// Commands about other servers, and about accounts that end or go elsewhere.
#include <gmock/gmock.h>

#include "db/open.hpp"
#include "db/transaction.hpp"
#include "server/program.hpp"
#include "social/accounts/remote/remote.hpp"

namespace {

using testing::AllOf, testing::ContainsRegex, testing::HasSubstr, testing::Not;

struct FederationCommands : Program {
    void account(const std::string& name) {
        auto made = run("account create " + name + " --email " + name + "@example.org --confirmed");
        ASSERT_EQ(made.status, 0) << made.err;
    }
    // Somebody of another server.
    void known(const std::string& name, const std::string& domain) const {
        db::Options options;
        options.sqlite_file = data / "dunlin.db";
        base::Site site;
        options.context.site = &site;
        options.context.clock = [] { return base::Time{1'767'225'600'000}; };
        auto connection = db::open_connection(options, db::Mode::write);
        db::write_now(*connection, options.context, [&](db::Write& db) {
            accounts::RemoteAccount who;
            who.uri = "https://" + domain + "/users/" + name;
            who.username = name;
            who.domain = domain;
            accounts::store_remote(db, who);
        });
    }
    void done(const std::string& line, const std::string& words = "") {
        auto outcome = run(line);
        EXPECT_EQ(outcome.status, 0) << line << ": " << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr(words)) << line;
        EXPECT_EQ(outcome.err, "") << line;
    }
    void refused(const std::string& line, const std::string& words, int status = 1) {
        auto outcome = run(line);
        EXPECT_EQ(outcome.status, status) << line;
        EXPECT_EQ(outcome.out, "") << line;
        EXPECT_THAT(outcome.err, HasSubstr(words)) << line;
    }
};

TEST_F(FederationCommands, tell_what_they_are_for) {
    for (std::string command :
         {"account delete",
          "account suspend",
          "account unsuspend",
          "account limit",
          "account unlimit",
          "account alias add",
          "account alias remove",
          "account alias list",
          "account move",
          "relay add",
          "relay remove",
          "relay list",
          "domain block",
          "domain unblock",
          "domain list",
          "federation hosts",
          "federation queue",
          "federation retry"}) {
        auto help = run(command + " --help");
        EXPECT_EQ(help.status, 0) << command;
        EXPECT_THAT(help.out, AllOf(HasSubstr("Example:\n  "), HasSubstr("dunlin " + command))) << command;
    }
}

TEST_F(FederationCommands, that_are_misunderstood_change_nothing) {
    account("alice");
    for (auto line :
         {"account delete alice",  // without --yes
          "account suspend",
          "account alias add alice",
          "account move alice",
          "relay add",
          "domain block",
          "domain block far.example --severity harsh",
          "domain unblock"})
        refused(line, "", 2);
    EXPECT_THAT(run("account show alice").out, HasSubstr("active"));
    EXPECT_EQ(run("domain list --json").out, "[]\n");
    EXPECT_EQ(run("relay list --json").out, "[]\n");
}

TEST_F(FederationCommands, limit_servers_and_say_which) {
    account("alice");
    done("domain block Bad.Example. --severity suspend --public-comment spam --private-comment 'see 12'");
    done("domain block loud.example --reject-media --reject-reports --obfuscate");
    auto listed = run("domain list").out;
    EXPECT_THAT(listed, ContainsRegex("bad.example +suspend +20.* see 12"));
    EXPECT_THAT(listed, ContainsRegex("loud.example +silence +media, reports"));
    EXPECT_THAT(
        run("domain list --json").out,
        ContainsRegex(
            R"("id":"[0-9]+","domain":"bad.example","digest":"[0-9a-f]{64}","created_at":"20[^"]*",)"
            R"("severity":"suspend","reject_media":false,"reject_reports":false,"private_comment":"see 12",)"
            R"("public_comment":"spam","obfuscate":false)"
        )
    );
    EXPECT_THAT(
        run("domain block bad.example --severity noop --json").out,
        AllOf(HasSubstr(R"("severity":"noop")"), HasSubstr(R"("public_comment":null)"))
    );
    done("domain unblock BAD.example");
    refused("domain unblock bad.example", "domain list");
    EXPECT_THAT(run("domain list").out, Not(HasSubstr("bad.example")));
    refused("domain block 'bad example'", "not a valid domain");
    refused("domain block bad.example:80", "not a valid domain");
    refused("domain block example.org --domain social.example.org", "this server");
}

TEST_F(FederationCommands, follow_relays_and_unfollow_them) {
    account("alice");
    done("relay add https://relay.example/inbox", "relay list");
    EXPECT_THAT(run("relay list").out, ContainsRegex("https://relay.example/inbox +pending +20"));
    EXPECT_THAT(run("relay list --json").out, HasSubstr(R"("address":"https://relay.example/inbox")"));
    refused("relay add https://relay.example/inbox", "");
    refused("relay add nonsense/inbox", "");
    done("relay remove https://relay.example/inbox", "Removed");
    refused("relay remove https://relay.example/inbox", "relay list");
    EXPECT_EQ(run("relay list --json").out, "[]\n");
}

TEST_F(FederationCommands, hide_accounts_and_show_them_again) {
    account("alice");
    done("account suspend @alice", "is suspended");
    done("account suspend alice");
    EXPECT_THAT(
        run("account suspend alice --json").out,
        HasSubstr(R"("acct":"alice","suspended":true,"limited":false)")
    );
    done("account unsuspend alice", "is shown again");
    done("account limit alice", "is limited");
    EXPECT_THAT(
        run("account unsuspend alice --json").out,
        HasSubstr(R"("acct":"alice","suspended":false,"limited":true)")
    );
    done("account unlimit alice", "not limited any more");
    for (std::string command : {"suspend", "unsuspend", "limit", "unlimit"}) {
        refused("account " + command + " nobody", "account list");
        refused("account " + command + " nobody@far.example", "account list");
        refused("account " + command + " alice@far.example", "account list");
    }
}

TEST_F(FederationCommands, restrict_accounts_of_other_servers) {
    account("alice");
    known("bob", "far.example");
    done("account suspend @Bob@far.example", "@bob@far.example is suspended");
    done("domain block far.example --severity suspend");
    EXPECT_THAT(
        run("account limit bob@far.example --json").out,
        HasSubstr(R"("acct":"bob@far.example","suspended":true,"limited":true)")
    );
    // The rule about the server goes on.
    refused("account unsuspend bob@far.example", "domain unblock far.example");
    done("domain unblock far.example");
    done("account unlimit bob@far.example", "not limited");
}

TEST_F(FederationCommands, delete_accounts_for_good) {
    account("alice");
    done("account delete alice --yes", "@alice is deleted");
    EXPECT_THAT(run("account list").out, Not(HasSubstr("alice")));
    for (auto line : {"account delete alice --yes", "account suspend alice", "account unsuspend alice"})
        refused(line, "account list");
    // The name stays taken, so that nobody inherits what others know of it.
    refused("account create alice --email new@example.org", "taken");
}

TEST_F(FederationCommands, move_accounts_only_where_the_new_one_names_the_old) {
    account("alice");
    account("anna");
    refused("account move alice anna", "");
    done("account alias add anna @alice", "is named by @anna");
    auto named = run("account alias list anna");
    EXPECT_THAT(named.out, ContainsRegex("^https?://.+/ap/users/[0-9]+\n$"));
    auto uri = named.out.substr(0, named.out.size() - 1);
    EXPECT_EQ(run("account alias list anna --json").out, "[\"" + uri + "\"]\n");
    EXPECT_EQ(run("account alias list alice").out, "");
    done("account move alice anna", "@alice has moved");
    refused("account move alice anna", "");
    done("account alias remove anna " + uri, "Removed");
    refused("account alias remove anna " + uri, "alias list");
    refused("account alias add nobody alice", "account list");
    refused("account alias list nobody", "account list");
    refused("account move nobody anna", "account list");
}

TEST_F(FederationCommands, show_an_empty_queue) {
    account("alice");
    EXPECT_EQ(run("federation hosts --json").out, "[]\n");
    EXPECT_EQ(run("federation queue --json").out, "[]\n");
    EXPECT_EQ(run("federation retry far.example --json").out, "{\"due\":0}\n");
    EXPECT_THAT(run("federation retry").out, HasSubstr("0 deliveries are due now"));
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "db/open.hpp"
#include "serving.hpp"

namespace {

using testing::ContainsRegex, testing::HasSubstr, testing::Not;

using server_test::Serve;

TEST_F(Serve, begins_on_an_empty_folder_and_ends_when_asked) {
    start();
    EXPECT_EQ(get("/health").body, "OK");
    auto out = contents(folder / "out");
    EXPECT_THAT(
        out,
        ContainsRegex("^Dunlin [0-9.]+ at http://dunlin.example, listening on 127.0.0.1:[0-9]+, SQLite in ")
    );
    EXPECT_THAT(out, ContainsRegex("http://dunlin.example/setup\\?code=[A-Za-z0-9_-]{43}\n"));
    EXPECT_EQ(stop(SIGTERM), 0);
}

TEST_F(Serve, makes_a_data_folder_of_one_word_where_it_is_started) {
    auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    data = "data";
    start();
    EXPECT_EQ(get("/health").body, "OK");
    EXPECT_EQ(mode_of(folder / "data"), 0700u);
    EXPECT_EQ(stop(SIGTERM), 0);
    std::filesystem::current_path(before);
}

TEST_F(Serve, says_one_line_about_all_migrations) {
    start();
    auto err = contents(folder / "err");
    auto first = err.find("the database is up to date now");
    ASSERT_NE(first, err.npos) << err;
    EXPECT_EQ(err.find("migrat", err.find('\n', first)), err.npos) << err;
}

TEST_F(Serve, keeps_what_it_writes_from_other_users_of_the_machine) {
    ::umask(022);
    std::filesystem::create_directories(data / "mail");
    std::ofstream(data / "mail" / "old.eml") << "a secret link";
    std::ofstream(data / "dunlin.db");  // as an earlier version left it
    ASSERT_EQ(mode_of(data), 0755u);
    start();
    EXPECT_THAT(contents(folder / "err"), HasSubstr("chmod 700 " + data.string()));
    ASSERT_EQ(run("account create alice --email alice@example.org").status, 0);
    for (auto name : {"dunlin.db", "dunlin.db-wal", "dunlin.db-shm", "mail/old.eml"})
        EXPECT_EQ(mode_of(data / name), 0600u) << name;
    EXPECT_EQ(mode_of(data / "mail"), 0700u);
    EXPECT_EQ(mode_of(data / "spool"), 0700u);
    EXPECT_EQ(mode_of(data / "media"), 0755u);  // a proxy may serve it
    EXPECT_EQ(mode_of(data), 0755u);            // the operator's
    for (int tries = 0; tries < 6000 && mails() < 2; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(mails(), 2) << "the letter to alice";
    for (const auto& mail : std::filesystem::directory_iterator(data / "mail"))
        EXPECT_EQ(mode_of(mail.path()), 0600u) << mail.path();
    EXPECT_EQ(stop(SIGTERM), 0);
    std::filesystem::permissions(data, std::filesystem::perms::owner_all);
    address.clear();
    start();
    EXPECT_EQ(contents(folder / "err").find("chmod"), std::string::npos);
}

TEST_F(Serve, answers_for_an_account_and_a_token_made_beside_it) {
    start();
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
    auto token = run("token create alice --scopes read").out;
    token.pop_back();
    auto me = get("/api/v1/accounts/verify_credentials", token);
    EXPECT_EQ(me.status, 200) << me.body;
    EXPECT_THAT(me.body, HasSubstr("\"username\":\"alice\""));
    EXPECT_EQ(get("/api/v1/accounts/verify_credentials").status, 401);
}

TEST_F(Serve, has_its_folder_to_itself) {
    start();
    auto second = run("serve --listen 127.0.0.1:0 --public-url http://other.example");
    EXPECT_EQ(second.status, 1);
    EXPECT_THAT(second.err, ContainsRegex("\\(process [0-9]+\\) already runs on the folder"));
}

TEST_F(Serve, rehearses_nothing_that_people_live_in) {
    start();
    EXPECT_EQ(stop(SIGTERM), 0);
    const auto refused = run("serve --rehearse --listen 127.0.0.1:0 --public-url http://dunlin.example");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("only what `dunlin takeover copy` has made"));
}

TEST_F(Serve, says_which_address_is_taken) {
    start();
    auto second = run("serve --data '" + (folder / "other").string() + "' --listen " + address);
    EXPECT_EQ(second.status, 1);
    EXPECT_THAT(second.err, HasSubstr("Cannot listen on " + address));
}

TEST_F(Serve, lends_its_figures_and_files) {
    start();
    EXPECT_EQ(get("/api/v1/custom_emojis").status, 200);
    auto metrics = get("/metrics");
    EXPECT_THAT(metrics.body, HasSubstr("route=\"/api/v1/custom_emojis\",status=\"2xx\"} 1"));
    EXPECT_THAT(metrics.body, HasSubstr("dunlin_jobs_waiting"));
    EXPECT_EQ(get("/static/style.css").status, 200);
    std::ofstream(data / "media" / "a.txt") << "hello";
    EXPECT_EQ(get("/media/a.txt").body, "hello");
    EXPECT_EQ(get("/media/b.txt").status, 404);
    EXPECT_EQ(get("/media/%2e%2e/dunlin.db").status, 404);
}

TEST_F(Serve, is_ready_while_its_database_takes_changes) {
    start();
    EXPECT_EQ(get("/livez").body, "OK");
    auto ready = get("/readyz");
    EXPECT_EQ(ready.status, 200);
    EXPECT_EQ(ready.body, "OK");
    db::Options options;
    options.sqlite_file = data / "dunlin.db";
    options.keep_log = true;
    auto other = db::open_connection(options, db::Mode::write);
    other->begin(db::Mode::write);
    std::this_thread::sleep_for(std::chrono::seconds(1));  // an answer is good for so long
    ready = get("/readyz");
    EXPECT_EQ(ready.status, 503);
    EXPECT_THAT(ready.body, ContainsRegex("database"));
    EXPECT_EQ(get("/livez").status, 200);
    auto health = run("health --listen " + address);
    EXPECT_EQ(health.status, 1);
    EXPECT_THAT(health.err, HasSubstr("database"));
    other->rollback();
    for (int tries = 0; tries < 600 && ready.status != 200; ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        ready = get("/readyz");
    }
    EXPECT_EQ(ready.status, 200) << ready.body;
    EXPECT_EQ(run("health --listen " + address).out, "OK\n");
    EXPECT_EQ(
        get("/health/seen").body,
        "{\"host\":\"" + address +
            "\",\"scheme\":\"http\",\"address\":\"127.0.0.1\",\"upgrade\":\"\",\"forwarded\":false,"
            "\"believed\":false}"
    );
}

TEST_F(Serve, says_that_its_database_was_replaced) {
    start();
    EXPECT_EQ(get("/readyz").status, 200);
    const std::string sentence = "was replaced while the server runs";
    EXPECT_THAT(run("doctor").out, Not(HasSubstr(sentence)));
    std::filesystem::copy_file(data / "dunlin.db", data / "copy.db");
    std::filesystem::rename(data / "copy.db", data / "dunlin.db");
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));  // an answer is good for a second
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status, 503);
    EXPECT_EQ(ready.body, "dunlin.db was replaced; restart");
    EXPECT_THAT(run("doctor").out, HasSubstr(sentence));
    stop(SIGTERM);
    EXPECT_THAT(run("doctor").out, Not(HasSubstr(sentence)));
}

TEST_F(Serve, hides_its_figures_when_told_to) {
    start("--metrics off");
    EXPECT_EQ(get("/metrics").status, 404);
}

TEST_F(Serve, is_not_killed_while_it_stops_by_who_turns_its_log) {
    start();
    ::kill(child, SIGTERM);
    while (contents(folder / "err").find("stopping") == std::string::npos) std::this_thread::yield();
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0)
        for (int signal : {SIGUSR1, SIGHUP}) ::kill(child, signal);
    child = 0;
    EXPECT_TRUE(WIFEXITED(status)) << "by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Serve, reads_its_configuration_again_on_SIGHUP) {
    std::filesystem::create_directories(data);
    std::ofstream(data / "dunlin.toml") << "log_requests = \"none\"\n";
    start();
    std::ofstream(data / "dunlin.toml") << "log_requests = \"all\"\ntitle = \"New\"\n";
    ::kill(child, SIGHUP);
    for (int tries = 0; tries < 2000 && contents(folder / "err").find("read again") == std::string::npos;
         ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    get("/health?secret=1");
    EXPECT_EQ(stop(SIGINT), 0);
    auto log = contents(folder / "err");
    EXPECT_THAT(log, HasSubstr("an option needs a restart to change option=\"title\""));
    EXPECT_THAT(log, HasSubstr("path=\"/health\" status=\"200\""));
    EXPECT_THAT(log, Not(HasSubstr("secret")));
}

}  // namespace

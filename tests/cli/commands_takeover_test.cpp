// SPDX-License-Identifier: AGPL-3.0-or-later
// The place of another server is taken and given back by the program, which looks for servers that run meanwhile.
#include <gmock/gmock.h>

#include "server/program.hpp"
#include "takeover/stage.hpp"

namespace {

using takeover_stage::GoToSocial;
using testing::ElementsAre, testing::HasSubstr, testing::Not;

struct TakeoverCommands : Program {
    void SetUp() override {
        Program::SetUp();
        if (IsSkipped()) return;
        if (!std::filesystem::exists(takeover_stage::dump("gotosocial-small.sql")))
            GTEST_SKIP() << "there is no dump of a GoToSocial here";
        before.emplace();
    }
    Outcome take(const std::string& word) const {
        return run(
            "takeover " + word + " " + before->source() + " --files " + before->media.string() + where
        );
    }
    Outcome give_back() const { return run("takeover undo --to " + since.string() + where); }
    void use_postgres() {
        database.emplace(false);
        where += " --database '" + database->url() + "'";
    }
    db::Options options() const {
        db::Options out;
        if (database) out.postgres_url = database->url();
        else out.sqlite_file = data / "dunlin.db";
        return out;
    }
    void change(const std::string& statements) const {
        db::open_connection(options(), db::Mode::write)->script(statements);
    }
    std::string ask(const std::string& sql) const {
        const auto here =
            db::open_foreign(database ? options().postgres_url : "sqlite:" + options().sqlite_file.string());
        return takeover_stage::rows(*here, sql);
    }
    std::string state() const { return ask("SELECT state FROM takeovers"); }
    // As if the copy had been cut off after the posts.
    void cut_off() const {
        change("UPDATE takeovers SET state = 'copying', step = 'reports', position = ''");
    }
    // A node that was seen so many seconds ago; less than none: it is there however long this takes.
    void put_node(std::int64_t ago) const {
        using namespace std::chrono;
        const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
        change(
            "DELETE FROM nodes; INSERT INTO nodes (name, host, roles, version, started_at, seen_at, late_ms, "
            "waiting, "
            "listeners, jobs_done) VALUES ('one', 'here', 'web jobs', '1', 0, " +
            std::to_string(now - ago * 1000) + ", 0, 0, 0, 0)"
        );
    }
    // By each person that came along, after all that there was before.
    void post_something() const {
        change(
            "INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, text) "
            "SELECT 300000000000000000 + id / 1000000, id, 1, 'public', 0, 'after it' FROM accounts "
            "WHERE domain = '' AND id > 0"
        );
    }
    std::vector<std::string> kept() const {
        std::vector<std::string> out;
        if (std::filesystem::exists(since))
            for (const auto& file : std::filesystem::directory_iterator(since))
                out.push_back(file.path().filename().string());
        std::ranges::sort(out);
        return out;
    }

    std::optional<GoToSocial> before;
    std::optional<support::PostgresDatabase> database;
    std::filesystem::path since = folder / "since";
    std::string where = " --public-url https://social.example.org --domain social.example.org";
};

TEST_F(TakeoverCommands, leave_alone_what_a_server_serves) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    use_postgres();
    const auto copied = take("copy");
    ASSERT_EQ(copied.status, 0) << copied.err;
    put_node(-600);
    for (const auto& refused : {take("copy"), take("finish"), give_back()}) {
        EXPECT_EQ(refused.status, 1);
        EXPECT_THAT(refused.err, HasSubstr("A server runs with this database; stop it (dunlin nodes)"));
    }
    EXPECT_EQ(state(), "copied") << "a rehearsal may be running: nothing was emptied";
    put_node(600);
    const auto finished = take("finish");
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_THAT(finished.out, HasSubstr("`dunlin takeover undo --to FOLDER`"));
    put_node(-600);
    EXPECT_EQ(give_back().status, 1);
    EXPECT_EQ(state(), "finished");
    EXPECT_EQ(run("takeover undo --dry-run" + where).status, 0) << "only looks";
}

TEST_F(TakeoverCommands, finish_nothing_of_a_copy_that_was_cut_off) {
    const std::string text = "SELECT text FROM statuses WHERE edited_at IS NOT NULL";
    ASSERT_EQ(take("copy").status, 0);
    before->change("UPDATE statuses SET text = 'was edited again' WHERE id = '01M81NR3F06M1KXPACFKP6EM4B'");
    cut_off();
    const auto went_on = take("copy");
    EXPECT_EQ(went_on.status, 0) << went_on.err;
    EXPECT_THAT(
        went_on.err, HasSubstr("was cut off and goes on; what it had copied by then stays as it was")
    );
    EXPECT_THAT(went_on.out, HasSubstr("Parts of it are older than others"));
    EXPECT_EQ(ask(text), "was edited");
    cut_off();
    const auto finished = take("finish");
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_THAT(finished.err, Not(HasSubstr("goes on")));
    EXPECT_EQ(ask(text), "was edited again");
    EXPECT_EQ(state(), "finished");
}

TEST_F(TakeoverCommands, keep_what_came_since_or_nothing_and_let_no_server_start_then) {
    ASSERT_EQ(take("copy").status, 0);
    ASSERT_EQ(take("finish").status, 0);
    post_something();
    std::filesystem::create_directories(since);
    std::ofstream(since / "bob.zip") << "of somebody";
    const auto refused = give_back();
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("bob.zip already"));
    EXPECT_THAT(kept(), ElementsAre("bob.zip")) << "nothing was begun";
    EXPECT_EQ(state(), "finished");
    std::filesystem::remove(since / "bob.zip");
    std::ofstream(since / "alice.zip.part") << "of a run that was cut off";
    const auto done = give_back();
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(kept(), ElementsAre("alice.zip", "bob.zip"));
    EXPECT_EQ(contents(since / "alice.zip").substr(0, 2), "PK");
    EXPECT_EQ(state(), "undone");
    const auto started = run("serve --listen 127.0.0.1:0" + where);
    EXPECT_EQ(started.status, 1);
    EXPECT_THAT(started.err, HasSubstr("this place was given back with `dunlin takeover undo`"));
    EXPECT_THAT(started.err, Not(HasSubstr("finish` first")));
}

}  // namespace

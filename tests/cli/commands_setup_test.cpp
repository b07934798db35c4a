// SPDX-License-Identifier: AGPL-3.0-or-later
// What a newcomer is asked, at a terminal and without one.
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sys/stat.h>

#include "net/fd.hpp"
#include "net/listening.hpp"
#include "server/program.hpp"

namespace {

using testing::AllOf, testing::ContainsRegex, testing::HasSubstr, testing::Not;

// The program at a terminal of its own.
class Terminal {
public:
    explicit Terminal(const std::string& line) {
        int fd = -1;
        child_ = ::forkpty(&fd, nullptr, nullptr, nullptr);
        if (child_ == 0) {
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        screen_ = net::Fd(fd);
    }
    ~Terminal() { end(); }

    // Waits until it stands on the screen, below what was waited for before.
    testing::AssertionResult shows(const std::string& text) {
        for (auto at = seen.npos; (at = seen.find(text, read_)) == seen.npos;)
            if (!more())
                return testing::AssertionFailure() << "no \"" << text << "\" in: " << seen.substr(read_);
        read_ = seen.find(text, read_) + text.size();
        return testing::AssertionSuccess();
    }
    void type(const std::string& line) {
        const auto bytes = line + "\n";
        ASSERT_EQ(::write(screen_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    void answer(const std::string& question, const std::string& line) {
        ASSERT_TRUE(shows(question));
        type(line);
    }
    int end() {
        if (child_ == 0) return status_;
        while (more()) continue;
        int status = 0;
        ::waitpid(std::exchange(child_, 0), &status, 0);
        return status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    std::string seen;

private:
    bool more() {
        pollfd watched{screen_.get(), POLLIN, 0};
        if (::poll(&watched, 1, 60'000) <= 0) return false;
        char some[4096];
        const auto size = ::read(screen_.get(), some, sizeof some);
        if (size > 0) seen.append(some, static_cast<std::size_t>(size));
        return size > 0;
    }

    pid_t child_ = 0;
    net::Fd screen_;
    std::size_t read_ = 0;
    int status_ = -1;
};

struct Setup : Program {
    std::string line(const std::string& more = "") const {
        return "DUNLIN_DATA='" + data.string() + "' '" + program.string() + "' setup " + more;
    }
    std::string written() const { return contents(data / "dunlin.toml"); }
};

TEST_F(Setup, asks_at_a_terminal_until_the_answers_are_good_and_begins_a_server) {
    const net_test::Port taken, mail(false);
    Terminal terminal(line());
    terminal.answer("Public address", "social.test");
    terminal.answer("is not understood; write http or https", "https://social.test");
    terminal.answer("Domain of handles [social.test]: ", "");
    terminal.answer("Who does HTTPS? (self, proxy) [proxy]: ", "");
    terminal.answer("Listen on [127.0.0.1:3000]: ", "127.0.0.1:" + std::to_string(taken.number));
    terminal.answer("Address already in use", "n");
    terminal.answer("Listen on", "unix:" + (folder / "http.sock").string());
    terminal.answer("Mail server", "smtp://127.0.0.1:" + std::to_string(mail.number));
    terminal.answer("User there", "us");
    terminal.answer("Password: ", "hush");
    terminal.answer("Mails come from [noreply@social.test]: ", "");
    terminal.answer("Take it all the same? [y/N]", "y");
    terminal.answer("Registrations (open, approval, closed) [approval]: ", "ajar");
    terminal.answer("Write one of these words", "closed");
    terminal.answer("User name; empty for later", "alice");
    terminal.answer("E-mail address", "nonsense");
    terminal.answer("User name; empty for later", "alice");
    terminal.answer("E-mail address", "alice@social.test");
    ASSERT_TRUE(terminal.shows("Account @alice created, role owner."));
    ASSERT_TRUE(terminal.shows("dunlin serve --data " + data.string()));
    EXPECT_EQ(terminal.end(), 0) << terminal.seen;
    EXPECT_THAT(terminal.seen, Not(HasSubstr("hush")));

    EXPECT_THAT(
        written(),
        AllOf(
            HasSubstr("\npublic_url = \"https://social.test\"\n"),
            HasSubstr("\nlisten = [\"unix:" + (folder / "http.sock").string() + "\"]\n"),
            HasSubstr("\nsmtp_password = \"hush\"\n"),
            HasSubstr("\nregistrations = \"closed\"\n"),
            HasSubstr("\n#domain = ")
        )
    );
    struct stat facts{};
    ASSERT_EQ(::stat((data / "dunlin.toml").c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777u, 0600u);
    EXPECT_EQ(run("config check --offline").status, 0);
    EXPECT_THAT(run("account list").out, HasSubstr("alice"));
}

TEST_F(Setup, writes_nothing_over_a_file_unless_that_is_meant) {
    std::filesystem::create_directories(data);
    const std::string before = "# mine\npublic_url = \"http://localhost:3999\"\ntitle = \"Cats\"\n";
    std::ofstream(data / "dunlin.toml") << before;
    {
        Terminal terminal(line());
        terminal.answer("Shall it be written anew?", "");
        EXPECT_EQ(terminal.end(), 1);
    }
    EXPECT_EQ(written(), before);
    auto refused =
        run("setup --public-url http://localhost:3999 --tls proxy --registrations closed < /dev/null");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("is there already; say --yes"));
    EXPECT_EQ(written(), before);

    auto anew = run("setup --tls proxy --registrations closed --yes --json < /dev/null");
    EXPECT_EQ(anew.status, 0) << anew.err;
    EXPECT_THAT(anew.out, HasSubstr("\"previous\":\"" + (data / "dunlin.toml.old").string() + "\""));
    EXPECT_EQ(contents(data / "dunlin.toml.old"), before);
    EXPECT_THAT(
        written(),
        AllOf(
            HasSubstr("\ntitle = \"Cats\"\n"),
            HasSubstr("\npublic_url = \"http://localhost:3999\"\n"),
            HasSubstr("\nregistrations = \"closed\"\n")
        )
    );
}

TEST_F(Setup, leaves_the_ports_to_the_proxy_and_keeps_the_login_of_the_mail_server) {
    std::filesystem::create_directories(data);
    std::ofstream(data / "dunlin.toml") << "public_url = \"https://social.test\"\n"
                                           "listen = [\"127.0.0.1:3000\", \"0.0.0.0:80\"]\n"
                                           "tls_listen = [\"0.0.0.0:443\"]\n"
                                           "smtp_url = \"smtp://127.0.0.1:1\"\n"
                                           "smtp_user = \"us\"\nsmtp_password = \"hush\"\n";
    // Nothing that stands there is written into.
    std::ofstream(folder / "other") << "of somebody else";
    for (auto name : {"dunlin.toml.new", "dunlin.toml.old"})
        std::filesystem::create_symlink(folder / "other", data / name);
    auto anew = run("setup --tls proxy --registrations closed --yes --json < /dev/null");
    EXPECT_EQ(anew.status, 0) << anew.err;
    EXPECT_EQ(contents(folder / "other"), "of somebody else");
    EXPECT_THAT(
        written(),
        AllOf(
            HasSubstr("\nlisten = [\"127.0.0.1:3000\"]\n"),
            Not(HasSubstr("\ntls_listen")),
            HasSubstr("\nsmtp_user = \"us\"\n"),
            HasSubstr("\nsmtp_password = \"hush\"\n")
        )
    );
    {
        Terminal terminal(line());
        terminal.answer("Shall it be written anew?", "y");
        terminal.answer("Public address", "");
        terminal.answer("Domain of handles", "");
        terminal.answer("Who does HTTPS?", "");
        terminal.answer("Listen on [127.0.0.1:3000]: ", "unix:" + (folder / "http.sock").string());
        terminal.answer("Mail server", "");
        terminal.answer("User there; \"none\" for none [us]: ", "");
        terminal.answer("Password; empty: as before: ", "");
        terminal.answer("Mails come from", "");
        terminal.answer("Take it all the same? [y/N]", "y");
        terminal.answer("Registrations (open, approval, closed) [closed]: ", "");
        terminal.answer("User name; empty for later", "");
        EXPECT_EQ(terminal.end(), 0) << terminal.seen;
    }
    EXPECT_THAT(
        written(), AllOf(HasSubstr("\nsmtp_user = \"us\"\n"), HasSubstr("\nsmtp_password = \"hush\"\n"))
    );
}

TEST_F(Setup, says_without_a_terminal_what_is_missing) {
    auto missing = run("setup --json");
    EXPECT_EQ(missing.status, 2);
    EXPECT_THAT(missing.err, HasSubstr("give --public-url, --tls, --registrations, too"));
    EXPECT_FALSE(std::filesystem::exists(data));
    auto wrong = run("setup --json --public-url social.test --tls proxy --registrations closed");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, HasSubstr("is not understood"));
    auto good = run("setup --json --public-url http://social.test --listen 127.0.0.1:0 --registrations open");
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_THAT(
        good.out, ContainsRegex(R"("option":"registrations")")
    );  // nobody gets the mail with the link
    EXPECT_THAT(written(), HasSubstr("\nlisten = [\"127.0.0.1:0\"]\n"));
}

}  // namespace

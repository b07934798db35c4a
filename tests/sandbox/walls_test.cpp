// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "sandbox/child.hpp"
#include "sandbox/fixtures.hpp"

namespace {

using namespace fixtures;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

std::size_t open_files() {
    const std::filesystem::directory_iterator fds("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(fds), end(fds)));
}

// Our child of that name, if there is one just now.
pid_t child_called(const std::string& name) {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream children(thread.path() / "children");
        for (pid_t pid = 0; children >> pid;) {
            std::string called;
            std::ifstream("/proc/" + std::to_string(pid) + "/comm") >> called;
            if (called == name) return pid;
        }
    }
    return 0;
}
pid_t sandbox_child() { return child_called("dunlin-media"); }

// The one that waits for a job; there is one soon.
pid_t waiting_worker(pid_t not_this = 0) {
    for (;;) {
        if (const pid_t pid = child_called("dunlin-ready"); pid > 0 && pid != not_this) return pid;
        std::this_thread::sleep_for(1ms);
    }
}

// Once by a worker that is started for the job, and once by one that waits for it already.
class Walls : public testing::TestWithParam<bool> {
protected:
    void SetUp() override {
        if (GetParam()) sandbox::keep_worker_ready(1h);
    }
    void TearDown() override { sandbox::keep_worker_ready(0s); }
    sandbox::ChildResult misbehave(const std::string& how, std::chrono::milliseconds timeout = 20s) {
        if (GetParam()) waiting_worker();
        return sandbox::run_worker({"selftest", how}, job_.job.input, job_.job.output_dir, timeout);
    }
    std::string verdict(const sandbox::ChildResult& child) {
        const auto outcome = sandbox::judge(child, job_.job.output_dir);
        const auto* refused = std::get_if<sandbox::Refused>(&outcome);
        return refused ? std::string(sandbox::word(refused->reason)) : "accepted";
    }

    Job job_{"words"};
};
INSTANTIATE_TEST_SUITE_P(sandbox, Walls, testing::Bool(), [](const auto& info) {
    return info.param ? "ready" : "started";
});

// In a process of its own, to which the system denies Landlock.
int without_landlock(const std::function<bool()>& f) {
    pid_t child = fork();
    if (child == 0) {
        auto* filter = seccomp_init(SCMP_ACT_ALLOW);
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
        _exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && seccomp_load(filter) == 0 ? !f() : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(MissingWalls, end_the_worker_before_it_looks_at_its_input) {
    Job job{"words"};
    EXPECT_EQ(
        without_landlock([&] {
            try {
                sandbox::run_image_job(job.job);
            } catch (const std::system_error& e) {
                return e.code() == std::errc::operation_not_permitted &&
                       std::string(e.what()).find("no Landlock in this kernel") != std::string::npos;
            }
            return false;
        }),
        0
    );
}

TEST(MissingWalls, are_borne_when_the_operator_says_so) {
    Job job{"words"};
    EXPECT_EQ(
        without_landlock([&] {
            sandbox::require_walls(false);
            auto outcome = sandbox::run_image_job(job.job);
            auto* refused = std::get_if<sandbox::Refused>(&outcome);
            return refused && refused->reason == sandbox::Reason::unsupported_type;  // "words" is no picture
        }),
        0
    );
}

TEST_P(Walls, keep_the_worker_from_files_networks_and_processes) {
    const int inherited = dup(0);  // must not reach the worker
    const auto child = misbehave("walls");
    close(inherited);

    const bool landlock = syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) > 0;
    std::istringstream lines(child.out);
    std::vector<std::string> done, denied;
    for (std::string what, how; lines >> what >> how;) (how == "done" ? done : denied).push_back(what);
    EXPECT_EQ(child.exit_code, 0) << child.err;
    EXPECT_TRUE(child.out.ends_with("end\n"));
    if (landlock) {
        EXPECT_THAT(done, ElementsAre("read_usr", "write_here"));
        EXPECT_THAT(
            denied,
            ElementsAre(
                "read_passwd",
                "read_proc",
                "list_root",
                "list_parent",
                "write_tmp",
                "write_usr",
                "link_here",
                "mkdir_here",
                "socket_inet",
                "socket_unix",
                "fork",
                "clone3",
                "signal_server",
                "ptrace",
                "io_uring",
                "executable_memory",
                "server_file",
                "environment",
                "execve"
            )
        );
    }
    for (const char* what :
         {"socket_inet", "fork", "execve", "ptrace", "executable_memory", "server_file", "environment"})
        EXPECT_THAT(denied, testing::Contains(what));
    EXPECT_THAT(job_.files(), ElementsAre("selftest.txt"));
}

TEST_P(Walls, turn_crashes_into_refusals) {
    for (const char* how : {"crash", "abort", "memory", "silent", "flood", "unknown"}) {
        SCOPED_TRACE(how);
        EXPECT_EQ(verdict(misbehave(how)), "crashed");
    }
    EXPECT_EQ(misbehave("crash").signal, SIGSEGV);
    EXPECT_EQ(misbehave("memory").signal, SIGABRT);
    EXPECT_TRUE(misbehave("flood").flooded);
}

TEST_P(Walls, end_a_worker_that_hangs) {
    const auto child = misbehave("hang", 200ms);
    EXPECT_EQ(verdict(child), "timeout");
    EXPECT_EQ(child.signal, SIGKILL);
}

TEST_P(Walls, outlive_a_worker_killed_from_outside) {
    std::thread killer([&] {
        for (int tries = 0; tries < 1000; ++tries) {
            std::this_thread::sleep_for(10ms);
            if (const pid_t pid = sandbox_child(); pid > 0) {
                kill(pid, SIGKILL);
                return;
            }
        }
    });
    const auto child = misbehave("hang", 20s);
    killer.join();
    EXPECT_EQ(verdict(child), "crashed");
    EXPECT_EQ(child.signal, SIGKILL);
}

TEST_P(Walls, leave_no_files_open_behind) {
    auto settled = [&] {
        if (GetParam()) waiting_worker();
        return open_files();
    };
    misbehave("crash");
    const std::size_t before = settled();
    for (int i = 0; i < 5; ++i) misbehave(i % 2 == 0 ? "flood" : "silent");
    EXPECT_EQ(settled(), before);
}

struct ReadyWorker : testing::Test {
    void SetUp() override { sandbox::keep_worker_ready(1h); }
    void TearDown() override { sandbox::keep_worker_ready(0s); }
    static bool is_gone(pid_t pid) { return kill(pid, 0) != 0 && errno == ESRCH; }
};

TEST_F(ReadyWorker, serves_one_job_and_is_followed_by_another) {
    const pid_t first = waiting_worker();
    EXPECT_EQ(Job(png(64, 48)).result().original.file, "original.png");
    EXPECT_TRUE(is_gone(first));
    const pid_t second = waiting_worker(first);
    EXPECT_EQ(Job(png(64, 48)).result().original.file, "original.png");
    EXPECT_TRUE(is_gone(second));
}

TEST_F(ReadyWorker, makes_what_one_started_for_the_job_makes) {
    const std::string inputs[] = {
        png_with_metadata(),
        jpeg_with_metadata(6),
        gif(20, 10, 3),
        webp_with_metadata(),
        decoded(base64::avif)
    };
    for (const auto& input : inputs) {
        sandbox::keep_worker_ready(1h);
        waiting_worker();
        Job by_ready(input), by_started(input);
        const auto one = by_ready.result();
        sandbox::keep_worker_ready(0s);
        const auto other = by_started.result();
        EXPECT_EQ(one.original.file, other.original.file);
        EXPECT_EQ(one.blurhash, other.blurhash);
        EXPECT_EQ(by_ready.bytes(one.original.file), by_started.bytes(other.original.file));
        EXPECT_EQ(by_ready.bytes(one.preview->file), by_started.bytes(other.preview->file));
    }
}

TEST_F(ReadyWorker, is_replaced_when_it_is_killed_while_it_waits) {
    const pid_t first = waiting_worker();
    kill(first, SIGKILL);
    EXPECT_EQ(Job(png(64, 48)).result().original.file, "original.png");
    const pid_t second = waiting_worker(first);
    EXPECT_TRUE(is_gone(first));
    EXPECT_EQ(Job(png(64, 48)).result().original.file, "original.png");
    EXPECT_TRUE(is_gone(second));
}

TEST_F(ReadyWorker, goes_when_none_was_wanted_for_a_while_and_comes_back_with_the_next_job) {
    sandbox::keep_worker_ready(5s);  // in which a busy machine must get to start it
    const pid_t first = waiting_worker();
    while (!is_gone(first)) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(child_called("dunlin-ready"), 0);
    EXPECT_EQ(Job(png(64, 48)).result().original.file, "original.png");
    waiting_worker();
}

TEST_F(ReadyWorker, has_given_up_networks_processes_and_programs_before_there_is_a_job) {
    std::string state;
    std::ifstream status("/proc/" + std::to_string(waiting_worker()) + "/status");
    std::map<std::string, std::string> facts;
    for (std::string line; std::getline(status, line);)
        if (auto colon = line.find(':'); colon != line.npos)
            facts[line.substr(0, colon)] = line.substr(colon + 1);
    EXPECT_EQ(facts["Seccomp"], "\t2");
    EXPECT_EQ(facts["NoNewPrivs"], "\t1");
}

}  // namespace

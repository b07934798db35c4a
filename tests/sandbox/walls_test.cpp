// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
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

// Our child, if there is one just now.
pid_t sandbox_child() {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream children(thread.path() / "children");
        if (pid_t pid = 0; children >> pid) return pid;
    }
    return 0;
}

class Walls : public testing::Test {
protected:
    sandbox::ChildResult misbehave(const std::string& how, std::chrono::milliseconds timeout = 20s) {
        return sandbox::run_worker({"selftest", how}, job_.job.input, job_.job.output_dir, timeout);
    }
    std::string verdict(const sandbox::ChildResult& child) {
        const auto outcome = sandbox::judge(child, job_.job.output_dir);
        const auto* refused = std::get_if<sandbox::Refused>(&outcome);
        return refused ? std::string(sandbox::word(refused->reason)) : "accepted";
    }

    Job job_{"words"};
};

TEST_F(Walls, keep_the_worker_from_files_networks_and_processes) {
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

TEST_F(Walls, turn_crashes_into_refusals) {
    for (const char* how : {"crash", "abort", "memory", "silent", "flood", "unknown"}) {
        SCOPED_TRACE(how);
        EXPECT_EQ(verdict(misbehave(how)), "crashed");
    }
    EXPECT_EQ(misbehave("crash").signal, SIGSEGV);
    EXPECT_EQ(misbehave("memory").signal, SIGABRT);
    EXPECT_TRUE(misbehave("flood").flooded);
}

TEST_F(Walls, end_a_worker_that_hangs) {
    const auto child = misbehave("hang", 200ms);
    EXPECT_EQ(verdict(child), "timeout");
    EXPECT_EQ(child.signal, SIGKILL);
}

TEST_F(Walls, outlive_a_worker_killed_from_outside) {
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

TEST_F(Walls, leave_no_files_open_behind) {
    misbehave("crash");
    const std::size_t before = open_files();
    for (int i = 0; i < 5; ++i) misbehave(i % 2 == 0 ? "flood" : "silent");
    EXPECT_EQ(open_files(), before);
}

}  // namespace

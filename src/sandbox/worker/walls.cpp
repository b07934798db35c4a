// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/worker/walls.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "sandbox/media_job.hpp"

namespace worker {
namespace {

namespace limits = sandbox::limits;

[[noreturn]] void fall(const char* wall) {
    std::perror(wall);
    _exit(sandbox::no_walls);
}

void limit(__rlimit_resource what, rlim_t soft, rlim_t hard) {
    const rlimit value{soft, hard};
    if (setrlimit(what, &value) != 0) fall("setrlimit");
}

// The parts of Landlock's interface that we use. Defined here because Debian 12's headers end at its third
// version.
struct Ruleset {
    std::uint64_t fs, net, scoped;
};
struct [[gnu::packed]] PathRule {
    std::uint64_t allowed;
    std::int32_t parent;
};
constexpr std::uint64_t execute = 1 << 0, write_file = 1 << 1, read_file = 1 << 2, read_dir = 1 << 3,
                        remove_file = 1 << 5, make_reg = 1 << 8, refer = 1 << 13, truncate_file = 1 << 14,
                        ioctl_dev = 1 << 15;
constexpr std::uint64_t first_version = (1 << 13) - 1;
constexpr std::uint64_t tcp = 3, abstract_socket_and_signal = 3;

void allow(int ruleset, const char* path, int fd, std::uint64_t access) {
    const PathRule rule{access, fd};
    constexpr int path_beneath = 1;
    if (syscall(SYS_landlock_add_rule, ruleset, path_beneath, &rule, 0) != 0) fall(path);
}

void allow(int ruleset, const char* path, std::uint64_t access) {
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;  // /lib64, for instance, does not exist everywhere
    allow(ruleset, path, fd, access);
    close(fd);
}

}  // namespace

// For the case that the server dies between spawn and PR_SET_PDEATHSIG.
void limit_time(const Bounds& bounds) { alarm(4 * bounds.cpu_seconds); }

void limit_resources(const Bounds& bounds) {
    syscall(SYS_close_range, 3U, ~0U, 0U);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fall("PR_SET_PDEATHSIG");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fall("PR_SET_NO_NEW_PRIVS");

    // When memory runs out, this process is killed first.
    if (const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); fd >= 0) {
        [[maybe_unused]] const auto written = write(fd, "900", 3);
        close(fd);
    }
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) fall("PR_SET_DUMPABLE");
    setpriority(PRIO_PROCESS, 0, 5);
    mallopt(M_ARENA_MAX, 1);  // an arena per thread would exhaust the address space

    limit(RLIMIT_CPU, bounds.cpu_seconds, bounds.cpu_seconds + 1);
#if !defined(__SANITIZE_ADDRESS__)
    limit(RLIMIT_AS, bounds.memory_bytes, bounds.memory_bytes);
#endif
    limit(RLIMIT_FSIZE, bounds.output_bytes, bounds.output_bytes);
    limit(RLIMIT_NOFILE, 32, 32);
    limit(RLIMIT_CORE, 0, 0);
    // No RLIMIT_NPROC: it would also count the server's threads, which have the same user. seccomp forbids
    // forking.
}

void fail_wall(const char* why) {
    std::fprintf(stderr, "%s\n", why);
    if (std::getenv(sandbox::walls_are_optional) == nullptr) _exit(sandbox::no_walls);
}

void limit_files() {
    constexpr unsigned ask_version = 1;
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version);
    if (version < 1) {
        fail_wall("no Landlock in this kernel");
        return;
    }
    Ruleset handled{first_version, 0, 0};
    if (version >= 2) handled.fs |= refer;
    if (version >= 3) handled.fs |= truncate_file;
    if (version >= 4) handled.net = tcp;
    if (version >= 5) handled.fs |= ioctl_dev;
    if (version >= 6) handled.scoped = abstract_socket_and_signal;
    const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;

    const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, size, 0));
    if (ruleset < 0) return fail_wall("Landlock makes no ruleset");
    constexpr std::uint64_t read_only = execute | read_file | read_dir;
    for (const char* path : {"/usr", "/lib", "/lib64"}) allow(ruleset, path, read_only);
    for (const char* path : {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.preload"})
        allow(ruleset, path, read_file);
    allow(ruleset, "/etc/ld.so.conf.d", read_file | read_dir);
    allow(ruleset, "the input", STDIN_FILENO, read_file);  // may be reopened through /proc/self/fd/0
    allow(
        ruleset,
        ".",
        (write_file | read_file | read_dir | remove_file | make_reg | truncate_file) & handled.fs
    );
    if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) fail_wall("Landlock restricts nothing");
    close(ruleset);
}

}  // namespace worker

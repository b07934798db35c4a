// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/worker/walls.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace worker {
namespace {

void report(const char* what, bool done) { std::printf("%s %s\n", what, done ? "done" : "denied"); }

void report_open(const char* what, const char* path, int flags) {
    const int fd = open(path, flags | O_CLOEXEC, 0600);
    report(what, fd >= 0);
    if (fd >= 0) close(fd);
}

bool forked() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    return child > 0;
}

bool executed() {
    char name[] = "true";
    char* argv[] = {name, nullptr};
    execv("/usr/bin/true", argv);
    return false;  // if it had worked, the record would end here
}

int try_the_walls() {
    constexpr std::size_t page = 4096;
    report_open("read_passwd", "/etc/passwd", O_RDONLY);
    report_open("read_proc", "/proc/self/environ", O_RDONLY);
    report_open("list_root", "/", O_RDONLY | O_DIRECTORY);
    report_open("list_parent", "..", O_RDONLY | O_DIRECTORY);
    report_open("write_tmp", "/tmp/dunlin-selftest", O_WRONLY | O_CREAT);
    report_open("write_usr", "/usr/dunlin-selftest", O_WRONLY | O_CREAT);
    report_open("read_usr", "/usr/bin/env", O_RDONLY);
    report_open("write_here", "selftest.txt", O_WRONLY | O_CREAT);
    report("link_here", symlink("/etc/passwd", "link") == 0);
    report("mkdir_here", mkdir("folder", 0700) == 0);
    report("socket_inet", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    report("socket_unix", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    report("fork", forked());
    report("clone3", syscall(SYS_clone3, nullptr, 0) >= 0);
    report("signal_server", kill(getppid(), 0) == 0);
    report("ptrace", ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0);
    report("io_uring", syscall(SYS_io_uring_setup, 1, nullptr) >= 0);
    report(
        "executable_memory",
        mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
    );
    report("server_file", fcntl(3, F_GETFD) >= 0);
    report(
        "environment", environ != nullptr && *environ != nullptr && std::strncmp(*environ, "VIPS", 4) != 0
    );
    report("execve", executed());
    std::puts("end");
    return 0;
}

int hog_memory() {
    constexpr std::size_t chunk = std::size_t{64} << 20;
    for (;;) {
        auto* memory =
            static_cast<volatile char*>(std::malloc(chunk));  // volatile, or the compiler optimizes it away
        if (memory == nullptr) std::abort();
        memory[0] = 1;
    }
}

int flood() {
    for (;;) std::puts("blurhash blurhash blurhash blurhash");
}

}  // namespace

int selftest(std::string_view what) {
    if (what == "walls") return try_the_walls();
    if (what == "crash") raise(SIGSEGV);
    if (what == "abort") std::abort();
    if (what == "hang") pause();
    if (what == "memory") return hog_memory();
    if (what == "flood") return flood();
    if (what == "silent") return 0;
    return 2;
}

}  // namespace worker

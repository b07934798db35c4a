// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "sandbox/child.hpp"
#include "sandbox/media_job.hpp"

extern "C" const unsigned char dunlin_media_worker[], dunlin_media_worker_end[];

namespace sandbox {

void fail(const char* what, int error) { throw std::system_error(error, std::generic_category(), what); }

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
    Pipe pipe{Fd(ends[0]), Fd(ends[1])};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);  // our end only; the worker's end blocks
    return pipe;
}

namespace {

std::atomic<bool> walls_required{true};

Fd worker_image() {
    constexpr unsigned executable = 0x10;  // MFD_EXEC, Linux 6.3; older kernels reject it and work without
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    Fd fd(memfd_create("dunlin-media-worker", flags | executable));
    if (fd.get() < 0) fd = Fd(memfd_create("dunlin-media-worker", flags));
    if (fd.get() < 0) fail("memfd_create");

    for (const unsigned char* at = dunlin_media_worker; at < dunlin_media_worker_end;) {
        const ssize_t n = ::write(fd.get(), at, static_cast<std::size_t>(dunlin_media_worker_end - at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail("writing the media worker");
        at += n;
    }
    if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
        fail("F_ADD_SEALS");
    return fd;
}

// The worker is an in-memory program and finds no libraries next to itself; libraries shipped with ours (in
// lib, unless that is the system's) are passed by LD_LIBRARY_PATH.
std::string libraries() {
    std::error_code none;
    const auto lib = std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / "lib";
    return std::filesystem::is_directory(lib, none) ? "LD_LIBRARY_PATH=" + lib.string() : "";
}

class SpawnPlan {
public:
    SpawnPlan() {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

void check(int error, const char* what) {
    if (error != 0) fail(what, error);
}

// posix_spawn uses vfork internally (CLONE_VM | CLONE_VFORK): safe with threads, and its cost does not depend
// on our size.
pid_t spawn(
    const std::vector<std::string>& arguments, int image, int input, int out, int err, const char* directory
) {
    SpawnPlan plan;
    check(posix_spawn_file_actions_adddup2(&plan.actions, input, 0), "spawn plan");
    check(posix_spawn_file_actions_adddup2(&plan.actions, out, 1), "spawn plan");
    check(posix_spawn_file_actions_adddup2(&plan.actions, err, 2), "spawn plan");
    check(posix_spawn_file_actions_adddup2(&plan.actions, image, 3), "spawn plan");  // the worker closes it
    check(posix_spawn_file_actions_addclosefrom_np(&plan.actions, 4), "spawn plan");
    check(posix_spawn_file_actions_addchdir_np(&plan.actions, directory), "spawn plan");

    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    check(posix_spawnattr_setsigmask(&plan.attributes, &none), "spawn plan");
    check(posix_spawnattr_setsigdefault(&plan.attributes, &all), "spawn plan");
    check(posix_spawnattr_setpgroup(&plan.attributes, 0), "spawn plan");
    check(
        posix_spawnattr_setflags(
            &plan.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        ),
        "spawn plan"
    );

    std::string name = "dunlin-media-worker";
    std::vector<std::string> words = arguments;
    std::vector<char*> argv{name.data()};
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    std::string optional = std::string(walls_are_optional) + "=1";
    static std::string found = libraries();
    std::vector<char*> environment;
    if (!walls_required) environment.push_back(optional.data());
    if (!found.empty()) environment.push_back(found.data());
    environment.push_back(nullptr);

    pid_t pid = -1;
    check(
        posix_spawn(
            &pid, "/proc/self/fd/3", &plan.actions, &plan.attributes, argv.data(), environment.data()
        ),
        "starting the media worker"
    );
    return pid;
}

}  // namespace

void require_walls(bool must) { walls_required = must; }

Running::Running(pid_t pid) : pid_(pid), exit_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {
    if (exit_.get() >= 0) return;
    const int error = errno;
    kill();
    reap();
    fail("pidfd_open", error);
}

Running::~Running() {
    kill();
    reap();
}

bool Running::ended() const {
    pollfd watched{exit_.get(), POLLIN, 0};
    return ::poll(&watched, 1, 0) > 0;
}

void Running::kill() const {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
}

Running::End Running::reap() {
    End end;
    if (pid_ <= 0) return end;
    while (wait4(pid_, &end.status, 0, &end.usage) < 0 && errno == EINTR) {}
    pid_ = -1;
    return end;
}

Running start_worker(
    const std::vector<std::string>& arguments, int input, int out, int err, const char* directory
) {
    static const Fd image = worker_image();
    return Running(spawn(arguments, image.get(), input, out, err, directory));
}

}  // namespace sandbox

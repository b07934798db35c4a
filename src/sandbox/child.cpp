// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <system_error>
#include <utility>

#include "sandbox/media_job.hpp"

extern "C" const unsigned char dunlin_media_worker[], dunlin_media_worker_end[];

namespace sandbox {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t words_for_the_log = 4096;
std::atomic<bool> allowed{true};

[[noreturn]] void fail(const char* what, int error = errno) {
    throw std::system_error(error, std::generic_category(), what);
}

class Fd {
public:
    explicit Fd(int fd = -1) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Fd() { close(); }
    int get() const { return fd_; }
    void close() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

private:
    int fd_;
};

Fd worker_image() {
    constexpr unsigned executable = 0x10;  // MFD_EXEC, Linux 6.3; older kernels refuse the flag and need none
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

struct Pipe {
    Fd read, write;
};

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
    Pipe pipe{Fd(ends[0]), Fd(ends[1])};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);  // our end only; the worker's blocks
    return pipe;
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

// posix_spawn is vfork underneath (CLONE_VM | CLONE_VFORK): safe with threads, and its cost does not grow with ours.
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
    std::array<char*, 1> environment{nullptr};

    pid_t pid = -1;
    check(
        posix_spawn(
            &pid, "/proc/self/fd/3", &plan.actions, &plan.attributes, argv.data(), environment.data()
        ),
        "starting the media worker"
    );
    return pid;
}

// Reads what is there. False at the end of the pipe.
bool drain(Fd& pipe, std::string& text, std::size_t limit, bool& over) {
    std::array<char, 4096> chunk;
    for (;;) {
        const ssize_t n = ::read(pipe.get(), chunk.data(), chunk.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return true;
        if (n == 0) return false;
        const std::size_t room = limit - text.size();
        text.append(chunk.data(), std::min(static_cast<std::size_t>(n), room));
        if (static_cast<std::size_t>(n) > room) {
            over = true;
            return true;  // not in a loop: the writer may be faster than we are
        }
    }
}

class Running {
public:
    explicit Running(pid_t pid) : pid_(pid), exit_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {
        if (exit_.get() < 0) {
            const int error = errno;
            kill();
            reap();
            fail("pidfd_open", error);
        }
    }
    ~Running() {
        kill();
        reap();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    int exit_fd() const { return exit_.get(); }
    void kill() const {
        if (pid_ > 0) ::kill(pid_, SIGKILL);
    }

    struct End {
        int status = 0;
        rusage usage{};
    };
    End reap() {
        End end;
        if (pid_ <= 0) return end;
        while (wait4(pid_, &end.status, 0, &end.usage) < 0 && errno == EINTR) {}
        pid_ = -1;
        return end;
    }

private:
    pid_t pid_;
    Fd exit_;
};

void follow(Running& worker, Pipe& out, Pipe& err, Clock::time_point deadline, ChildResult& result) {
    bool ignored = false;
    for (bool running = true; running;) {
        if (!allowed) fail("the server is stopping", ECANCELED);  // Running kills it
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) {
            result.timed_out = true;
            worker.kill();
            return;
        }
        std::array<pollfd, 3> watched{
            {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}, {worker.exit_fd(), POLLIN, 0}}
        };
        const int ready =
            ::poll(watched.data(), watched.size(), static_cast<int>(std::min<long long>(left, 500)));
        if (ready < 0 && errno != EINTR) fail("poll");
        if (ready <= 0) continue;
        running = watched[2].revents == 0;
        if (watched[0].revents != 0 && !drain(out.read, result.out, limits::record_bytes, result.flooded))
            out.read.close();
        if (watched[1].revents != 0 && !drain(err.read, result.err, words_for_the_log, ignored))
            err.read.close();
        if (result.flooded) {
            worker.kill();
            return;
        }
    }
    // It cannot fork, so its last words are in the pipes by now.
    if (out.read.get() >= 0) drain(out.read, result.out, limits::record_bytes, result.flooded);
    if (err.read.get() >= 0) drain(err.read, result.err, words_for_the_log, ignored);
}

std::chrono::milliseconds milliseconds(const timeval& t) {
    return std::chrono::milliseconds(t.tv_sec * 1000 + t.tv_usec / 1000);
}

}  // namespace

void allow_workers(bool may) { allowed = may; }

ChildResult run_worker(
    const std::vector<std::string>& arguments, const std::filesystem::path& input,
    const std::filesystem::path& directory, std::chrono::milliseconds timeout
) {
    static const Fd image = worker_image();

    const Fd file(::open(input.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (file.get() < 0) fail("opening the media input");
    Pipe out = make_pipe(), err = make_pipe();

    const auto start = Clock::now();
    ChildResult result;
    Running worker(
        spawn(arguments, image.get(), file.get(), out.write.get(), err.write.get(), directory.c_str())
    );
    out.write.close();
    err.write.close();
    follow(worker, out, err, start + timeout, result);

    const auto [status, usage] = worker.reap();
    result.wall = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
    result.cpu = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
    result.peak_rss_kib = usage.ru_maxrss;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.timed_out = result.timed_out || result.signal == SIGXCPU || result.signal == SIGALRM;
    return result;
}

}  // namespace sandbox

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/child.hpp"

#include <fcntl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

#include "sandbox/media_job.hpp"
#include "sandbox/ready.hpp"

namespace sandbox {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t words_for_the_log = 4096;
std::atomic<bool> allowed{true};

// Reads what is available. Returns false at the end of the pipe.
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
            return true;  // do not loop: the writer may be faster than we are
        }
    }
}

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
    // It cannot fork, so everything it wrote is in the pipes by now.
    if (out.read.get() >= 0) drain(out.read, result.out, limits::record_bytes, result.flooded);
    if (err.read.get() >= 0) drain(err.read, result.err, words_for_the_log, ignored);
}

Ready start(const std::vector<std::string>& arguments, int input, const std::filesystem::path& directory) {
    Pipe out = make_pipe(), err = make_pipe();
    Running process = start_worker(arguments, input, out.write.get(), err.write.get(), directory.c_str());
    out.write.close();
    err.write.close();
    return {std::move(process), Fd(), std::move(out), std::move(err)};
}

// Gives the job to the waiting worker. Not for jobs that become another program (ffmpeg), which loads its own
// libraries.
std::optional<Ready> begin(
    const std::vector<std::string>& arguments, int input, const std::filesystem::path& directory
) {
    if (arguments.front() == "run") return std::nullopt;
    const Fd folder(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() < 0) fail("opening the media directory");
    auto ready = take_ready();
    if (ready && !hand_over(*ready, arguments, input, folder.get())) ready.reset();
    return ready;
}

std::chrono::milliseconds milliseconds(const timeval& t) {
    return std::chrono::milliseconds(t.tv_sec * 1000 + t.tv_usec / 1000);
}

ChildResult finish(Ready& worker, Clock::time_point begun, std::chrono::milliseconds timeout) {
    ChildResult result;
    follow(worker.process, worker.out, worker.err, begun + timeout, result);
    const auto [status, usage] = worker.process.reap();
    result.wall = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
    result.cpu = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
    result.peak_rss_kib = usage.ru_maxrss;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    if (result.exit_code == no_walls) fail(("the media sandbox: " + result.err).c_str(), EPERM);
    result.timed_out = result.timed_out || result.signal == SIGXCPU || result.signal == SIGALRM;
    return result;
}

}  // namespace

void allow_workers(bool may) { allowed = may; }

ChildResult run_worker(
    const std::vector<std::string>& arguments, const std::filesystem::path& input,
    const std::filesystem::path& directory, std::chrono::milliseconds timeout
) {
    const Fd file(::open(input.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (file.get() < 0) fail("opening the media input");

    const auto begun = Clock::now();
    if (auto ready = begin(arguments, file.get(), directory)) {
        auto result = finish(*ready, begun, timeout);
        if (result.timed_out || had_begun(*ready)) return result;
    }
    auto worker = start(arguments, file.get(), directory);
    return finish(worker, begun, timeout);
}

}  // namespace sandbox

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// The media worker as a process: starting, holding and ending it.

#include <poll.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

namespace sandbox {

[[noreturn]] void fail(const char* what, int error = errno);  // throws std::system_error

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

struct Pipe {
    Fd read, write;
};
Pipe make_pipe();  // our end, for reading, is non-blocking

// A child process; killed by the destructor.
class Running {
public:
    explicit Running(pid_t);
    ~Running();
    Running(Running&& other) noexcept : pid_(std::exchange(other.pid_, -1)), exit_(std::move(other.exit_)) {}
    Running& operator=(Running&&) = delete;

    int exit_fd() const { return exit_.get(); }  // readable once it has ended
    bool ended() const;
    void kill() const;

    struct End {
        int status = 0;
        rusage usage{};
    };
    End reap();  // waits for it

private:
    pid_t pid_;
    Fd exit_;
};

// Starts a worker in `directory` with these descriptors as 0 to 2 and no others.
Running start_worker(
    const std::vector<std::string>& arguments, int input, int out, int err, const char* directory
);

}  // namespace sandbox

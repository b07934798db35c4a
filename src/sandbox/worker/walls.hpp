// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The sandbox that the worker sets up around itself before it looks at its input. In order: resource limits
// and Landlock (files), then libvips is initialised from /usr, then seccomp (system calls). None of it can be
// undone. If a part cannot be set up, the process ends with no_walls, unless the operator allowed running
// without (walls_are_optional).
// Misbehaves on request, in the same sandbox as a real job: tests check that the sandbox holds and that the
// server copes. The server never uses it.

namespace worker {

// The resources that a job may use.
struct Bounds {
    unsigned cpu_seconds;
    std::size_t memory_bytes, output_bytes;
};

// Also limits wall-clock time, in case the server is gone and cannot end it.
void limit_time(const Bounds&);
void limit_resources(const Bounds&);  // also: fds, end of parent, privileges, core dumps
void limit_files();  // may read the input, /usr, /lib and ld.so's cache, and write the current directory
void limit_calls(bool may_load_code
);  // libheif loads its codecs late; other formats get no executable memory
// The same for a worker that waits for its job, which arrives by recvmsg; it then uses fchdir and may still
// load code. limit_calls() is applied on top.
void limit_calls_while_waiting();
// The same for a job that becomes another program: it may execute that one and no other.
void limit_calls_but_starting(const char* program);

// Ends the process, or logs and continues when the sandbox is optional.
void fail_wall(const char* why);

// Waits for the single job sent over fd 0 (sandbox/ready.hpp) and returns its arguments. From then on fd 0 is
// its input and the current directory its own. Exits when the parent is gone.
std::vector<std::string> wait_for_job();

int selftest(std::string_view what);

}  // namespace worker

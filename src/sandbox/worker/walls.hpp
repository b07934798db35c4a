// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The walls the worker puts around itself before it looks at its input. In order: limits and Landlock (files) first,
// then libvips is initialised from /usr, then seccomp (system calls). None can be taken down again. A wall that fails
// to stand ends the process with no_walls, unless the operator chose to go without (walls_are_optional).
// Misbehaviour on demand, behind the same walls as a real job: tests see that the walls stand and that the server keeps
// its calm. The server never asks for it.

namespace worker {

// How much of the machine a job may use.
struct Bounds {
    unsigned cpu_seconds;
    std::size_t memory_bytes, output_bytes;
};

// A limit in time, too, for the case that nobody is there any more to end it.
void limit_time(const Bounds&);
void limit_resources(const Bounds&);  // also: closes fds from 3 up, dies with the server, no new privileges, no core dumps
void limit_files();  // reading the input, reading /usr, /lib, ld.so's cache; writing the current directory
void limit_calls(bool may_load_code
);  // libheif loads its codecs late; everything else gets no executable memory
// The same for a worker that waits for its job, of which it is told by recvmsg; it goes there by fchdir and may still load
// code. limit_calls() comes on top.
void limit_calls_while_waiting();
// The same for a job that becomes another program: it may start that one and no other.
void limit_calls_but_starting(const char* program);

// Ends the process, or goes on with a word in the log when walls are optional.
void fail_wall(const char* why);

// Waits for the one job that sandbox/ready.hpp sends over fd 0: its words. Its input is fd 0 and its directory the current
// one from then on. Ends the process when nobody is there any more who could send one.
std::vector<std::string> wait_for_job();

int selftest(std::string_view what);

}  // namespace worker

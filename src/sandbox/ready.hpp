// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// A worker that was started before there is a job: its libraries are loaded, resource limits and system call
// filter are active, and it waits on a socket for the arguments, input and directory of its only job.
// Landlock, which needs the latter two, and the rest of the filter follow once it has them and before it
// reads any of the input.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/process.hpp"

namespace sandbox {

struct Ready {
    Running process;
    Fd socket;
    Pipe out, err;
};

// Returns the waiting worker, if there is one; another is started in its place.
std::optional<Ready> take_ready();

// Returns false if it has died meanwhile.
bool hand_over(const Ready&, const std::vector<std::string>& arguments, int input, int directory);
// Whether it had started the job before it ended; always true for one that was started for the job.
bool had_begun(const Ready&);

}  // namespace sandbox

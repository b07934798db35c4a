// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// A worker that was started before there is a job: its libraries are loaded, its limits and its filter of system calls
// stand, and it waits on a socket for the arguments, the input and the directory of the one job that it will do. The wall
// around files, which needs these two, and the rest of the filter come when it has them and before it reads a byte of
// the input.

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

// The one that waits, if there is one; another is started in its place.
std::optional<Ready> take_ready();

// False when it has died meanwhile.
bool hand_over(const Ready&, const std::vector<std::string>& arguments, int input, int directory);
// Whether it had begun with the job before it ended; one started for the job always has.
bool had_begun(const Ready&);

}  // namespace sandbox

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// Starts the embedded media worker and waits for it. Knows processes, pipes and time; knows nothing about images.
// Safe to call from any number of threads at once. SIGCHLD must not be ignored by the server.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace sandbox {

struct ChildResult {
    bool timed_out = false;  // killed by us at the deadline, or by its CPU limit
    bool flooded = false;    // killed by us: it wrote more than a record
    int exit_code = -1;      // -1 when a signal ended it
    int signal = 0;
    std::string out, err;  // err is cut at 4 KiB
    std::chrono::milliseconds wall{}, cpu{};
    long peak_rss_kib = 0;
};

// Blocks until the worker has ended. Throws std::system_error when it cannot be started or has no sandbox, which is our trouble and not
// the input's: the job may be tried again.
ChildResult run_worker(
    const std::vector<std::string>& arguments, const std::filesystem::path& input,
    const std::filesystem::path& directory, std::chrono::milliseconds timeout
);

// Has a worker wait for the next job, with its libraries loaded, so that run_worker need not wait for that; it serves one job
// and dies like any other. When none was wanted for so long, none waits until there has been a job again. 0: none.
void keep_worker_ready(std::chrono::seconds idle);

// Whether workers refuse to start where the system denies them a wall of their sandbox; they do unless told otherwise.
void require_walls(bool);

// For the end of the server: kills the workers there are, and run_worker throws until they are allowed again.
void allow_workers(bool);

}  // namespace sandbox

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// Runs the embedded media worker and waits for it. Handles processes, pipes and timeouts; knows nothing about
// images. Thread-safe. The server must not ignore SIGCHLD.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace sandbox {

struct ChildResult {
    bool timed_out = false;  // killed by us at the deadline, or by its CPU limit
    bool flooded = false;    // killed by us because it wrote more than a record
    int exit_code = -1;      // -1 if it was ended by a signal
    int signal = 0;
    std::string out, err;  // err is cut at 4 KiB
    std::chrono::milliseconds wall{}, cpu{};
    long peak_rss_kib = 0;
};

// Blocks until the worker has ended. Throws std::system_error if it cannot be started or sandboxed; that is
// not the input's fault, so the job may be retried.
ChildResult run_worker(
    const std::vector<std::string>& arguments, const std::filesystem::path& input,
    const std::filesystem::path& directory, std::chrono::milliseconds timeout
);

// Keeps a worker with loaded libraries waiting, which makes run_worker faster; like any worker it serves one
// job and exits. After `idle` without a job, none is kept until the next job. 0: never keep one.
void keep_worker_ready(std::chrono::seconds idle);

// Whether workers refuse to run if the system does not support a part of their sandbox. The default is true.
void require_walls(bool);

// For shutdown: false kills all workers, and run_worker throws until workers are allowed again.
void allow_workers(bool);

}  // namespace sandbox

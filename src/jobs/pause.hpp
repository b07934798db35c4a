// SPDX-License-Identifier: AGPL-3.0-or-later
// Thrown by a job that has to wait, through nobody's fault: it begins again later, and no try is counted.
#pragma once
#include <cstdint>
#include <stdexcept>

namespace jobs {

struct Pause : std::runtime_error {
    explicit Pause(std::int64_t seconds) : runtime_error("has to wait"), seconds(seconds) {}
    std::int64_t seconds;
};

}  // namespace jobs

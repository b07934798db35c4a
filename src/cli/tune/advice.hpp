// SPDX-License-Identifier: AGPL-3.0-or-later
// The proposals of `dunlin tune`: rules that derive options from measurements of the machine and the site,
// and name them. Changes nothing.
#pragma once
#include "config/config.hpp"
#include "social/insight/vitals.hpp"

#include <optional>

namespace server {

struct MachineFigures {
    std::int64_t cores = 1;
    double quota = 0;  // cores that the cgroup allows; 0: all
    std::int64_t memory_bytes = 0;
    std::int64_t memory_limit_bytes = 0;  // of the cgroup; 0: none
    std::int64_t most_files = 0;          // hard limit of open files; 0: unknown
    double sync_ms = 0;  // time to write and sync a small file in the data folder; 0: unknown
    std::optional<std::int64_t> free_for_data, size_for_data,
        database_bytes;  // the database: not with PostgreSQL

    double usable_cores() const {
        return quota > 0 && quota < static_cast<double>(cores) ? quota : static_cast<double>(cores);
    }
    std::int64_t usable_memory() const {
        return memory_limit_bytes > 0 && memory_limit_bytes < memory_bytes ? memory_limit_bytes
                                                                           : memory_bytes;
    }
};
DESCRIBE(
    MachineFigures, cores, quota, memory_bytes, memory_limit_bytes, most_files, sync_ms, free_for_data,
    size_for_data, database_bytes
)

struct Advice {
    std::string option, value, now, because;
};
DESCRIBE(Advice, option, value, now, because)

struct Tuning {
    std::vector<Advice> options;
    std::vector<std::string> notes;  // problems that no option solves
};

// `running`: measurements of the server on this folder, if it runs.
Tuning tuning(const Config&, const MachineFigures&, const std::optional<insight::Vitals>& running);

// machine.cpp

// Writes a few kilobytes into the data folder for at most a second, and removes them.
MachineFigures look_at_machine(const Config&);

// The limits of a cgroup and its ancestors, read from `root` (version 2): the smallest of each.
struct GroupLimits {
    double cores = 0;
    std::int64_t memory_bytes = 0;  // 0: unlimited
};
GroupLimits group_limits(const std::filesystem::path& root, std::string_view group);

}  // namespace server

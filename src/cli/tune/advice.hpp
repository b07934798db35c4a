// SPDX-License-Identifier: AGPL-3.0-or-later
// What `dunlin tune` proposes: from figures of the machine and the site, by rules that each name the figure. It changes nothing.
#pragma once
#include "config/config.hpp"
#include "social/insight/vitals.hpp"

#include <optional>

namespace server {

struct MachineFigures {
    std::int64_t cores = 1;
    double quota = 0;  // cores that the control group allows; 0: all
    std::int64_t memory_bytes = 0;
    std::int64_t memory_limit_bytes = 0;  // of the control group; 0: none
    std::int64_t most_files = 0;          // the hard limit of open files; 0: not known
    double sync_ms = 0;  // until a small write is on the disk of the data folder; 0: not known
    std::optional<std::int64_t> free_for_data, size_for_data,
        database_bytes;  // not with PostgreSQL: the database

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
    std::vector<std::string> notes;  // what no option changes
};

// `running`: how the server does that runs on this folder, if there is one.
Tuning tuning(const Config&, const MachineFigures&, const std::optional<insight::Vitals>& running);

// machine.cpp

// Writes a few kilobytes into the data folder, for a second at most, and removes them.
MachineFigures look_at_machine(const Config&);

// What a control group and those above it allow, as the files below `root` have it (version 2): the least of each.
struct GroupLimits {
    double cores = 0;
    std::int64_t memory_bytes = 0;  // 0: as much as there is
};
GroupLimits group_limits(const std::filesystem::path& root, std::string_view group);

}  // namespace server

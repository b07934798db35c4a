// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/tune/advice.hpp"

#include "base/text/figures.hpp"
#include "config/config_table.hpp"

#include <algorithm>
#include <cmath>

namespace server {

namespace {

using base::text::figure;

constexpr std::int64_t mega = 1 << 20, giga = mega << 10;
// Open files other than connections: of the database, media and the program itself.
constexpr std::int64_t files_beside_connections = 500;

std::string bytes(std::int64_t value) { return base::text::shown_bytes(static_cast<std::uint64_t>(value)); }

class Rules {
public:
    Rules(const Config& config, const MachineFigures& machine, const std::optional<insight::Vitals>& running)
        : config_(config), machine_(machine), running_(running) {}

    Tuning made() {
        cores();
        memory();
        files();
        disk();
        load();
        return out_;
    }

private:
    // `now`: the effective value if the option is not set.
    void propose(std::string_view name, std::int64_t value, std::int64_t now, std::string because) {
        const auto* option = find_option(name);
        value = std::clamp<std::int64_t>(value, option->least, option->most);
        if (value == now) return;
        if (auto place = config_.set_at.find(std::string(name)); place != config_.set_at.end())
            because += "; " + place->second + " says " + std::to_string(now);
        out_.options.push_back({std::string(name), std::to_string(value), std::to_string(now), because});
    }

    // The program uses all cores of the machine, ignoring the cgroup's limit.
    void cores() {
        if (machine_.usable_cores() >= static_cast<double>(machine_.cores)) return;
        const auto usable = std::max<std::int64_t>(std::lround(std::ceil(machine_.usable_cores())), 1);
        const auto because = "the control group allows " + figure(machine_.usable_cores()) + " of " +
                             figure(machine_.cores) + " cores";
        if (!config_.postgres()) {
            const auto now =
                config_.readers > 0 ? config_.readers : std::max<std::int64_t>(machine_.cores, 2);
            if (now > std::max<std::int64_t>(usable, 2))
                propose(
                    "readers",
                    std::max<std::int64_t>(usable, 2),
                    now,
                    because + "; more readers only wait for each other"
                );
        }
        const auto half = std::max<std::int64_t>(usable / 2, 1);
        const auto now =
            config_.cpu_threads > 0 ? config_.cpu_threads : std::max<std::int64_t>(machine_.cores / 2, 1);
        if (now > half)
            propose(
                "cpu_threads", half, now, because + "; passwords and pictures would take them from who reads"
            );
    }

    void memory() {
        const auto memory = machine_.usable_memory();
        if (memory <= 0) return;
        const auto most = std::max<std::int64_t>(memory / mega / 16, 12);
        if (config_.body_memory_mb > most)
            propose(
                "body_memory_mb",
                most,
                config_.body_memory_mb,
                "there are " + bytes(memory) +
                    " of memory; bodies of requests should take a sixteenth at most"
            );
    }

    void files() {
        if (machine_.most_files <= 0) return;
        const auto most = std::max<std::int64_t>(machine_.most_files - files_beside_connections, 1);
        if (config_.max_connections > most)
            propose(
                "max_connections",
                most,
                config_.max_connections,
                "the system lets this user have " + figure(machine_.most_files) +
                    " files open; raise that (LimitNOFILE) or have fewer connections"
            );
    }

    void disk() {
        if (machine_.sync_ms > 20)
            out_.notes.push_back(
                "A write takes " + figure(machine_.sync_ms) +
                " ms until it is on the disk of the data folder. Every change waits for that; no option "
                "helps, another disk does."
            );
        if (!machine_.free_for_data) return;
        const auto free = *machine_.free_for_data;
        const auto uploads = std::max<std::int64_t>(free / 4 / mega, 64);
        if (config_.upload_space_mb > uploads)
            propose(
                "upload_space_mb",
                uploads,
                config_.upload_space_mb,
                bytes(free) +
                    " are free for data; uploads that are not answered yet should take a quarter at most"
            );
        if (!config_.s3_bucket.empty() &&
            config_.media_cache_mb > std::max<std::int64_t>(free / 2 / mega, 16))
            propose(
                "media_cache_mb",
                std::max<std::int64_t>(free / 2 / mega, 16),
                config_.media_cache_mb,
                bytes(free) +
                    " are free for data; what was read from the bucket should take half of that at most"
            );
        const auto size = machine_.size_for_data.value_or(0), database = machine_.database_bytes.value_or(0);
        const bool short_of_room = size > 0 && free < size / 5 && database > 2 * giga;
        if (short_of_room && config_.remote_posts_days == 0)
            propose(
                "remote_posts_days",
                90,
                0,
                bytes(free) + " of " + bytes(size) + " are free and the database takes " + bytes(database) +
                    "; `dunlin prune --dry-run --days 90` says what would go"
            );
    }

    // During the last minute.
    void load() {
        if (!running_) return;
        const auto& now = *running_;
        const bool idle_cpu = now.rates.cpu_percent < 70 * machine_.usable_cores();
        if (config_.postgres() && now.rates.readers_percent > 70) {
            const auto readers = config_.readers > 0 ? config_.readers : 16;
            propose(
                "readers",
                readers * 2,
                readers,
                "readers were busy for " + figure(now.rates.readers_percent) +
                    " % of the last minute; PostgreSQL must allow as many connections"
            );
        }
        if (config_.postgres() && now.rates.writer_percent > 70) {
            const auto writers = config_.writers > 0 ? config_.writers : 16;
            propose(
                "writers",
                writers * 2,
                writers,
                "writers were busy for " + figure(now.rates.writer_percent) +
                    " % of the last minute; PostgreSQL must allow as many connections"
            );
        }
        if (now.queues && now.queues->jobs_late_seconds > 60 && idle_cpu && config_.job_threads < 8)
            propose(
                "job_threads",
                std::min(config_.job_threads * 2, 8),
                config_.job_threads,
                "a job has waited for " + base::text::span(now.queues->jobs_late_seconds) +
                    " while the CPU had time"
            );
    }

    const Config& config_;
    const MachineFigures& machine_;
    const std::optional<insight::Vitals>& running_;
    Tuning out_;
};

}  // namespace

Tuning tuning(
    const Config& config, const MachineFigures& machine, const std::optional<insight::Vitals>& running
) {
    return Rules(config, machine, running).made();
}

}  // namespace server

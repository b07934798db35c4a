// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/verify.hpp"

#include "backup/media_copies.hpp"
#include "base/deadline.hpp"
#include "base/json.hpp"
#include "base/json_read.hpp"
#include "db/log/database_file.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <unordered_map>

namespace backup {

namespace {

using Sizes = std::unordered_map<std::string, std::uint64_t>;

Sizes sizes_in(const Archive& archive, const char* folder) {
    Sizes sizes;
    for (auto& file : archive.target().list(folder)) sizes[std::move(file.name)] = file.bytes;
    return sizes;
}

bool is_there(const Sizes& sizes, const std::string& name, std::uint64_t bytes) {
    const auto found = sizes.find(name);
    return found != sizes.end() && found->second == bytes;
}

void check_media(const Archive& archive, const VerifyOptions& options, std::int64_t until, Verified& found) {
    std::vector<std::pair<std::string, MediaEntry>> there;
    for (auto& one : read_media_list(archive))
        if (!one.second.gone || one.second.gone >= until) there.push_back(one);
    found.media_files = static_cast<std::int64_t>(there.size());
    const auto sizes = sizes_in(archive, media_folder);
    for (const auto& [name, entry] : there) {
        go_on_unless(options.stopped);
        if (!is_there(sizes, media_folder + name, entry.bytes))
            found.faults.push_back(archive.where(media_folder + name) + " is missing or too short");
    }
    std::vector<std::pair<std::string, MediaEntry>> chosen;
    std::ranges::sample(
        there,
        std::back_inserter(chosen),
        static_cast<std::ptrdiff_t>(options.media_sample),
        std::minstd_rand(std::random_device{}())
    );
    for (const auto& [name, entry] : chosen) {
        go_on_unless(options.stopped);
        if (!is_there(sizes, media_folder + name, entry.bytes)) continue;
        try {
            if (archive.target().sha256(media_folder + name) != entry.sha256)
                found.faults.push_back(archive.where(media_folder + name) + " is damaged");
        } catch (const Broken& e) {
            found.faults.emplace_back(e.what());
        }
    }
    found.media_compared = static_cast<std::int64_t>(chosen.size());
}

// Checks the copies that were not restored as well.
void check_bases(const Archive& archive, const VerifyOptions& options, Verified& found) {
    const auto sizes = sizes_in(archive, "blocks/");
    for (auto ms : archive.bases()) {
        for (const auto& block : archive.base(ms).blocks) {
            go_on_unless(options.stopped);
            const auto name = Archive::block(block.sha256);
            if (!is_there(sizes, name, block.bytes))
                found.faults.push_back(archive.where(name) + " is missing or too short");
        }
        for (const auto& log : archive.logs(ms)) archive.points(ms, log);
    }
}

// The restored database must not use up the space of a running server.
void require_room(const Archive& archive, const fs::path& scratch) {
    constexpr std::uint64_t left_over = 512 << 20;
    std::uint64_t wanted = left_over;
    try {
        // A dump is loaded into a database beside it, which has indexes as well.
        const std::uint64_t times = archive.manifest().engine == "sqlite" ? 1 : 3;
        for (auto ms : archive.bases())
            wanted = std::max(wanted, archive.base(ms).bytes() * times + left_over);
    } catch (const Broken&) {  // reported when it is restored
    }
    std::error_code unknown;
    const auto room = fs::space(scratch, unknown).available;
    if (unknown || room >= wanted) return;
    throw Away(
        "The backup was not verified: in " + scratch.string() + " are " + std::to_string(room >> 20) +
        " MB free, and " + std::to_string(wanted >> 20) + " MB are needed"
    );
}

// Removes the folder at the end in any case.
class Scratch {
public:
    explicit Scratch(fs::path folder) : folder_(std::move(folder)) {}
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;

private:
    fs::path folder_;
};

// Running out of time or an unavailable target is not a fault of the backup.
template <class F>
void noting(Verified& found, F&& look) {
    try {
        look();
    } catch (const Away&) {
        throw;
    } catch (const base::Unavailable&) {
        throw;
    } catch (const std::exception& e) {
        found.faults.emplace_back(e.what());
    }
}

}  // namespace

Verified verify(const Archive& archive, const VerifyOptions& options, std::int64_t now) {
    const auto begun = std::chrono::steady_clock::now();
    Verified found;
    found.at = base::to_string(base::Time{now});
    fs::remove_all(options.scratch);
    make_folder(options.scratch);
    const Scratch scratch(options.scratch);
    const auto database = options.scratch / "dunlin.db";
    auto until = options.at.value_or(now);
    require_room(archive, options.scratch);
    noting(found, [&] {
        const auto restored = restore_database(archive, options.at, database, options.stopped);
        until = restored.until;
        found.restored_until = base::to_string(base::Time{until});
        for (const auto& fault : restored.passed_over) found.faults.push_back(fault);
        for (const auto& fault : db::faults_in(database, options.stopped))
            found.faults.push_back("database: " + fault);
        restore_files(archive, restored.base, options.scratch);
        if (options.judge)
            for (auto& fault : options.judge(database)) found.faults.push_back(std::move(fault));
    });
    noting(found, [&] { check_bases(archive, options, found); });
    noting(found, [&] { check_media(archive, options, until, found); });
    found.sound = found.faults.empty();
    found.milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun)
            .count();
    archive.target().prepare();
    archive.target().put("check/" + name_of_time(now) + ".json", base::json::to_string(found) + "\n");
    return found;
}

LastVerified last_verified(const Archive& archive) {
    LastVerified last;
    std::string latest;
    for (const auto& file : archive.target().list("check/")) {
        const fs::path name = file.name;
        const auto ms = time_of_name(name.stem().string());
        if (ms && *ms > last.ms) last.ms = *ms, latest = file.name;
    }
    if (last.ms == 0) return last;
    try {
        last.sound = base::json::read<Verified>(archive.target().read(latest)).sound;
    } catch (const Away&) {
        throw;
    } catch (const base::Unavailable&) {
        throw;
    } catch (const std::exception&) {  // not completely written
    }
    return last;
}

}  // namespace backup

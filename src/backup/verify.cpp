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

namespace backup {

namespace {

void check_media(const Archive& archive, const VerifyOptions& options, std::int64_t until, Verified& found) {
    std::vector<std::pair<std::string, MediaEntry>> there;
    for (auto& one : read_media_list(archive))
        if (!one.second.gone || one.second.gone >= until) there.push_back(one);
    found.media_files = static_cast<std::int64_t>(there.size());
    for (const auto& [name, entry] : there) {
        go_on_unless(options.stopped);
        std::error_code absent;
        const auto bytes = fs::file_size(archive.media() / name, absent);
        if (absent || bytes != entry.bytes)
            found.faults.push_back((archive.media() / name).string() + " is missing or too short");
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
        std::error_code absent;
        if (fs::file_size(archive.media() / name, absent) != entry.bytes || absent) continue;
        if (sha256_of(archive.media() / name) != entry.sha256)
            found.faults.push_back((archive.media() / name).string() + " is damaged");
    }
    found.media_compared = static_cast<std::int64_t>(chosen.size());
}

// Also of those copies that this one does without.
void check_bases(const Archive& archive, const VerifyOptions& options, Verified& found) {
    for (auto ms : archive.bases()) {
        for (const auto& block : archive.base(ms).blocks) {
            go_on_unless(options.stopped);
            std::error_code absent;
            if (fs::file_size(archive.block(block.sha256), absent) != block.bytes || absent)
                found.faults.push_back(archive.block(block.sha256).string() + " is missing or too short");
        }
        for (auto number : archive.numbers(ms)) archive.points(ms, number);
    }
}

// What is restored there stands beside a server that has to write.
void require_room(const Archive& archive, const fs::path& scratch) {
    constexpr std::uint64_t left_over = 512 << 20;
    std::uint64_t wanted = left_over;
    try {
        // Of a dump a database is made beside it, which has indexes as well.
        const std::uint64_t times = archive.manifest().engine == "sqlite" ? 1 : 3;
        for (auto ms : archive.bases())
            wanted = std::max(wanted, archive.base(ms).bytes() * times + left_over);
    } catch (const Broken&) {  // is found when it is restored
    }
    std::error_code unknown;
    const auto room = fs::space(scratch, unknown).available;
    if (unknown || room >= wanted) return;
    throw Away(
        "The backup was not verified: in " + scratch.string() + " are " + std::to_string(room >> 20) +
        " MB free, and " + std::to_string(wanted >> 20) + " MB are needed"
    );
}

// Gone at the end, however that comes.
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

template <class F>
void noting(Verified& found, F&& look) {
    try {
        look();
    } catch (const base::Stopping&) {
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
    make_folder(archive.folder() / "check");
    put(archive.folder() / "check" / (name_of_time(now) + ".json"), base::json::to_string(found) + "\n");
    return found;
}

LastVerified last_verified(const Archive& archive) {
    LastVerified last;
    fs::path latest;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(archive.folder() / "check", absent)) {
        const auto ms = time_of_name(entry.path().stem().string());
        if (ms && *ms > last.ms) last.ms = *ms, latest = entry.path();
    }
    if (last.ms == 0) return last;
    try {
        last.sound = base::json::read<Verified>(contents(latest)).sound;
    } catch (const std::exception&) {  // not written whole
    }
    return last;
}

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/restore.hpp"

#include "backup/dump_copies.hpp"
#include "backup/media_copies.hpp"
#include "base/crypto.hpp"
#include "base/deadline.hpp"
#include "db/log/database_file.hpp"
#include "db/log/wal.hpp"

#include <algorithm>
#include <deque>
#include <future>

namespace backup {

void go_on_unless(const Stopped& stopped) {
    if (stopped && stopped()) throw base::Stopping();
}

namespace {

constexpr std::string_view sqlite = "sqlite";

void join_blocks(const Archive& archive, const Base& base, const fs::path& database, const Stopped& stopped) {
    write_at(database, 0, "");
    std::vector<std::string> names;
    for (const auto& one : base.blocks) names.push_back(Archive::block(one.sha256));
    std::uint64_t offset = 0;
    auto wanted = base.blocks.begin();
    read_in_order(archive.target(), names, [&](const std::string& name, const std::string& bytes) {
        go_on_unless(stopped);
        if (bytes.size() != wanted->bytes || base::sha256_hex(bytes) != wanted->sha256)
            throw Broken(archive.where(name) + " is damaged");
        append(database, bytes, offset);
        offset += bytes.size();
        ++wanted;
    });
}

// How much of each log is needed, in order.
struct Part {
    Log log;
    std::uint64_t end = 0;
};

struct Plan {
    std::vector<Part> parts;
    std::int64_t until = 0;
};

// Without a time, includes what was written after the last recorded time.
Plan plan_of(const Archive& archive, const Base& base, std::optional<std::int64_t> at) {
    Plan plan{{}, base.ms};
    std::uint64_t next = 0, end_before = 0;
    for (auto& log : archive.logs(base.ms)) {
        const auto name = archive.where(Archive::segment(base.ms, next));
        if (log.number != next++) throw Broken(name + " is missing");
        const auto told = log.pieces.front().end_before;
        if (told > end_before) throw Broken(name + " is preceded by a log of which the end is missing");
        std::uint64_t end = 0;
        bool over = false;
        for (const auto& point : archive.points(base.ms, log)) {
            const bool needed = log.number == base.least_number && point.end <= base.least_end;
            over = at && point.ms > *at && !needed;
            if (over) break;
            end = point.end;
            plan.until = std::max(plan.until, point.ms);
        }
        end_before = log.bytes();
        if (!at) end = std::max(end, end_before);
        if (end > 0) plan.parts.push_back({std::move(log), end});
        if (over) break;
    }
    return plan;
}

// Checks every frame's checksum, and that SQLite then replays as many frames.
void replay(const Archive& archive, const Base& base, const Part& part, bool last, const fs::path& database) {
    const auto path = archive.where(Archive::segment(base.ms, part.log.number));
    auto bytes = archive.bytes_of(base.ms, part.log, part.end);
    auto place = db::place_behind_header(bytes);
    if (!place) throw Broken(path + " is damaged at its beginning");
    const auto passed =
        db::pass_transactions(*place, std::string_view(bytes).substr(db::log_header_bytes)).bytes;
    const bool torn = db::log_header_bytes + passed != bytes.size();
    // Acceptable: a write that was cut off at the very end.
    const auto points = archive.points(base.ms, part.log);
    const bool noted = !points.empty() && points.back().end > place->offset;
    if (torn && (!last || noted))
        throw Broken(path + " is damaged after " + std::to_string(place->offset) + " bytes");
    bytes.resize(place->offset);
    const auto frames = place->frames();
    if (frames == 0) return;
    append(database.string() + "-wal", bytes, 0);  // the previous log is gone; all is synced at the end
    const auto found = db::fold_log(database);
    if (found != frames)
        throw Broken(
            path + " holds " + std::to_string(frames) + " pages, of which SQLite took " +
            std::to_string(found)
        );
}

struct Choice {
    Base base;
    Plan plan;
    Words passed_over;
};

// The copy that reaches the latest time: a newer one may have been made independently of the server.
Choice latest(
    const Archive& archive, const std::vector<std::int64_t>& bases, std::optional<std::int64_t> at
) {
    Choice best;
    std::optional<Broken> first;
    for (auto ms : bases) {
        try {
            auto base = archive.base(ms);
            auto plan = plan_of(archive, base, at);
            if (at && plan.until > *at) continue;  // not consistent yet at that time
            if (plan.until >= best.plan.until) best.base = std::move(base), best.plan = std::move(plan);
        } catch (const Broken& e) {
            best.passed_over.emplace_back(e.what());
            if (!first) first = e;
        }
    }
    if (best.base.ms != 0) return best;
    if (first) throw *first;
    throw Broken(archive.where() + " holds nothing " + (at ? "that is as old as that" : "to restore"));
}

}  // namespace

std::vector<std::int64_t> bases_until(const Archive& archive, std::optional<std::int64_t> at) {
    auto all = archive.bases();
    if (at) std::erase_if(all, [&](auto ms) { return ms > *at; });
    return all;
}

std::int64_t end_of(const Archive& archive) {
    std::int64_t end = 0;
    for (auto ms : archive.bases()) {
        try {
            end = std::max(end, last_point(archive, ms));
        } catch (const Broken&) {  // restore and verify report it
        }
    }
    return end;
}

namespace {

Restored join(
    const Archive& archive, std::optional<std::int64_t> at, const fs::path& database, const Stopped& stopped
) {
    auto [base, plan, passed_over] = latest(archive, bases_until(archive, at), at);
    const bool reached = base.least_end == 0 || std::ranges::any_of(plan.parts, [&](const Part& part) {
                             return part.log.number == base.least_number && part.end >= base.least_end;
                         });
    if (!reached)
        throw Broken(
            archive.where(Archive::log_folder(base.ms)) + " lacks the log without which its copy is not whole"
        );
    join_blocks(archive, base, database, stopped);
    for (const auto& part : plan.parts) {
        go_on_unless(stopped);
        replay(archive, base, part, &part == &plan.parts.back(), database);
    }
    keep_all(database.parent_path());
    return {base.ms, plan.until, end_of(archive), std::move(passed_over)};
}

}  // namespace

Restored restore_database(
    const Archive& archive, std::optional<std::int64_t> at, const fs::path& database, const Stopped& stopped
) {
    if (archive.manifest().engine == sqlite) return join(archive, at, database, stopped);
    const fs::path dump = database.string() + ".dump";
    auto restored = restore_dump(archive, at, dump, stopped);
    db::Options options;
    options.sqlite_file = database;
    load_dump(dump, options, [&](const std::string&, std::int64_t, std::int64_t) { go_on_unless(stopped); });
    fs::remove(dump);
    return restored;
}

Restored restore_dump(
    const Archive& archive, std::optional<std::int64_t> at, const fs::path& dump, const Stopped& stopped
) {
    if (archive.manifest().engine == sqlite)
        throw Broken(
            archive.where() +
            " is the backup of a SQLite database; restore it with --to into a folder, and bring that to "
            "PostgreSQL "
            "with dunlin migrate-to"
        );
    return join(archive, at, dump, stopped);
}

void restore_files(const Archive& archive, std::int64_t base, const fs::path& folder) {
    for (const auto& file : archive.base(base).files) {
        const auto name = Archive::block(file.sha256);
        const auto bytes = archive.target().read(name);
        if (base::sha256_hex(bytes) != file.sha256) throw Broken(archive.where(name) + " is damaged");
        if (!fs::exists(folder / file.name)) put(folder / file.name, bytes);
    }
}

RestoredMedia restore_media(const Archive& archive, std::int64_t at, const fs::path& folder) {
    RestoredMedia done;
    auto& target = archive.target();
    const auto bring = [&](const std::string& name, const std::string& sha256) {
        const auto to = folder / name, made = folder / (name + ".restored");
        make_folder(to.parent_path());
        bool sound = false;
        try {
            target.fetch(media_folder + name, made);
            sound = sha256_of(made) == sha256;
        } catch (const Broken&) {}
        std::error_code absent;
        if (sound) fs::rename(made, to);
        else fs::remove(made, absent);
        return sound;
    };
    std::deque<std::pair<std::string, std::future<bool>>> under_way;
    const auto wait = [&] {
        auto [name, oldest] = std::move(under_way.front());
        under_way.pop_front();
        if (oldest.get()) ++done.files;
        else done.faults.push_back(archive.where(media_folder + name) + " is missing or damaged");
    };
    const auto lanes = target.lanes();
    for (const auto& [name, entry] : read_media_list(archive)) {
        if ((entry.gone && entry.gone < at) || fs::exists(folder / name)) continue;
        if (under_way.size() >= lanes) wait();
        under_way.emplace_back(
            name,
            std::async(lanes > 1 ? std::launch::async : std::launch::deferred, bring, name, entry.sha256)
        );
    }
    while (!under_way.empty()) wait();
    return done;
}

}  // namespace backup

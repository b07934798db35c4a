// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/restore.hpp"

#include "backup/dump_copies.hpp"
#include "backup/media_copies.hpp"
#include "base/crypto.hpp"
#include "base/deadline.hpp"
#include "db/log/database_file.hpp"
#include "db/log/wal.hpp"

#include <algorithm>

namespace backup {

void go_on_unless(const Stopped& stopped) {
    if (stopped && stopped()) throw base::Stopping();
}

namespace {

constexpr std::string_view sqlite = "sqlite";

std::string block(const Archive& archive, const Block& wanted) {
    const auto path = archive.block(wanted.sha256);
    auto bytes = contents(path);
    if (bytes.size() != wanted.bytes || base::sha256_hex(bytes) != wanted.sha256)
        throw Broken(path.string() + " is damaged");
    return bytes;
}

void join_blocks(const Archive& archive, const Base& base, const fs::path& database, const Stopped& stopped) {
    std::uint64_t offset = 0;
    write_at(database, 0, "");
    for (const auto& one : base.blocks) {
        go_on_unless(stopped);
        append(database, block(archive, one), offset);
        offset += one.bytes;
    }
}

// How much of each log is wanted, in order.
struct Part {
    std::uint64_t number = 0, end = 0;
};

struct Plan {
    std::vector<Part> parts;
    std::int64_t until = 0;
};

// Without a time also what was written after the last note of one.
Plan plan_of(const Archive& archive, const Base& base, std::optional<std::int64_t> at) {
    Plan plan{{}, base.ms};
    std::uint64_t next = 0;
    for (auto number : archive.numbers(base.ms)) {
        if (number != next++) throw Broken(archive.segment(base.ms, next - 1).string() + " is missing");
        std::uint64_t end = 0;
        bool over = false;
        for (const auto& point : archive.points(base.ms, number)) {
            const bool needed = number == base.least_number && point.end <= base.least_end;
            over = at && point.ms > *at && !needed;
            if (over) break;
            end = point.end;
            plan.until = std::max(plan.until, point.ms);
        }
        if (!at) end = fs::file_size(archive.segment(base.ms, number));
        if (end > 0) plan.parts.push_back({number, end});
        if (over) break;
    }
    return plan;
}

// Every frame is compared with its checksum here, and what SQLite then finds with what it should.
void replay(const Archive& archive, const Base& base, const Part& part, bool last, const fs::path& database) {
    const auto path = archive.segment(base.ms, part.number);
    auto bytes = contents(path);
    if (bytes.size() < part.end) throw Broken(path.string() + " is too short");
    bytes.resize(part.end);
    auto place = db::place_behind_header(bytes);
    if (!place) throw Broken(path.string() + " is damaged at its beginning");
    const auto passed =
        db::pass_transactions(*place, std::string_view(bytes).substr(db::log_header_bytes)).bytes;
    const bool torn = db::log_header_bytes + passed != bytes.size();
    // A write that broke off at the very end.
    const auto points = archive.points(base.ms, part.number);
    const bool noted = !points.empty() && points.back().end > place->offset;
    if (torn && (!last || noted))
        throw Broken(path.string() + " is damaged after " + std::to_string(place->offset) + " bytes");
    bytes.resize(place->offset);
    const auto frames = place->frames();
    if (frames == 0) return;
    write_at(database.string() + "-wal", 0, bytes);
    const auto found = db::fold_log(database);
    if (found != frames)
        throw Broken(
            path.string() + " holds " + std::to_string(frames) + " pages, of which SQLite took " +
            std::to_string(found)
        );
}

struct Choice {
    Base base;
    Plan plan;
    Words passed_over;
};

// The copy from which the latest moment is reached: a younger one may have been made aside.
Choice latest(
    const Archive& archive, const std::vector<std::int64_t>& bases, std::optional<std::int64_t> at
) {
    Choice best;
    std::optional<Broken> first;
    for (auto ms : bases) {
        try {
            auto base = archive.base(ms);
            auto plan = plan_of(archive, base, at);
            if (at && plan.until > *at) continue;  // it was not whole yet
            if (plan.until >= best.plan.until) best.base = std::move(base), best.plan = std::move(plan);
        } catch (const Broken& e) {
            best.passed_over.emplace_back(e.what());
            if (!first) first = e;
        }
    }
    if (best.base.ms != 0) return best;
    if (first) throw *first;
    throw Broken(
        archive.folder().string() + " holds nothing " + (at ? "that is as old as that" : "to restore")
    );
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
        } catch (const Broken&) {  // who brings it back or verifies it says so
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
                             return part.number == base.least_number && part.end >= base.least_end;
                         });
    if (!reached)
        throw Broken(
            archive.log_folder(base.ms).string() + " lacks the log without which its copy is not whole"
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
            archive.folder().string() +
            " is the backup of a SQLite database; restore it with --to into a folder, and bring that to "
            "PostgreSQL "
            "with dunlin migrate-to"
        );
    return join(archive, at, dump, stopped);
}

void restore_files(const Archive& archive, std::int64_t base, const fs::path& folder) {
    for (const auto& file : archive.base(base).files) {
        const auto path = archive.block(file.sha256);
        const auto bytes = contents(path);
        if (base::sha256_hex(bytes) != file.sha256) throw Broken(path.string() + " is damaged");
        if (!fs::exists(folder / file.name)) put(folder / file.name, bytes);
    }
}

RestoredMedia restore_media(const Archive& archive, std::int64_t at, const fs::path& folder) {
    RestoredMedia done;
    for (const auto& [name, entry] : read_media_list(archive)) {
        const auto from = archive.media() / name, to = folder / name;
        if ((entry.gone && entry.gone < at) || fs::exists(to)) continue;
        if (!fs::exists(from) || sha256_of(from) != entry.sha256) {
            done.faults.push_back(from.string() + " is missing or damaged");
            continue;
        }
        make_folder(to.parent_path());
        copy_whole(from, to);
        ++done.files;
    }
    return done;
}

}  // namespace backup

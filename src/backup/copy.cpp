// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/copy.hpp"

#include "backup/dump_copies.hpp"
#include "backup/verify.hpp"
#include "base/crypto.hpp"

#include <algorithm>
#include <chrono>

namespace backup {

namespace {

constexpr std::size_t block_bytes = 1 << 20;
constexpr std::size_t piece = 8 << 20;

bool holds(const fs::path& path, std::string_view bytes) {
    try {
        return contents(path) == bytes;
    } catch (const Broken&) {
        return false;
    }
}

}  // namespace

// What is there is believed by its size, unless something was found damaged.
void store_block(const Archive& archive, const std::string& hash, std::string_view bytes, bool doubted) {
    const auto path = archive.block(hash);
    std::error_code absent;
    const bool there = fs::file_size(path, absent) == bytes.size() && !absent;
    if (there && (!doubted || holds(path, bytes))) return;
    make_folder(path.parent_path());
    put(path, bytes, false);
}

bool is_doubted(const Archive& archive) {
    const auto last = last_verified(archive);
    return last.ms != 0 && !last.sound;
}

void add_files(const Archive& archive, const Source& source, Base& base, bool doubted) {
    for (const auto& path : source.files) {
        if (!fs::is_regular_file(path)) continue;
        const auto bytes = contents(path);
        const auto hash = base::sha256_hex(bytes);
        store_block(archive, hash, bytes, doubted);
        base.files.push_back({path.filename().string(), hash});
    }
    keep_all(archive.folder());
}

Base copy_blocks(
    const Archive& archive, const Source& source, const db::DatabaseFile& pinned,
    const std::function<void()>& between
) {
    Base base;
    const bool doubted = is_doubted(archive);
    for (std::uint64_t offset = 0;; offset += block_bytes) {
        const auto bytes = pinned.read(offset, block_bytes);
        if (bytes.empty()) break;
        auto hash = base::sha256_hex(bytes);
        store_block(archive, hash, bytes, doubted);
        base.blocks.push_back({std::move(hash), bytes.size()});
        between();
    }
    add_files(archive, source, base, doubted);
    return base;
}

// The times may be lost with the power, the log must not.
void LogWriter::write(std::uint64_t number, std::uint64_t offset, std::string_view bytes, std::int64_t ms) {
    make_folder(archive_.log_folder(base_));
    if (number != number_) lines_ = 0;
    write_at(archive_.segment(base_, number), offset, bytes);
    const auto line = line_of({offset + bytes.size(), ms});
    append(archive_.times(base_, number), line, lines_);
    lines_ += line.size();
    number_ = number;
    end_ = offset + bytes.size();
}

void LogWriter::resume(std::uint64_t number, std::uint64_t end) {
    std::string lines;
    for (const auto& point : archive_.points(base_, number))
        if (point.end <= end) lines += line_of(point);
    put(archive_.times(base_, number), lines);
    lines_ = lines.size();
    number_ = number;
    end_ = end;
}

Base take_base(const Archive& archive, const Source& source, std::int64_t now) {
    const auto begun = std::chrono::steady_clock::now();
    auto moment = [&] {
        const auto passed = std::chrono::steady_clock::now() - begun;
        return now + std::chrono::duration_cast<std::chrono::milliseconds>(passed).count();
    };
    archive.prepare();
    const Turn turn(archive.folder());
    db::DatabaseFile file(source.database);
    file.pin();
    auto base = copy_blocks(archive, source, file, [] {});
    base.ms = moment();
    LogWriter log(archive, base.ms);
    const auto header = file.read_log(0, db::log_header_bytes);
    if (auto place = db::place_behind_header(header)) {
        std::string bytes = header;
        for (auto most = piece;;) {
            const auto more = file.read_log(place->offset, most);
            const auto passed = db::pass_transactions(*place, more);
            bytes.append(more, 0, passed.bytes);
            if (passed.bytes == 0 && passed.goes_on && more.size() == most) {
                most *= 2;
                continue;
            }
            if (passed.bytes == 0) break;
        }
        log.write(0, 0, bytes, moment());
        base.least_end = log.end();
    }
    archive.write_manifest(source.manifest);
    archive.write_base(base);
    return base;
}

// From the last note of a time, as what stands before it had reached the disk. Nothing is worked out anew: a frame's
// checksum stands for all before it.
std::optional<Tail> tail_of(const Archive& archive, std::int64_t base) {
    const auto numbers = archive.numbers(base);
    if (numbers.empty()) return std::nullopt;
    const auto points = archive.points(base, numbers.back());
    const auto path = archive.segment(base, numbers.back());
    auto place = db::place_behind_header(part_of(path, 0, db::log_header_bytes));
    if (!place || points.empty()) return std::nullopt;
    const auto end = points.back().end;
    if (end == db::log_header_bytes) return Tail{numbers.back(), *place};
    const auto frame = part_of(path, end - place->frame_bytes(), db::frame_header_bytes);
    place = db::place_behind_frame(*place, frame, end);
    return place ? std::optional(Tail{numbers.back(), *place}) : std::nullopt;
}

}  // namespace backup

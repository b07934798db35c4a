// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/copy.hpp"

#include "backup/dump_copies.hpp"
#include "backup/neighbours.hpp"
#include "backup/verify.hpp"
#include "base/crypto.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace backup {

namespace {

constexpr std::size_t block_bytes = 1 << 20;
constexpr std::size_t most_at_once = 8 << 20;

}  // namespace

Blocks::Blocks(const Archive& archive)
    : archive_(archive), doubted_([&] {
          const auto last = last_verified(archive);
          return last.ms != 0 && !last.sound;
      }()) {
    for (auto& file : archive.target().list("blocks/"))
        there_[file.name.substr(file.name.rfind('/') + 1)] = file.bytes;
}

Blocks::~Blocks() = default;

void Blocks::store(const std::string& sha256, std::string_view bytes) {
    const auto known = there_.find(sha256);
    const bool believed = !doubted_ || sure_.contains(sha256);
    auto holds = [&] {
        try {
            return archive_.target().read(Archive::block(sha256)) == bytes;
        } catch (const Broken&) {
            return false;
        }
    };
    const bool there = known != there_.end() && known->second == bytes.size() && (believed || holds());
    sure_.insert(sha256);
    if (there) return;
    there_[sha256] = bytes.size();
    const auto name = Archive::block(sha256);
    if (archive_.target().lanes() == 1) return archive_.target().put(name, bytes, false);
    if (under_way_.size() >= archive_.target().lanes()) wait_for_oldest();
    under_way_.push_back(std::async(std::launch::async, [this, name, copied = std::string(bytes)] {
        archive_.target().put(name, copied, false);
    }));
}

void Blocks::wait_for_oldest() {
    auto oldest = std::move(under_way_.front());
    under_way_.pop_front();
    oldest.get();
}

void Blocks::add_files(const Source& source, Base& base, const std::function<void()>& between) {
    for (const auto& path : source.files) {
        if (!fs::is_regular_file(path)) continue;
        const auto bytes = contents(path);
        const auto hash = base::sha256_hex(bytes);
        store(hash, bytes);
        base.files.push_back({path.filename().string(), hash});
    }
    while (!under_way_.empty()) wait_for_oldest();
    // Existing blocks too: an aborted copy may have written them just now, without syncing.
    std::vector<std::string> names;
    const auto add = [&](const std::string& sha256) {
        if (kept_.insert(sha256).second) names.push_back(Archive::block(sha256));
    };
    for (const auto& block : base.blocks) add(block.sha256);
    for (const auto& file : base.files) add(file.sha256);
    // Sorted, so that those of one folder are synced together. If this fails, so does the copy.
    constexpr std::ptrdiff_t at_once = 256;
    std::ranges::sort(names);
    for (auto rest = names.begin(); rest != names.end(); between()) {
        const auto end = rest + std::min(at_once, names.end() - rest);
        archive_.target().keep({rest, end});
        rest = end;
    }
}

Base copy_blocks(
    Blocks& blocks, const Source& source, const db::DatabaseFile& file, const std::function<void()>& between
) {
    Base base;
    for (std::uint64_t offset = 0;; offset += block_bytes) {
        const auto bytes = file.read(offset, block_bytes);
        if (bytes.empty()) break;
        auto hash = base::sha256_hex(bytes);
        blocks.store(hash, bytes);
        base.blocks.push_back({std::move(hash), bytes.size()});
        between();
    }
    blocks.add_files(source, base, between);
    return base;
}

// A block that is written to while it is read gets a hash that no copy refers to. Skipped where the copy is
// fast and disturbs nobody, because reading everything twice would gain nothing.
void send_ahead(
    Blocks& blocks, const Source& source, const db::DatabaseFile& file, const std::function<void()>& between
) {
    using namespace std::chrono_literals;
    if (blocks.archive().target().lanes() > 1 || Neighbours(source.database).somebody_writes(1min))
        copy_blocks(blocks, source, file, between);
}

// Losing the times in a power cut is acceptable, losing the log is not.
void LogWriter::write(std::uint64_t number, std::uint64_t offset, std::string_view bytes, std::int64_t ms) {
    auto& target = archive_.target();
    const auto end = offset + bytes.size();
    if (target.grows()) {
        if (number != number_) lines_ = 0;
        target.write_at(Archive::segment(base_, number), offset, bytes);
        const auto line = line_of({end, ms});
        target.append(Archive::times(base_, number), lines_, line);
        lines_ += line.size();
    } else {
        const auto end_before = number != number_ && offset == 0 ? end_ : 0;
        target.put(Archive::piece(base_, number, offset, ms, end_before), bytes);
    }
    number_ = number;
    end_ = end;
}

void LogWriter::resume(const Log& log, std::uint64_t end) {
    number_ = log.number;
    end_ = end;
    if (!archive_.target().grows()) return;
    std::string lines;
    for (const auto& point : archive_.points(base_, log))
        if (point.end <= end) lines += line_of(point);
    archive_.target().put(Archive::times(base_, log.number), lines);
    lines_ = lines.size();
}

Base take_base(const Archive& archive, const Source& source, std::int64_t now) {
    const auto begun = std::chrono::steady_clock::now();
    auto moment = [&] {
        const auto passed = std::chrono::steady_clock::now() - begun;
        return now + std::chrono::duration_cast<std::chrono::milliseconds>(passed).count();
    };
    archive.begin(source.manifest);
    const auto turn = archive.target().hold();
    db::DatabaseFile file(source.database);
    Blocks blocks(archive);
    Neighbours neighbours(source.database);
    send_ahead(blocks, source, file, [&] {
        std::this_thread::sleep_for(neighbours.pause(Rests::long_ones));
    });
    file.pin();  // from now on the log grows
    auto base = copy_blocks(blocks, source, file, [&] {
        std::this_thread::sleep_for(neighbours.pause(Rests::short_ones));
    });
    base.ms = moment();
    LogWriter log(archive, base.ms);
    // Up to its current length, because others keep writing.
    const auto until = file.log_size();
    auto bytes = file.read_log(0, db::log_header_bytes);
    if (auto place = db::place_behind_header(bytes)) {
        std::uint64_t written = 0;
        const auto write = [&] {
            log.write(0, written, bytes, moment());
            written += bytes.size();
            bytes.clear();
        };
        for (auto most = most_at_once; place->offset < until;) {
            const auto more = file.read_log(place->offset, most);
            const auto passed = db::pass_transactions(*place, more);
            if (passed.bytes == 0 && passed.goes_on && more.size() == most) {
                most *= 2;
                continue;
            }
            if (passed.bytes == 0) break;
            bytes.append(more, 0, passed.bytes);
            write();
            most = most_at_once;
        }
        if (!bytes.empty()) write();
        base.least_end = log.end();
    }
    turn->require();
    archive.write_manifest(source.manifest);
    archive.write_base(base);
    return base;
}

// Starts from the last recorded time, because everything before it had reached the disk. Nothing is
// recomputed: a frame's checksum covers everything before it.
std::optional<db::LogPlace> end_of_log(const Archive& archive, std::int64_t base, const Log& log) {
    const auto points = archive.points(base, log);
    const auto& first = log.pieces.front();
    auto place = db::place_behind_header(archive.target().part(first.name, 0, db::log_header_bytes));
    if (first.offset != 0 || !place || points.empty()) return std::nullopt;
    const auto end = points.back().end;
    if (end > log.bytes()) return std::nullopt;
    if (end == db::log_header_bytes) return place;
    const auto start = end - place->frame_bytes();
    for (const auto& piece : log.pieces) {
        if (start < piece.offset || piece.offset + piece.bytes < end) continue;
        const auto frame = archive.target().part(piece.name, start - piece.offset, db::frame_header_bytes);
        return db::place_behind_frame(*place, frame, end);
    }
    return std::nullopt;
}

}  // namespace backup

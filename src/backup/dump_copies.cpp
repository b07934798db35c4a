// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/dump_copies.hpp"

#include "base/crypto.hpp"
#include "db/portable/target.hpp"

#include <chrono>

namespace backup {

namespace {

// Cuts rows into blocks at boundaries derived from the rows (content-defined chunking): a row that was added,
// removed or enlarged changes only its own block, and later blocks stay the same as in the previous copy.
class Cutter {
public:
    Cutter(Blocks& blocks, Base& base) : blocks_(blocks), base_(base) {}

    void add(std::string_view lines) {
        constexpr std::size_t least = 1 << 18, most = 4 << 20;
        constexpr std::uint64_t one_of = 1024;
        bytes_ += lines;
        const bool chosen = bytes_.size() >= least && hash(lines) % one_of == 0;
        if (chosen || bytes_.size() >= most) end();
    }
    void end() {
        if (bytes_.empty()) return;
        auto hash = base::sha256_hex(bytes_);
        blocks_.store(hash, bytes_);
        base_.blocks.push_back({std::move(hash), bytes_.size()});
        bytes_.clear();
    }

private:
    // FNV-1a, which must stay the same in all future versions.
    static std::uint64_t hash(std::string_view text) {
        std::uint64_t value = 14695981039346656037u;
        for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
        return value >> 20;
    }

    Blocks& blocks_;
    Base& base_;
    std::string bytes_;
};

}  // namespace

Base take_dump(
    const Archive& archive, const Source& source, const db::Options& database, std::int64_t now,
    const db::portable::Progress& progress
) {
    archive.begin(source.manifest);
    const auto turn = archive.target().hold();
    auto store = db::portable::open_store(database, db::Mode::read);
    store->look_anew();
    Base base;
    base.ms = now;
    Blocks blocks(archive);
    Cutter cutter(blocks, base);
    db::portable::write_dump(*store, [&](std::string_view lines) { cutter.add(lines); }, progress);
    cutter.end();
    store.reset();  // ends the snapshot, so that the server need not keep old rows for it
    blocks.add_files(source, base, [] {});
    turn->require();
    archive.write_manifest(source.manifest);
    archive.write_base(base);
    return base;
}

void load_dump(
    const fs::path& dump, const db::Options& database, const db::portable::Progress& progress,
    std::string_view with_it
) {
    constexpr std::size_t most = 1 << 20;
    std::string bytes;
    std::uint64_t offset = 0;
    db::portable::DumpReader reader([&]() -> std::string_view {
        bytes = part_of(dump, offset, most);
        offset += bytes.size();
        return bytes;
    });
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch()
    );
    db::portable::load_dump(reader, database, {now.count()}, progress, with_it);
}

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
// A database that somebody writes to while a backup of it is kept, wherever that is.
#pragma once
#include <gmock/gmock.h>
#include <unistd.h>

#include "backup/keeper.hpp"
#include "db/engine_fixture.hpp"

#include <thread>

namespace backup_stage {

namespace fs = std::filesystem;
using backup::Archive;
using namespace std::chrono_literals;

inline std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch()
    )
        .count();
}

template <class F>
bool soon(F&& f) {
    for (const auto end = std::chrono::steady_clock::now() + 20s; std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(5ms))
        if (f()) return true;
    return false;
}

// A folder that tells what is written to it before it is, and what was removed.
class Watched final : public backup::Target {
public:
    using Look = std::function<void(const std::string& name)>;
    Watched(const fs::path& folder, Look look, Look kept, Look removed = {})
        : real_(backup::folder_target(folder)),
          look_(std::move(look)),
          kept_(std::move(kept)),
          removed_(std::move(removed)) {}

    std::string where() const override { return real_->where(); }
    std::optional<std::uint64_t> size(const std::string& name) override { return real_->size(name); }
    std::vector<backup::Stored> list(const std::string& folder) override { return real_->list(folder); }
    std::string read(const std::string& name) override { return real_->read(name); }
    std::string part(const std::string& name, std::uint64_t offset, std::size_t bytes) override {
        return real_->part(name, offset, bytes);
    }
    void fetch(const std::string& name, const fs::path& to) override { real_->fetch(name, to); }
    std::string sha256(const std::string& name) override { return real_->sha256(name); }
    void put(const std::string& name, std::string_view bytes, bool keep) override {
        look_(name);
        real_->put(name, bytes, keep);
    }
    void put_file(const std::string& name, const fs::path& from) override { real_->put_file(name, from); }
    void remove(const std::string& name) override {
        real_->remove(name);
        if (removed_) removed_(name);
    }
    void keep(const std::vector<std::string>& names) override {
        real_->keep(names);
        for (const auto& name : names) kept_(name);
    }
    void prepare() override { real_->prepare(); }
    std::unique_ptr<backup::Hold> hold(backup::Turn turn) override { return real_->hold(turn); }
    bool grows() const override { return true; }
    std::unique_ptr<backup::Hold> hold_list() override { return real_->hold_list(); }
    void write_at(const std::string& name, std::uint64_t offset, std::string_view bytes) override {
        look_(name);
        real_->write_at(name, offset, bytes);
    }
    void append(const std::string& name, std::uint64_t offset, std::string_view bytes) override {
        real_->append(name, offset, bytes);
    }

private:
    const std::shared_ptr<backup::Target> real_;
    const Look look_, kept_, removed_;
};

struct Kept : EngineFixture {
    explicit Kept(const std::string& name) {
        database.options.checkpoint_every = 20ms;
        database.options.log_pages = 50;
        folder = database.options.sqlite_file.parent_path() / (name + "-" + std::to_string(::getpid()));
        fs::remove_all(folder);
        fs::create_directories(folder / "media");
        options.source.database = database.options.sqlite_file;
        options.source.media = folder / "media";
        options.source.manifest = {1, "test", "0001_test", "sqlite", "http://backup.example"};
        options.scratch = folder / "scratch";
        options.keep = {{3'600'000, 0}};
        options.verify_every = 0ms;
        options.pace = 10ms;
        options.clock = now;
    }
    ~Kept() override {
        stop();
        fs::remove_all(folder);
    }

    virtual std::shared_ptr<backup::Target> place() const = 0;  // one that nobody has stopped
    Archive archive() const { return Archive(place()); }

    // Also again, after a stop.
    void start_with_backup(std::uint64_t most_waiting = 64 << 20) {
        options.target = place();
        follower = std::make_shared<db::LogFollower>(database.options.sqlite_file, most_waiting);
        database.options.follower = follower;
        start();
        keeper.emplace(options, follower).start();
        database.options.prepare = {};
    }
    void stop() {
        engine.reset();
        keeper.reset();
        follower.reset();
        database.options.follower.reset();
    }
    bool has_base() {
        return soon([&] { return keeper->figures().base > 0; });
    }
    void add(std::int64_t id) {
        write([id](db::Write& db) { db.run(numbers::insert, id, id); });
    }
    // Until what is committed now was brought away.
    bool brought() {
        const auto then = now();
        return soon([&] { return keeper->figures().log > then + 20; });
    }
    std::vector<std::int64_t> restored(std::optional<std::int64_t> at = std::nullopt) {
        const auto copy = folder / "copy";
        fs::remove_all(copy);
        fs::create_directories(copy);
        backup::restore_database(archive(), at, copy / "dunlin.db");
        EXPECT_THAT(db::faults_in(copy / "dunlin.db"), testing::IsEmpty());
        std::vector<std::int64_t> ids;
        for (const auto& line : db::lines_of(copy / "dunlin.db", "SELECT id FROM numbers ORDER BY id"))
            ids.push_back(std::stoll(line));
        return ids;
    }
    std::vector<std::int64_t> up_to(std::int64_t last) {
        std::vector<std::int64_t> all;
        for (std::int64_t id = 1; id <= last; ++id) all.push_back(id);
        return all;
    }
    backup::Verified verified() { return backup::verify(archive(), {{}, options.scratch, 200, {}}, now()); }

    fs::path folder;
    backup::KeeperOptions options;
    std::shared_ptr<db::LogFollower> follower;
    std::optional<backup::Keeper> keeper;
};

}  // namespace backup_stage

// SPDX-License-Identifier: AGPL-3.0-or-later
// Keeps a backup of a PostgreSQL database beside the running server: a thread that looks whether a copy is due and, where
// no other node is at it, makes one, prunes, and now and then verifies what it made. It reads one snapshot and holds up nobody.
#pragma once
#include "backup/dump_turn.hpp"
#include "backup/keeper.hpp"
#include "db/engine.hpp"
#include "db/options.hpp"

namespace backup {

class DumpKeeper {
public:
    // `node`: by which name it takes its turn, unlike that of every other one.
    DumpKeeper(KeeperOptions, db::Options database, db::Engine&, std::string node);
    ~DumpKeeper();
    void start();
    void stop();  // a copy that is under way is left, and begun anew by whoever comes next

    Keeper::Figures figures() const;

private:
    void work();
    bool look();
    void take_turn_and_make();
    void make();
    void verify_if_due(std::int64_t now);
    bool ending();  // the server, or this node's turn
    std::int64_t every_seconds() const;
    bool pause(std::chrono::milliseconds);
    void change(const char* name, const std::function<void(db::Write&)>&);

    const KeeperOptions options_;
    const db::Options database_;
    db::Engine& engine_;
    const std::string node_;
    const Archive archive_;
    std::chrono::steady_clock::time_point renewed_at_{}, tried_at_{};  // the lease
    bool lost_turn_ = false;

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    Keeper::Figures figures_;
    std::thread thread_;
};

}  // namespace backup

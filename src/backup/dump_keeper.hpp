// SPDX-License-Identifier: AGPL-3.0-or-later
// Backs up a PostgreSQL database beside the running server. A thread checks whether a copy is due and, if no
// other node is making one, makes it, prunes, and now and then verifies it. It reads a snapshot and blocks
// nobody.
#pragma once
#include "backup/dump_turn.hpp"
#include "backup/keeper.hpp"
#include "db/engine.hpp"
#include "db/options.hpp"

namespace backup {

class DumpKeeper {
public:
    // `node`: the unique name under which this node takes its turn.
    DumpKeeper(KeeperOptions, db::Options database, db::Engine&, std::string node);
    ~DumpKeeper();
    void start();
    void stop();  // a copy in progress is abandoned; the next node or start begins again

    Keeper::Figures figures() const;

private:
    void work();
    bool look();
    void take_turn_and_make();
    void make();
    void verify_if_due(std::int64_t now);
    bool ending();  // the server, or this node's turn, is ending
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

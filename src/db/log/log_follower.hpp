// SPDX-License-Identifier: AGPL-3.0-or-later
// Makes sure that SQLite's log is not overwritten before it has been backed up (docs/decisions/0027). The
// checkpoint thread calls advance(), another thread fetches what was committed. Two alternating read
// transactions, the pins, limit every checkpoint, including those of other programs: the older pin stays
// until everything before the younger one has been backed up.
#pragma once
#include "db/log/database_file.hpp"
#include "db/log/wal.hpp"

#include <mutex>
#include <optional>

namespace db {

// Consists of whole transactions.
struct LogPiece {
    std::uint64_t number = 0;  // number of the log: 0 is the one in which following began
    std::uint64_t offset = 0;  // in that log; a piece at offset 0 begins with the log's header
    std::string bytes;
    LogPlace after;
};

class LogFollower {
public:
    // `most_waiting`: gives up following when more bytes than this wait in the log to be backed up.
    LogFollower(std::filesystem::path database, std::uint64_t most_waiting);

    // ---- for the checkpoint thread ----
    void start();  // call before anything moves the log
    void advance(std::uint64_t pages_in_log);
    // Whether the log may restart: nothing waits to be backed up.
    bool restartable() const;
    // Called around checkpoints that allow the log to restart, while our writer is blocked. release() reads
    // the rest of the log and releases the pins; between the two calls, has() says whether all of that many
    // frames were read.
    void release();
    bool has(std::uint64_t frames);
    void resume(std::uint64_t frames);

    // ---- for the thread that backs up ----
    // Set around a full copy. Its own pin holds up the log anyway, so following is not given up meanwhile,
    // and the writer does not wait for a log that cannot restart.
    void copying(bool);
    enum class State { starting, following, lost };
    State state() const;
    // Continues where an earlier run ended, if the log is unchanged up to there.
    bool join(const LogPlace&, std::uint64_t number);
    // Call when there is no log to continue: nothing is held up until follow_anew().
    void let_go();
    // Starts over with the current log as number 0. The caller holds a pin of its own that is older than its
    // copy of the file.
    struct Standing {
        LogPlace place;
        std::uint64_t number = 0;
        bool behind = false;
        std::vector<LogPiece> pieces;
    };
    Standing follow_anew();
    // Returns to the state before follow_anew(), under the same pin. False when it was lost.
    bool go_back(Standing);
    std::uint64_t asked() const;
    void brought(std::uint64_t asked_before);
    std::optional<LogPiece> next();  // nullopt: everything has been fetched

private:
    bool collect();
    bool find_log();
    bool still_there() const;
    bool is_whole_up_to(const LogPlace&, LogPlace at) const;
    void lose(const char* why);
    std::uint64_t bytes_waiting(std::uint64_t pages_in_log) const;
    std::uint64_t page_bytes() const { return place_.page_bytes ? place_.page_bytes : 4096; }

    const std::filesystem::path path_;
    const std::uint64_t most_waiting_;
    mutable std::mutex mutex_;
    std::unique_ptr<DatabaseFile> older_, younger_;
    State state_ = State::starting;
    bool copying_ = false;
    LogPlace place_;
    // Following began in the middle of this log and has not reached its end yet. Once all of that log has
    // been moved into the file, a pin does not keep it from restarting.
    bool behind_ = false;
    std::uint64_t number_ = 0;
    std::vector<LogPiece> pieces_;
    std::uint64_t asked_ = 0, brought_ = 0;
};

}  // namespace db

// SPDX-License-Identifier: AGPL-3.0-or-later
// Sees to it that SQLite's log is not written over before it was brought away (docs/decisions/0027). The checkpoint thread
// moves it on, another thread takes what was committed. Two read transactions by turns, the pins, bound every
// checkpoint, also those of other programs: the older stands until everything before the younger was brought away.
#pragma once
#include "db/log/database_file.hpp"
#include "db/log/wal.hpp"

#include <mutex>
#include <optional>

namespace db {

// Whole transactions.
struct LogPiece {
    std::uint64_t number = 0;  // of the log: 0 is the one in which following began
    std::uint64_t offset = 0;  // in that log; a piece at 0 begins with its header
    std::string bytes;
    LogPlace after;
};

class LogFollower {
public:
    // `most_waiting`: with more bytes in the log than these, of which some are not brought away, it is given up.
    LogFollower(std::filesystem::path database, std::uint64_t most_waiting);

    // ---- for the checkpoint thread ----
    void start();  // before anything moves the log
    void advance(std::uint64_t pages_in_log);
    // Whether the log may begin anew: nothing waits.
    bool restartable() const;
    // Around checkpoints that let it begin anew, while our writer waits: reads what is left and lets go. Between the two
    // `has` says whether all of so many frames were read.
    void release();
    bool has(std::uint64_t frames);
    void resume(std::uint64_t frames);

    // ---- for who brings it away ----
    // Around a whole copy, whose own pin stands as long and holds up the log anyway: nothing is given up for that, and the
    // writer does not wait for a log that cannot begin anew.
    void copying(bool);
    enum class State { starting, following, lost };
    State state() const;
    // Goes on where an earlier run ended, if the log is still the same up to there.
    bool join(const LogPlace&, std::uint64_t number);
    // There is no log that it could go on with: nothing is held up until it follows anew.
    void let_go();
    // Begins with the log as it stands, as number 0. The caller holds a pin of its own, older than what it has of the file.
    struct Standing {
        LogPlace place;
        std::uint64_t number = 0;
        bool behind = false;
        std::vector<LogPiece> pieces;
    };
    Standing follow_anew();
    // To where it stood, under the same pin. False when it is lost.
    bool go_back(Standing);
    std::uint64_t asked() const;
    void brought(std::uint64_t asked_before);
    std::optional<LogPiece> next();  // nothing: all was taken

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
    // Following began in the middle of this log, and its end was not reached yet. When all of it has been moved, a pin does
    // not keep it from beginning anew.
    bool behind_ = false;
    std::uint64_t number_ = 0;
    std::vector<LogPiece> pieces_;
    std::uint64_t asked_ = 0, brought_ = 0;
};

}  // namespace db

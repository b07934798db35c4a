// SPDX-License-Identifier: AGPL-3.0-or-later
// Keeps a backup beside the running server: a thread that brings the log away as it grows and now and then a whole copy,
// and one that copies uploaded files, prunes and verifies. A target that is away holds up nobody but these two.
#pragma once
#include "backup/copy.hpp"
#include "backup/media_copies.hpp"
#include "backup/neighbours.hpp"
#include "backup/prune.hpp"
#include "backup/verify.hpp"
#include "db/log/log_follower.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace backup {

struct KeeperOptions {
    Source source;
    std::shared_ptr<Target> target;
    fs::path scratch;  // for verifying
    fs::path known;    // a file that names the folder once a backup is in it; empty: nobody wants to know
    std::vector<KeepRule> keep;
    std::chrono::milliseconds base_every{std::chrono::hours(24)};
    std::chrono::milliseconds verify_every{std::chrono::hours(24 * 7)};  // 0: never
    std::chrono::milliseconds pace{250};
    // Where each piece of the log costs a request, it waits so long for more of it, unless it is large; and who else did
    // something there is looked for no more often than this.
    std::chrono::milliseconds hold_back{0}, look_every{0};
    std::function<std::int64_t()> clock;  // ms
    MediaCopies::Unwanted unwanted = [](const std::string&) { return false; };
    MediaCopies::Removed removed = {};
    std::function<Words(const fs::path&)> judge;
};

class Keeper {
public:
    Keeper(KeeperOptions, std::shared_ptr<db::LogFollower>);
    ~Keeper();
    void start();
    void stop();  // brings away what is left, if that is possible at once

    struct Figures {
        std::int64_t base = 0, log = 0, verified = 0;  // when, in ms; 0: not yet, or there is none
        std::int64_t every = 0;                        // ms between two whole copies
        bool sound = true, away = false;
        std::int64_t since = 0;  // when this server began to keep it, in ms
        std::string failure;     // what the last copy failed at, or what it is without
    };
    Figures figures() const;

private:
    void follow();
    void look_after();
    void end();
    void contact();
    void require_turn();
    bool go_on_with(std::int64_t base);  // false: its log is not the one that there is
    void take_base();
    using Work = std::function<void(const std::function<void()>& between)>;
    void beside(Rests, const Work&);  // by a thread of its own, while this one brings the log away
    enum class Wait { no, some };
    struct Followed {
        LogWriter writer;
        std::deque<db::LogPiece> pieces;
        std::uint64_t since_base;
    };
    void bring(Wait);
    bool gather();
    bool follows() const;  // the log, for a whole copy
    bool look_is_due();
    bool base_is_due() const;
    void on_failure(const char* what, const std::string& why);
    bool pause(std::chrono::milliseconds);  // false: it ends
    bool stopping() const;

    const KeeperOptions options_;
    const std::shared_ptr<db::LogFollower> follower_;
    const Archive archive_;
    std::unique_ptr<Hold> keeping_;    // for as long as it follows
    std::optional<LogWriter> writer_;  // into the copy that is followed
    std::deque<db::LogPiece> pieces_;  // that are not written yet
    bool whole_ = false;               // the copy that is followed
    std::chrono::steady_clock::time_point brought_at_{}, looked_at_{};
    std::uint64_t since_base_ = 0, base_bytes_ = 0;
    bool contacted_ = false;
    std::atomic<std::int64_t> since_ = 0, base_at_ = 0, log_at_ = 0, verified_at_ = 0;
    std::atomic<bool> sound_ = true, away_ = false;

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    int ended_ = 0;  // of the two threads
    std::thread following_, looking_after_;
};

}  // namespace backup

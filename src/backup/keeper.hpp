// SPDX-License-Identifier: AGPL-3.0-or-later
// Backs up a SQLite database beside the running server: one thread ships the log as it grows and makes a full
// copy now and then; the other copies uploaded files, prunes and verifies. An unavailable target blocks only
// these two.
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
    fs::path known;    // a local file that records the folder once it holds a backup; empty: not used
    std::vector<KeepRule> keep;
    std::chrono::milliseconds base_every{std::chrono::hours(24)};
    std::chrono::milliseconds verify_every{std::chrono::hours(24 * 7)};  // 0: never
    std::chrono::milliseconds pace{250};
    // Where each piece of the log costs a request: how long to wait for more before sending a small piece;
    // and how often, at most, to look for changes that others made there.
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
    void stop();  // ships the rest of the log, if that is possible quickly

    struct Figures {
        std::int64_t base = 0, log = 0, verified = 0;  // times in ms; 0: never
        std::int64_t every = 0;                        // ms between full copies
        bool sound = true, away = false;
        std::int64_t since = 0;  // when this server started backing up, in ms
        std::string failure;     // why the last copy failed, or what is missing from it
    };
    Figures figures() const;

private:
    class Care;
    void follow();
    void look_after();
    void end();
    void contact();
    bool go_on_with(std::int64_t base);  // false: its log does not match the current one
    void take_base();
    using Work = std::function<void(const std::function<void()>& between)>;
    void beside(Rests, const Work&);  // on a separate thread, while this one keeps shipping the log
    enum class Wait { no, some };
    struct Followed {
        LogWriter writer;
        std::deque<db::LogPiece> pieces;
        std::uint64_t since_base;
    };
    void bring(Wait);
    bool gather();
    bool follows() const;  // the log, for a complete full copy
    bool look_is_due();
    bool base_is_due() const;
    void on_failure(const char* what, const std::string& why);
    bool pause(std::chrono::milliseconds);  // false: the keeper is stopping
    bool stopping() const;

    const KeeperOptions options_;
    const std::shared_ptr<db::LogFollower> follower_;
    const Archive archive_;
    std::optional<LogWriter> writer_;  // writes to the copy that is being followed
    std::deque<db::LogPiece> pieces_;  // not written yet
    bool whole_ = false;               // that copy is complete
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

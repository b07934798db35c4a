// SPDX-License-Identifier: AGPL-3.0-or-later
// Keeps a backup beside the running server: a thread that brings the log away as it grows and now and then a whole copy,
// and one that copies uploaded files, prunes and verifies. A target that is away holds up nobody but these two.
#pragma once
#include "backup/copy.hpp"
#include "backup/media_copies.hpp"
#include "backup/prune.hpp"
#include "backup/verify.hpp"
#include "db/log/log_follower.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace backup {

struct KeeperOptions {
    Source source;
    fs::path target;
    fs::path scratch;  // for verifying
    fs::path known;    // a file that names the folder once a backup is in it; empty: nobody wants to know
    std::vector<KeepRule> keep;
    std::chrono::milliseconds base_every{std::chrono::hours(24)};
    std::chrono::milliseconds verify_every{std::chrono::hours(24 * 7)};  // 0: never
    std::chrono::milliseconds pace{250};
    std::function<std::int64_t()> clock;  // ms
    MediaCopies::Unwanted unwanted = [](const std::string&) { return false; };
    MediaCopies::Removed removed = {};
    std::function<Words(const fs::path&)> judge;
};

void be_nice();  // the thread that calls it

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
    void contact();
    bool go_on_with(std::int64_t base);  // false: its log is not the one that there is
    void take_base();
    void bring();
    bool base_is_due() const;
    void on_failure(const char* what, const std::string& why);
    bool pause(std::chrono::milliseconds);  // false: it ends
    bool stopping() const;

    const KeeperOptions options_;
    const std::shared_ptr<db::LogFollower> follower_;
    const Archive archive_;
    std::optional<LogWriter> writer_;    // into the copy that is followed
    std::optional<db::LogPiece> piece_;  // that is not written yet
    std::uint64_t since_base_ = 0, base_bytes_ = 0;
    bool contacted_ = false;
    std::atomic<std::int64_t> since_ = 0, base_at_ = 0, log_at_ = 0, verified_at_ = 0;
    std::atomic<bool> sound_ = true, away_ = false;

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    std::thread following_, looking_after_;
};

}  // namespace backup

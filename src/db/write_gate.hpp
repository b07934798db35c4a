// SPDX-License-Identifier: AGPL-3.0-or-later
// Decides whether changes are made. Every change of the server goes through an engine, and every engine
// checks this gate: while the database is being copied elsewhere nothing is written at all, and on a full
// disk only what frees space (docs/decisions/0050-read-only.md). All other changes end with ReadOnly before
// anything of them is done.
#pragma once
#include "db/engine.hpp"
#include "db/options.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace db {

// No changes are made at the moment, and nothing of this one was done: 503 with Retry-After.
struct ReadOnly : base::Unavailable {
    ReadOnly(const std::string& sentence, int seconds) : Unavailable(sentence), retry_after(seconds) {}
    int retry_after;
};

// The disk that the database writes to is full, or its quota is used up.
struct DiskFull : Outage {
    using Outage::Outage;
};

// Sets a thread-local flag for as long as it lives, which applies to everything this thread requests.
template <class Which>
class OfThread {
public:
    explicit OfThread(bool is = true) : before_(here_) { here_ = is; }
    ~OfThread() { here_ = before_; }
    OfThread(const OfThread&) = delete;

    static bool here() { return here_; }

private:
    const bool before_;
    static inline thread_local bool here_ = false;
};

// The change frees space, so it is made even on a full disk.
using MakingRoom = OfThread<struct MakesRoom>;

// The changes are made again if they are lost, and duplicates do no harm: on SQLite their commits do not wait
// for the disk. They are synced with the next change of others, or half a second later. Only a crash of the
// machine before that loses them, and always together with everything committed after them.
using Repeatable = OfThread<struct IsRepeatable>;

class WriteGate {
public:
    // Blocks all changes until open(). The sentence is shown to everybody; empty: a default one.
    void close(std::string sentence) {
        const std::lock_guard lock(mutex_);
        sentence_ = sentence.empty() ? closed_sentence : std::move(sentence);
        closed_ = true;
    }
    void open() { closed_ = false; }
    // Waits until no change is running. Returns false if one still is.
    bool wait_until_still(std::chrono::milliseconds most) {
        std::unique_lock lock(mutex_);
        return left_.wait_for(lock, most, [this] { return inside_ == 0; });
    }

    // Allows only changes that free space, until empty() is called.
    void fill() { full_ = true; }
    void empty() { full_ = false; }

    bool is_closed() const { return closed_; }
    bool is_full() const { return full_; }
    // Why a change is not made now; nullopt if it is.
    std::optional<ReadOnly> refusal(bool makes_room) const {
        if (closed_) {
            const std::lock_guard lock(mutex_);
            return ReadOnly(sentence_, closed_for_seconds);
        }
        if (full_ && !makes_room) return ReadOnly(full_sentence, full_for_seconds);
        return std::nullopt;
    }

    // Held around one or several changes until their commit has ended; call refusal() while holding it.
    class Passage {
    public:
        explicit Passage(WriteGate* gate) : gate_(gate) {
            if (gate_) ++gate_->inside_;
        }
        ~Passage() {
            if (!gate_ || --gate_->inside_ != 0 || !gate_->closed_) return;
            const std::lock_guard lock(gate_->mutex_);
            gate_->left_.notify_all();
        }
        Passage(const Passage&) = delete;

    private:
        WriteGate* const gate_;
    };

private:
    static constexpr const char* closed_sentence =
        "This server is read-only at the moment, please try again later";
    static constexpr const char* full_sentence =
        "This server has no room left and takes nothing new at the moment, please try again later";
    // Clients should retry; room returns once somebody has deleted something.
    static constexpr int closed_for_seconds = 30, full_for_seconds = 60;

    std::atomic<bool> closed_ = false, full_ = false;
    std::atomic<int> inside_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable left_;
    std::string sentence_;
};

// Like the one in open.hpp; its changes go through the gate.
std::unique_ptr<RunningEngine> open_engine(Options, std::shared_ptr<WriteGate>);

}  // namespace db

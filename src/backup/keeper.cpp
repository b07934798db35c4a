// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/keeper.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <future>
#include <ranges>

namespace backup {

namespace {

using namespace std::chrono_literals;
constexpr std::chrono::milliseconds media_every = 30s;
constexpr std::chrono::milliseconds longest_pause = 30s;
// A full copy is made once the log exceeds a third of it, so that restoring stays fast.
constexpr std::uint64_t log_share = 3, least_log = 256 << 20;
// How long to wait after a verification that failed for lack of space: every attempt looks at all copies.
constexpr std::int64_t again_in_ms = 3'600'000;
// The most log to hold in memory, and the size from which a piece is sent without waiting for more.
constexpr std::size_t most_gathered = 8 << 20, large = 1 << 20;
// The time limit for shipping the rest of the log at shutdown.
constexpr std::chrono::milliseconds stop_patience = 3s;

class Copying {
public:
    explicit Copying(db::LogFollower& follower) : follower_(follower) { follower_.copying(true); }
    ~Copying() { follower_.copying(false); }
    Copying(const Copying&) = delete;

private:
    db::LogFollower& follower_;
};

}  // namespace

Keeper::Keeper(KeeperOptions options, std::shared_ptr<db::LogFollower> follower)
    : options_(std::move(options)), follower_(std::move(follower)), archive_(options_.target) {}

Keeper::~Keeper() { stop(); }

void Keeper::start() {
    since_ = options_.clock();
    following_ = std::thread([this] { follow(), end(); });
    looking_after_ = std::thread([this] { look_after(), end(); });
}

void Keeper::end() {
    const std::lock_guard lock(mutex_);
    ++ended_;
    wake_.notify_all();
}

void Keeper::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    if (following_.joinable()) {
        std::unique_lock lock(mutex_);
        if (!wake_.wait_for(lock, stop_patience, [this] { return ended_ == 2; })) archive_.target().stop();
    }
    if (following_.joinable()) following_.join();
    if (looking_after_.joinable()) looking_after_.join();
}

Keeper::Figures Keeper::figures() const {
    return {base_at_, log_at_, verified_at_, options_.base_every.count(), sound_, away_, since_, {}};
}

bool Keeper::stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

bool Keeper::pause(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return !wake_.wait_for(lock, time, [this] { return stopping_; });
}

// Logs once per outage.
void Keeper::on_failure(const char* what, const std::string& why) {
    if (!away_.exchange(true))
        base::log_error(
            what, {{"cause", why}, {"do", "see that backup_to can be written; it is tried again"}}
        );
}

// Continues a backup of an earlier run if nothing is missing between it and the current log.
void Keeper::contact() {
    mend_manifest(archive_, options_.source.manifest, options_.known);
    archive_.begin(options_.source.manifest);
    require_own(archive_, options_.source.manifest);
    if (archive_.exists()) remember(archive_, options_.known);
    const auto bases = archive_.bases();
    if (!bases.empty()) base_at_ = bases.back();
    log_at_ = end_of(archive_);
    for (auto ms : bases | std::views::reverse) {
        try {
            if (go_on_with(ms)) break;
        } catch (const Broken& e) {
            base::log_warning("a whole copy of the backup is not gone on with", {{"cause", e.what()}});
        }
    }
    contacted_ = true;
}

bool Keeper::go_on_with(std::int64_t ms) {
    const auto bytes = archive_.base(ms).bytes();
    const auto logs = archive_.logs(ms);
    const auto end = logs.empty() ? std::nullopt : end_of_log(archive_, ms, logs.back());
    if (!end || !follower_->join(*end, logs.back().number)) return false;
    LogWriter writer(archive_, ms);
    writer.resume(logs.back(), end->offset);
    writer_.emplace(writer);
    whole_ = true;
    base_bytes_ = bytes;
    for (const auto& log : logs) since_base_ += log.bytes();
    return true;
}

bool Keeper::base_is_due() const {
    if (!follows()) return true;
    if (!sound_ && verified_at_ > writer_->base()) return true;  // a new copy repairs what it can
    return options_.clock() - writer_->base() >= options_.base_every.count() ||
           since_base_ > std::max(base_bytes_ / log_share, least_log);
}

bool Keeper::look_is_due() {
    const auto now = std::chrono::steady_clock::now();
    if (looked_at_ != std::chrono::steady_clock::time_point() && now - looked_at_ < options_.look_every)
        return false;
    looked_at_ = now;
    return true;
}

void Keeper::beside(Rests rests, const Work& work) {
    std::atomic<bool> breaks_off = false;
    auto done = std::async(std::launch::async, [&] {
        be_nice();
        Neighbours neighbours(options_.source.database);
        work([&] {
            if (breaks_off || !pause(neighbours.pause(rests))) throw Away("the server stops");
        });
    });
    try {
        while (done.wait_for(options_.pace) != std::future_status::ready)
            if (follows()) bring(Wait::some);
    } catch (...) {
        breaks_off = true;
        done.wait();
        throw;
    }
    done.get();
}

// Meanwhile the log is still shipped to the previous copy; the new one starts with the log as it is at the
// end.
void Keeper::take_base() {
    const auto turn = archive_.target().hold();
    follower_->let_go();
    db::DatabaseFile file(options_.source.database);
    Blocks blocks(archive_);
    beside(Rests::long_ones, [&](const auto& between) {
        send_ahead(blocks, options_.source, file, between);
    });
    const Copying copying(*follower_);
    file.pin();
    Base base;
    // Little is left to copy, and the new copy's log grows from here on.
    beside(Rests::short_ones, [&](const auto& between) {
        base = copy_blocks(blocks, options_.source, file, between);
    });
    base.ms = std::max(options_.clock(), base_at_ + 1);
    auto older = follows() ? std::optional(Followed{*writer_, pieces_, since_base_}) : std::nullopt;
    auto standing = follower_->follow_anew();
    pieces_.clear();
    writer_.emplace(archive_, base.ms);
    whole_ = false;
    since_base_ = 0;
    try {
        bring(Wait::no);
        // Without its complete log, the copy would mix states of different moments.
        if (follower_->state() != db::LogFollower::State::following)
            throw Away("The log of the database was lost while it was copied");
        base.least_number = writer_->number();
        base.least_end = writer_->end();
        turn->require();
        archive_.write_manifest(options_.source.manifest);
        archive_.write_base(base);
    } catch (...) {
        // The copy was not finished, so nothing may be appended to its log: continue the log of the previous
        // copy.
        if (older && follower_->go_back(std::move(standing))) {
            writer_.emplace(older->writer);
            pieces_ = std::move(older->pieces);
            since_base_ = older->since_base;
            whole_ = true;
        }
        throw;
    }
    whole_ = true;
    base_bytes_ = base.bytes();
    remember(archive_, options_.known);
    base_at_ = base.ms;
}

// Merges adjacent pieces. Returns whether that was everything.
bool Keeper::gather() {
    std::size_t bytes = 0;
    for (const auto& piece : pieces_) bytes += piece.bytes.size();
    while (bytes < most_gathered) {
        auto more = follower_->next();
        if (!more) return true;
        bytes += more->bytes.size();
        if (!pieces_.empty() && pieces_.back().number == more->number &&
            pieces_.back().offset + pieces_.back().bytes.size() == more->offset) {
            pieces_.back().bytes += more->bytes;
            pieces_.back().after = more->after;
        } else pieces_.push_back(std::move(*more));
    }
    return false;
}

// What is committed while this writes is left for the next time: on a slow target there would always be more.
void Keeper::bring(Wait wait) {
    for (;;) {
        const auto asked = follower_->asked();
        const auto now = options_.clock();
        const bool all = gather();
        const bool few = pieces_.size() == 1 && pieces_.front().bytes.size() < large;
        const auto since = std::chrono::steady_clock::now() - brought_at_;
        if (wait == Wait::some && few && since < options_.hold_back) return;
        while (!pieces_.empty()) {
            const auto& piece = pieces_.front();
            // All of it was committed before now.
            writer_->write(piece.number, piece.offset, piece.bytes, options_.clock());
            since_base_ += piece.bytes.size();
            pieces_.pop_front();
            if (pieces_.empty()) brought_at_ = std::chrono::steady_clock::now();
        }
        if (!all) continue;
        log_at_ = now;
        follower_->brought(asked);
        return;
    }
}

bool Keeper::follows() const {
    return writer_ && whole_ && follower_->state() == db::LogFollower::State::following;
}

void Keeper::follow() {
    auto round = [this] {
        if (look_is_due()) {
            require_presence(archive_, options_.known);
            if (!contacted_) contact();
            // The copy was pruned by hand.
            else if (writer_ && whole_ && !archive_.has_base(writer_->base())) writer_.reset();
        }
        // Even if a copy is due: that may fail for a long time because another process is working there.
        if (follows()) bring(stopping() ? Wait::no : Wait::some);
        if (base_is_due() && !stopping()) take_base();
        if (away_.exchange(false)) base::log_info("the backup goes on");
    };
    auto wait = options_.pace;
    for (bool last = false;;) {
        try {
            round();
            wait = options_.pace;
        } catch (const std::exception& e) {
            looked_at_ = {};
            if (follower_->state() == db::LogFollower::State::lost) pieces_.clear();
            if (dynamic_cast<const Broken*>(&e)) writer_.reset();  // damaged: make a full copy
            if (!stopping()) on_failure("the backup cannot be written", e.what());
            wait = std::min(std::max<std::chrono::milliseconds>(wait * 2, 500ms), longest_pause);
        }
        if (last) return;
        last = !pause(wait);
        if (last && !follows()) return;
    }
}

// What the second thread does in a turn: media are copied; where there is a new copy, or somebody else may have made one, it is
// pruned and verified as well.
class Keeper::Care {
public:
    explicit Care(Keeper& keeper)
        : keeper_(keeper),
          options_(keeper.options_),
          archive_(keeper.archive_),
          media_(archive_, options_.source.media, options_.unwanted, options_.removed) {}

    void turn() {
        const auto base = keeper_.base_at_.load();
        const auto moment = std::chrono::steady_clock::now();
        const bool look = looked_for_ != base || moment - looked_at_ >= options_.look_every;
        if (look) bases_ = archive_.bases();
        if (base == 0 || keeper_.away_ || bases_.empty()) return;
        const auto now = options_.clock();
        media_.sweep(now, [this] { return keeper_.stopping(); });
        if (!look || keeper_.stopping()) return;
        looked_at_ = moment;
        looked_for_ = base;
        const auto unpruned = prune_for(base, now);
        const bool put_off = verify_if_due(now);
        if (unpruned) std::rethrow_exception(unpruned);
        if (!put_off) told_ = false;
    }

    // Once for as long as it lasts.
    void tell(const std::exception& e) {
        if (!std::exchange(told_, true))
            base::log_warning("the backup is not looked after", {{"cause", e.what()}});
    }

private:
    // Answers what it failed at, which does not keep the backup from being verified.
    std::exception_ptr prune_for(std::int64_t base, std::int64_t now) {
        try {
            if (pruned_for_ != base) prune(archive_, options_.keep, now);
            pruned_for_ = base;
            return nullptr;
        } catch (const std::exception&) {
            return std::current_exception();
        }
    }

    // Answers whether it is due and waits all the same, because it could not be done a while ago.
    bool verify_if_due(std::int64_t now) {
        const auto last = last_verified(archive_);
        note(last);
        const auto every = options_.verify_every.count();
        if (every <= 0 || now - std::max(last.ms, bases_.front()) < every) return false;
        if (now < verify_from_ && verify_from_ - now <= again_in_ms) return true;
        verify_from_ = now + again_in_ms;
        const VerifyOptions how{{}, options_.scratch, 200, options_.judge, [this] {
                                    return keeper_.stopping();
                                }};
        const auto found = verify(archive_, how, now);
        if (!found.sound)
            base::log_error(
                "the backup is not sound", {{"because", found.faults.front()}, {"do", "dunlin backup verify"}}
            );
        note({now, found.sound});
        verify_from_ = 0;
        return false;
    }

    void note(const LastVerified& verified) {
        keeper_.verified_at_ = verified.ms;
        keeper_.sound_ = verified.ms == 0 || verified.sound;
    }

    Keeper& keeper_;
    const KeeperOptions& options_;
    const Archive& archive_;
    MediaCopies media_;
    std::int64_t looked_for_ = 0, pruned_for_ = 0;  // of a copy, when it was made
    std::int64_t verify_from_ = 0;
    std::vector<std::int64_t> bases_;
    std::chrono::steady_clock::time_point looked_at_{};
    bool told_ = false;  // what is wrong, until it is not any more
};

void Keeper::look_after() {
    be_nice();
    Care care(*this);
    while (pause(std::min<std::chrono::milliseconds>(media_every, options_.pace * 100))) {
        try {
            care.turn();
        } catch (const base::Stopping&) {
            return;
        } catch (const std::exception& e) {
            care.tell(e);
        }
    }
}

}  // namespace backup

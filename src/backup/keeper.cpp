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
// Where asking costs no request, who waits for another server to end goes on at once.
constexpr std::chrono::milliseconds pause_beside_another = 1s;
// A whole copy takes the place of more log than a third of it, so that a restore stays quick.
constexpr std::uint64_t log_share = 3, least_log = 256 << 20;
// What could not be verified, for want of room, waits so long: looking again costs a look at all copies.
constexpr std::int64_t again_in_ms = 3'600'000;
// What is in memory of the log at most, and how much of it waits for no more.
constexpr std::size_t most_gathered = 8 << 20, large = 1 << 20;
// What is left at a stop is brought away within this.
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
    following_ = std::thread([this] { follow(), keeping_.reset(), end(); });
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

// Once for as long as it lasts.
void Keeper::on_failure(const char* what, const std::string& why) {
    if (!away_.exchange(true))
        base::log_error(
            what, {{"cause", why}, {"do", "see that backup_to can be written; it is tried again"}}
        );
}

// One server alone: two that write there would each be half of what a restore brings back.
void Keeper::require_turn() {
    if (!keeping_) keeping_ = archive_.target().hold(Turn::keeper);
    try {
        keeping_->require();
    } catch (const Away&) {
        keeping_.reset();
        throw;
    }
}

// A backup of an earlier run is gone on with, if nothing is missing between it and the log.
void Keeper::contact() {
    mend_manifest(archive_, options_.source.manifest, options_.known);
    archive_.begin(options_.source.manifest);
    require_own(archive_, options_.source.manifest);
    require_turn();
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
    if (!sound_ && verified_at_ > writer_->base()) return true;  // which mends what it can
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

// The log goes on being brought to the older copy meanwhile; the younger one begins with the log as it stands then.
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
    // Little is left, and the log of the new copy grows from here on.
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
        // Without the whole of its log it would be half of one moment and half of another.
        if (follower_->state() != db::LogFollower::State::following)
            throw Away("The log of the database was lost while it was copied");
        base.least_number = writer_->number();
        base.least_end = writer_->end();
        turn->require();
        archive_.write_manifest(options_.source.manifest);
        archive_.write_base(base);
    } catch (...) {
        // What is not whole is no place for the log.
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

// What stands behind each other is one piece. Answers whether that is all there was.
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

// What is committed while this is written is left to the next time: where that takes long, there always is more.
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
            // All of it was committed before this moment.
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
            // Pruned by hand.
            else if (writer_ && whole_ && !archive_.has_base(writer_->base())) writer_.reset();
        }
        require_turn();
        // Also where a copy is due: it may fail for long, for somebody else is at work there.
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
            if (dynamic_cast<const Broken*>(&e)) writer_.reset();  // not what was written: a whole copy
            if (!stopping()) on_failure("the backup cannot be written", e.what());
            const bool waits_for_turn = !keeping_ && archive_.target().grows();
            wait = std::min(
                std::max<std::chrono::milliseconds>(wait * 2, 500ms),
                waits_for_turn ? pause_beside_another : longest_pause
            );
        }
        if (last) return;
        last = !pause(wait);
        if (last && !follows()) return;
    }
}

void Keeper::look_after() {
    be_nice();
    MediaCopies media(archive_, options_.source.media, options_.unwanted, options_.removed);
    std::int64_t looked_for = 0, pruned_for = 0, verify_from = 0;
    std::vector<std::int64_t> bases;
    std::chrono::steady_clock::time_point looked{};
    bool told = false;  // what is wrong, until it is not any more
    while (pause(std::min<std::chrono::milliseconds>(media_every, options_.pace * 100))) {
        const auto base = base_at_.load();
        const auto moment = std::chrono::steady_clock::now();
        const bool look = looked_for != base || moment - looked >= options_.look_every;
        try {
            if (look) bases = archive_.bases();
            if (base == 0 || away_ || bases.empty()) continue;
            const auto now = options_.clock();
            media.sweep(now, [this] { return stopping(); });
            if (stopping()) return;
            if (!look) continue;
            looked = moment;
            looked_for = base;
            std::exception_ptr unpruned;  // which does not keep it from being verified
            try {
                if (pruned_for != base) prune(archive_, options_.keep, now);
                pruned_for = base;
            } catch (const std::exception&) {
                unpruned = std::current_exception();
            }
            auto last = last_verified(archive_);
            verified_at_ = last.ms;
            sound_ = last.ms == 0 || last.sound;
            const bool due = options_.verify_every.count() > 0 &&
                             now - std::max(last.ms, bases.front()) >= options_.verify_every.count();
            const bool later = now < verify_from && verify_from - now <= again_in_ms;
            if (due && !later) {
                verify_from = now + again_in_ms;
                const VerifyOptions how{{}, options_.scratch, 200, options_.judge, [this] {
                                            return stopping();
                                        }};
                const auto found = verify(archive_, how, now);
                last = {now, found.sound};
                if (!found.sound)
                    base::log_error(
                        "the backup is not sound",
                        {{"because", found.faults.front()}, {"do", "dunlin backup verify"}}
                    );
                verified_at_ = last.ms;
                sound_ = last.sound;
                verify_from = 0;
            }
            if (unpruned) std::rethrow_exception(unpruned);
            if (!due || !later) told = false;
        } catch (const base::Stopping&) {
            return;
        } catch (const std::exception& e) {
            if (!std::exchange(told, true))
                base::log_warning("the backup is not looked after", {{"cause", e.what()}});
        }
    }
}

}  // namespace backup

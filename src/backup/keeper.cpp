// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/keeper.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <ranges>

namespace backup {

namespace {

using namespace std::chrono_literals;
constexpr std::chrono::milliseconds media_every = 30s;
constexpr std::chrono::milliseconds longest_pause = 30s;
// A whole copy takes the place of more log than a third of it, so that a restore stays quick.
constexpr std::uint64_t log_share = 3, least_log = 256 << 20;
// What could not be verified, for want of room, waits so long: looking again costs a look at all copies.
constexpr std::int64_t again_in_ms = 3'600'000;

class Copying {
public:
    explicit Copying(db::LogFollower& follower) : follower_(follower) { follower_.copying(true); }
    ~Copying() { follower_.copying(false); }
    Copying(const Copying&) = delete;

private:
    db::LogFollower& follower_;
};

}  // namespace

void be_nice() { ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), 15); }

Keeper::Keeper(KeeperOptions options, std::shared_ptr<db::LogFollower> follower)
    : options_(std::move(options)), follower_(std::move(follower)), archive_(options_.target) {}

Keeper::~Keeper() { stop(); }

void Keeper::start() {
    since_ = options_.clock();
    following_ = std::thread([this] { follow(); });
    looking_after_ = std::thread([this] { look_after(); });
}

void Keeper::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
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

// A backup of an earlier run is gone on with, if nothing is missing between it and the log.
void Keeper::contact() {
    archive_.prepare();
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
    const auto tail = tail_of(archive_, ms);
    if (!tail || !follower_->join(tail->place, tail->number)) return false;
    LogWriter writer(archive_, ms);
    writer.resume(tail->number, tail->place.offset);
    writer_.emplace(writer);
    base_bytes_ = bytes;
    for (auto number : archive_.numbers(ms)) since_base_ += fs::file_size(archive_.segment(ms, number));
    return true;
}

bool Keeper::base_is_due() const {
    if (!writer_ || follower_->state() != db::LogFollower::State::following) return true;
    if (!archive_.has_base(writer_->base())) return true;        // pruned by hand, or it was never finished
    if (!sound_ && verified_at_ > writer_->base()) return true;  // which mends what it can
    return options_.clock() - writer_->base() >= options_.base_every.count() ||
           since_base_ > std::max(base_bytes_ / log_share, least_log);
}

// The log goes on being brought to the older copy meanwhile; the younger one begins with the log as it stands then.
void Keeper::take_base() {
    const Turn turn(archive_.folder());
    const Copying copying(*follower_);
    db::DatabaseFile file(options_.source.database);
    file.pin();
    auto base = copy_blocks(archive_, options_.source, file, [this] {
        if (stopping()) throw Away("the server stops");
        if (writer_ && follower_->state() == db::LogFollower::State::following) bring();
    });
    base.ms = std::max(options_.clock(), base_at_ + 1);
    follower_->follow_anew();
    piece_.reset();
    writer_.emplace(archive_, base.ms);
    since_base_ = 0;
    base_bytes_ = base.bytes();
    bring();
    // Without the whole of its log it would be half of one moment and half of another.
    if (follower_->state() != db::LogFollower::State::following)
        throw Away("The log of the database was lost while it was copied");
    base.least_number = writer_->number();
    base.least_end = writer_->end();
    archive_.write_manifest(options_.source.manifest);
    archive_.write_base(base);
    remember(archive_, options_.known);
    base_at_ = base.ms;
}

void Keeper::bring() {
    const auto asked = follower_->asked();
    const auto now = options_.clock();
    while (piece_ || (piece_ = follower_->next())) {
        // All of it was committed before this moment.
        writer_->write(piece_->number, piece_->offset, piece_->bytes, options_.clock());
        since_base_ += piece_->bytes.size();
        piece_.reset();
    }
    log_at_ = now;
    follower_->brought(asked);
}

void Keeper::follow() {
    auto round = [this] {
        require_presence(archive_, options_.known);
        if (!contacted_) contact();
        if (base_is_due()) take_base();
        else bring();
        if (away_.exchange(false)) base::log_info("the backup goes on");
    };
    auto wait = options_.pace;
    for (bool last = false;;) {
        try {
            round();
            wait = options_.pace;
        } catch (const std::exception& e) {
            if (follower_->state() == db::LogFollower::State::lost) piece_.reset();
            if (dynamic_cast<const Broken*>(&e)) writer_.reset();  // not what was written: a whole copy
            if (!stopping()) on_failure("the backup cannot be written", e.what());
            wait = std::min(std::max<std::chrono::milliseconds>(wait * 2, 500ms), longest_pause);
        }
        if (last) return;
        last = !pause(wait);
        if (last && base_is_due()) return;  // a whole copy takes longer than a stop may
    }
}

void Keeper::look_after() {
    be_nice();
    MediaCopies media(archive_, options_.source.media, options_.unwanted, options_.removed);
    std::int64_t pruned_for = 0, verify_from = 0;
    bool told = false;  // what is wrong, until it is not any more
    while (pause(std::min<std::chrono::milliseconds>(media_every, options_.pace * 100))) {
        const auto base = base_at_.load();
        const auto bases = archive_.bases();
        if (base == 0 || away_ || bases.empty()) continue;
        try {
            const auto now = options_.clock();
            media.sweep(now, [this] { return stopping(); });
            if (stopping()) return;
            if (std::exchange(pruned_for, base) != base) prune(archive_, options_.keep, now);
            auto last = last_verified(archive_);
            verified_at_ = last.ms;
            sound_ = last.ms == 0 || last.sound;
            const bool due = options_.verify_every.count() > 0 &&
                             now - std::max(last.ms, bases.front()) >= options_.verify_every.count();
            if (due && now < verify_from && verify_from - now <= again_in_ms) continue;
            if (due) {
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
            told = false;
        } catch (const base::Stopping&) {
            return;
        } catch (const std::exception& e) {
            if (!std::exchange(told, true))
                base::log_warning("the backup is not looked after", {{"cause", e.what()}});
        }
    }
}

}  // namespace backup

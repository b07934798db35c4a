// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/log/log_follower.hpp"

#include "base/log.hpp"

#include <algorithm>

namespace db {

namespace {

constexpr std::uint64_t most_at_once = 8 << 20;

}  // namespace

LogFollower::LogFollower(std::filesystem::path database, std::uint64_t most_waiting)
    : path_(std::move(database)), most_waiting_(most_waiting) {}

void LogFollower::start() {
    const std::lock_guard lock(mutex_);
    older_ = std::make_unique<DatabaseFile>(path_);
    younger_ = std::make_unique<DatabaseFile>(path_);
    older_->pin();
}

void LogFollower::advance(std::uint64_t pages) {
    const std::lock_guard lock(mutex_);
    if (state_ == State::lost || copying_) return;
    const bool waits = state_ == State::starting || brought_ < asked_;
    if (waits && bytes_waiting(pages) > most_waiting_)
        return lose("more waits to be brought to the backup than backup_queue_mb allows");
    if (state_ == State::starting) return;
    if (younger_->pinned()) return;
    younger_->pin();
    ++asked_;
}

// Not the log's length: it may be long because of a long-running reader, with nearly all of it already backed
// up.
std::uint64_t LogFollower::bytes_waiting(std::uint64_t pages) const {
    return (pages - std::min(pages, place_.frames())) * page_bytes();
}

// Pins hold up others, so the older one is released as early as possible.
void LogFollower::brought(std::uint64_t asked_before) {
    const std::lock_guard lock(mutex_);
    brought_ = std::max(brought_, asked_before);
    if (brought_ != asked_ || !younger_->pinned()) return;
    older_->unpin();
    std::swap(older_, younger_);
}

bool LogFollower::restartable() const {
    const std::lock_guard lock(mutex_);
    return !copying_ && (state_ == State::lost || (state_ == State::following && brought_ == asked_));
}

void LogFollower::release() {
    const std::lock_guard lock(mutex_);
    if (state_ != State::following) return;
    while (collect()) {}
    older_->unpin();
    younger_->unpin();
}

bool LogFollower::has(std::uint64_t frames) {
    const std::lock_guard lock(mutex_);
    if (state_ != State::following) return state_ == State::lost;
    while (collect()) {}
    return frames == 0 || place_.frames() == frames;
}

void LogFollower::resume(std::uint64_t frames) {
    const bool whole = has(frames);
    const std::lock_guard lock(mutex_);
    if (state_ != State::following) return;
    // Another program wrote at that very moment, so its pages may be missing from the log.
    if (!whole) return lose("another program moved the log while it began anew");
    older_->pin();
    brought_ = asked_;  // the rest was read into memory
}

void LogFollower::copying(bool is) {
    const std::lock_guard lock(mutex_);
    copying_ = is;
}

LogFollower::State LogFollower::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

// A power cut may lose a page in the middle of what was not synced yet. SQLite then continues there, while
// the frames behind it still look like the old end of the log.
bool LogFollower::is_whole_up_to(const LogPlace& place, LogPlace at) const {
    for (auto most = most_at_once; at.offset < place.offset;) {
        const auto bytes = std::min(most, place.offset - at.offset);
        const bool is_rest = at.offset + bytes == place.offset;
        const auto [passed, goes_on] = pass_transactions(at, older_->read_log(at.offset, bytes));
        if (passed == 0 && (is_rest || !goes_on)) return false;
        most = passed == 0 ? 2 * most : most_at_once;  // a transaction is longer than what was read
    }
    return at.offset == place.offset;
}

bool LogFollower::join(const LogPlace& place, std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (state_ != State::starting) return false;
    place_ = place;
    auto here = place_behind_header(older_->read_log(0, log_header_bytes));
    if (!here || !here->same_log(place) || !still_there() || !is_whole_up_to(place, *here)) {
        place_ = {};
        return false;
    }
    number_ = number;
    behind_ = true;
    state_ = State::following;
    return true;
}

void LogFollower::let_go() {
    const std::lock_guard lock(mutex_);
    if (state_ != State::starting) return;
    older_->unpin();
    state_ = State::lost;
}

LogFollower::Standing LogFollower::follow_anew() {
    const std::lock_guard lock(mutex_);
    Standing before{place_, number_, behind_, std::move(pieces_)};
    pieces_.clear();
    place_ = {};
    number_ = 0;
    behind_ = true;
    brought_ = asked_;
    younger_->unpin();
    older_->pin();
    state_ = State::following;
    return before;
}

// Reads what was added meanwhile at once, because only the caller's pin is old enough to protect it.
bool LogFollower::go_back(Standing before) {
    const std::lock_guard lock(mutex_);
    if (state_ != State::following) return false;
    place_ = before.place;
    number_ = before.number;
    behind_ = before.behind;
    pieces_ = std::move(before.pieces);
    ++asked_;
    while (collect()) {}
    return state_ == State::following;
}

std::uint64_t LogFollower::asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
}

std::optional<LogPiece> LogFollower::next() {
    const std::lock_guard lock(mutex_);
    if (state_ != State::following) return std::nullopt;
    if (pieces_.empty()) collect();
    if (pieces_.empty()) return std::nullopt;
    auto piece = std::move(pieces_.front());
    pieces_.erase(pieces_.begin());
    return piece;
}

// After a commit that the disk refused, the log continues before the end it had.
bool LogFollower::still_there() const {
    if (place_.offset <= log_header_bytes) return true;
    const auto start = place_.offset - place_.frame_bytes();
    return is_frame_before(place_, older_->read_log(start, frame_header_bytes));
}

// Returns false when there is no log to read from, or no longer one.
bool LogFollower::find_log() {
    auto header = older_->read_log(0, log_header_bytes);
    auto here = place_behind_header(header);
    if (!here) return false;  // it was emptied, or is just being written
    if (place_.offset == 0) {
        place_ = *here;
    } else if (!here->same_log(place_)) {
        if (here->salt1 != place_.salt1 + 1) return lose("another program has emptied the log"), false;
        if (behind_) return lose("the log began anew before all of it was read"), false;
        place_ = *here;
        ++number_;
    } else {
        if (!still_there()) return lose("the log is not what it was"), false;
        return true;
    }
    pieces_.push_back({number_, 0, std::move(header), place_});
    return true;
}

// Reads the next whole transactions. Returns false when there are none.
bool LogFollower::collect() {
    if (state_ != State::following || !find_log()) return false;
    if (!is_of(place_, older_->read_log(place_.offset, frame_header_bytes))) {
        behind_ = false;
        return false;
    }
    for (auto most = most_at_once;; most *= 2) {
        const auto offset = place_.offset;
        auto bytes = older_->read_log(offset, most);
        const auto [passed, goes_on] = pass_transactions(place_, bytes);
        const bool longer =
            passed == 0 && goes_on && bytes.size() == most;  // a transaction exceeds what was read
        if (longer) continue;
        if (!goes_on || bytes.size() < most) behind_ = false;
        if (passed == 0) return false;
        bytes.resize(passed);
        const bool joins = !pieces_.empty() && pieces_.back().number == number_ &&
                           pieces_.back().offset + pieces_.back().bytes.size() == offset;
        if (joins && pieces_.back().bytes.size() + passed <= most_at_once) {
            pieces_.back().bytes += bytes;
            pieces_.back().after = place_;
        } else pieces_.push_back({number_, offset, std::move(bytes), place_});
        return true;
    }
}

void LogFollower::lose(const char* why) {
    base::log_warning("the backup has a gap; it begins anew with a whole copy", {{"because", why}});
    older_->unpin();
    younger_->unpin();
    pieces_.clear();
    state_ = State::lost;
}

}  // namespace db

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/dump_keeper.hpp"

#include "backup/dump_copies.hpp"
#include "backup/neighbours.hpp"
#include "base/deadline.hpp"
#include "base/log.hpp"
#include "db/write_gate.hpp"

namespace backup {

namespace {

using namespace std::chrono_literals;
constexpr auto lease_every = 60s;
// A lease that could not be renewed for this long is given up while it is still valid.
constexpr auto lease_lasts = std::chrono::seconds(dump_lease_seconds) - 2 * lease_every;

}  // namespace

DumpKeeper::DumpKeeper(KeeperOptions options, db::Options database, db::Engine& engine, std::string node)
    : options_(std::move(options)),
      database_(std::move(database)),
      engine_(engine),
      node_(std::move(node)),
      archive_(options_.target) {}

DumpKeeper::~DumpKeeper() { stop(); }

std::int64_t DumpKeeper::every_seconds() const {
    return std::chrono::duration_cast<std::chrono::seconds>(options_.base_every).count();
}

void DumpKeeper::start() {
    figures_.since = options_.clock();
    thread_ = std::thread([this] { work(); });
}

void DumpKeeper::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    archive_.target().stop();
    if (thread_.joinable()) thread_.join();
}

Keeper::Figures DumpKeeper::figures() const {
    const std::lock_guard lock(mutex_);
    return figures_;
}

bool DumpKeeper::pause(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return !wake_.wait_for(lock, time, [this] { return stopping_; });
}

void DumpKeeper::change(const char* name, const std::function<void(db::Write&)>& what) {
    const db::MakingRoom of_one_row;
    db::write_and_wait(engine_, name, [&](db::Write& db) {
        db.beside_others();
        what(db);
    });
}

// Called between the pieces of a copy, which may take hours. Retries a renewal that fails.
bool DumpKeeper::ending() {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return true;
    }
    const auto now = std::chrono::steady_clock::now();
    if (lost_turn_ || now - tried_at_ < lease_every) return lost_turn_;
    tried_at_ = now;
    try {
        change("keep_dump_turn", [this](db::Write& db) { lost_turn_ = !keep_turn(db, node_); });
        renewed_at_ = now;
    } catch (const std::exception& e) {
        base::log_warning("the turn to make the backup could not be kept", {{"cause", e.what()}});
        lost_turn_ = now - renewed_at_ >= lease_lasts;
    }
    return lost_turn_;
}

// Whether a copy is due, according to the shared row.
bool DumpKeeper::look() {
    DumpTurn turn;
    db::read_and_wait(engine_, [&](db::Read& db) { turn = dump_turn(db); });
    const std::lock_guard lock(mutex_);
    figures_.base = turn.made_at.ms;
    figures_.verified = turn.verified_at.ms;
    figures_.sound = turn.sound;
    figures_.away = turn.failures > 1;  // a single failure may be a restart
    figures_.failure = turn.failures == 1 ? "" : turn.failure;
    figures_.every = options_.base_every.count();
    return is_due(turn, {options_.clock()}, every_seconds());
}

void DumpKeeper::work() {
    be_nice();
    bool told = false;  // that the database cannot be read
    for (auto wait = 0ms; pause(wait); wait = options_.pace * 120) {
        try {
            if (look()) take_turn_and_make();
            told = false;
        } catch (const std::exception& e) {
            if (!std::exchange(told, true))
                base::log_warning("whether a backup is due cannot be known", {{"cause", e.what()}});
        }
    }
}

void DumpKeeper::take_turn_and_make() {
    bool mine = false;
    change("take_dump_turn", [&](db::Write& db) { mine = take_turn(db, node_, every_seconds()); });
    if (!mine) return;
    try {
        make();
        change("give_dump_turn_back", [this](db::Write& db) { give_turn_back(db, node_); });
    } catch (const base::Stopping&) {
        base::log_info("the copy for the backup is left for the next node or start");
        change("give_dump_turn_back", [this](db::Write& db) { give_turn_back(db, node_); });
    } catch (const std::exception& e) {
        const std::string why = e.what();
        base::log_error(
            "the backup was not made",
            {{"cause", why}, {"do", "see that backup_to can be written; it is tried again"}}
        );
        change("note_dump_failed", [&](db::Write& db) { note_failed(db, node_, why); });
    }
    look();
}

void DumpKeeper::make() {
    renewed_at_ = tried_at_ = std::chrono::steady_clock::now();
    lost_turn_ = false;
    require_presence(archive_, options_.known);
    mend_manifest(archive_, options_.source.manifest, options_.known);
    require_own(archive_, options_.source.manifest);
    auto go_on = [this](const std::string&, std::int64_t, std::int64_t) {
        if (ending()) throw base::Stopping();
    };
    const auto begun = std::chrono::steady_clock::now();
    // A new object each time, because other nodes write the list meanwhile.
    MediaCopies media(archive_, options_.source.media, options_.unwanted, options_.removed);
    std::string without;
    auto sweep = [&] {
        try {
            media.sweep(options_.clock(), [this] { return ending(); });
            without.clear();
        } catch (const base::Stopping&) {
            throw;
        } catch (const std::exception& e) {
            without = "uploaded files are not copied: " + std::string(e.what());
        }
        if (ending()) throw base::Stopping();
    };
    // Sweep before the dump as well: a file that is deleted while the dump runs is still referenced in it.
    archive_.begin(options_.source.manifest);
    sweep();
    const auto copied = take_dump(archive_, options_.source, database_, options_.clock(), go_on);
    remember(archive_, options_.known);
    sweep();
    if (!without.empty()) base::log_error("the backup is without uploaded files", {{"cause", without}});
    change("note_dump_made", [&](db::Write& db) {
        note_made(db, node_, {copied.ms}, every_seconds(), without);
    });
    const auto took = std::chrono::steady_clock::now() - begun;
    base::log_info(
        "the backup was made",
        {{"bytes", std::to_string(copied.bytes())},
         {"seconds", std::to_string(std::chrono::duration_cast<std::chrono::seconds>(took).count())}}
    );
    try {
        prune(archive_, options_.keep, options_.clock());
        verify_if_due(options_.clock());
    } catch (const base::Stopping&) {
        throw;
    } catch (const std::exception& e) {
        base::log_warning("the backup is not looked after", {{"cause", e.what()}});
    }
}

void DumpKeeper::verify_if_due(std::int64_t now) {
    const auto bases = archive_.bases();
    auto last = last_verified(archive_);
    const auto since = std::max(last.ms, bases.empty() ? now : bases.front());
    if (options_.verify_every.count() > 0 && now - since >= options_.verify_every.count()) {
        const VerifyOptions how{{}, options_.scratch, 200, options_.judge, [this] { return ending(); }};
        const auto found = verify(archive_, how, now);
        last = {now, found.sound};
        if (!found.sound)
            base::log_error(
                "the backup is not sound", {{"because", found.faults.front()}, {"do", "dunlin backup verify"}}
            );
    }
    if (last.ms == 0) return;
    change("note_dump_verified", [&](db::Write& db) { note_verified(db, {last.ms}, last.sound); });
}

}  // namespace backup

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/archive.hpp"

#include "base/crypto.hpp"
#include "base/log.hpp"
#include "db/lock.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/media/media.hpp"
#include "social/media/store_files.hpp"
#include "social/transfer/post_import.hpp"

#include <algorithm>

namespace transfer {

namespace fs = std::filesystem;

namespace {

constexpr int shown = 10, most_waiting = 500;
constexpr std::int64_t lease_seconds = 120, most_attempts = 3;

}  // namespace

std::string file_of(const Archive& archive) {
    return std::string(media::archives_folder) + "/" + std::to_string(archive.id.value) + "-" +
           archive.secret + ".zip";
}

#define ARCHIVES                                                                                     \
    "SELECT id, account_id, secret, state, total, done, bytes, attempts, created_at, ended_at FROM " \
    "archives "

const db::Query<Archive> archives_by_account{
    "archives_by_account", ARCHIVES "WHERE account_id = $1 ORDER BY id DESC LIMIT $2"
};
const db::Query<Archive> archive_by_id{"archive_by_id", ARCHIVES "WHERE id = $1"};
const db::Query<ArchiveId> archives_waiting{
    "archives_waiting", "SELECT id FROM archives WHERE state = 'waiting' ORDER BY leased_until, id LIMIT $1"
};
const db::Command insert_archive{
    "insert_archive",
    "INSERT INTO archives (id, account_id, secret, total, created_at) VALUES ($1, $2, $3, $4, $5)"
};
const db::Command delete_archive{"delete_archive", "DELETE FROM archives WHERE id = $1"};

std::vector<Archive> archives_of(db::Read& db, AccountId account) {
    return db.all(archives_by_account, account, shown);
}

Archive archive_of(db::Read& db, AccountId account, ArchiveId id) {
    auto found = db.maybe(archive_by_id, id);
    if (!found || found->account_id != account || found->state != ArchiveState::ready) throw base::NotFound();
    return *std::move(found);
}

ArchiveId ask_for_archive(db::Write& db, AccountId account) {
    const auto day_ago = db.now().plus_seconds(-archive_pause_seconds);
    for (const auto& before : archives_of(db, account)) {
        if (before.state == ArchiveState::waiting) throw base::Invalid("Your archive is being made already");
        if (before.state == ArchiveState::ready && before.created_at > day_ago)
            throw base::Invalid("An archive can be made once a day");
        if (before.state == ArchiveState::failed) db.run(delete_archive, before.id);
    }
    if (std::ssize(db.all(archives_waiting, most_waiting)) == most_waiting)
        throw base::Invalid("Too many archives are being made, please come back later");
    const auto id = db.new_id<ArchiveId>();
    const auto posts = accounts::account(db, account).statuses_count;
    db.run(insert_archive, id, account, base::random_token(), posts, db.now());
    db.announce({std::string(archive_channel), {}, {}});
    return id;
}

void answer_questions(base::ExternalServices& services, const media::Store& store) {
    services.answers<FindArchive>([store](const FindArchive& asked) {
        return store.files().find(asked.file).value_or("").string();
    });
    services.answers<KeepArchive>([store](const KeepArchive& asked) {
        return keep_archive(store, asked.path);
    });
}

// ---- their end ----

namespace {

void forget(db::Write& db, const std::vector<Archive>& archives) {
    media::FilesReleased left;
    for (const auto& archive : archives) {
        db.run(delete_archive, archive.id);
        left.files.push_back(file_of(archive));
    }
    if (!left.files.empty()) db.emit(left);
}

}  // namespace

const db::Query<Archive> archives_ended_before{
    "archives_ended_before",
    ARCHIVES "WHERE ended_at IS NOT NULL AND ended_at < $1 ORDER BY ended_at LIMIT 20"
};

void purge_archives(db::Write& db) {
    forget(db, db.all(archives_ended_before, db.now().plus_seconds(-archive_kept_seconds)));
}

// One a day, and none older than a week: there are few.
void forget_archives(db::Write& db, const accounts::AccountGone& gone) {
    forget(db, db.all(archives_by_account, gone.account, 100));
    auto brought = files_of_post_imports(db, gone.account);
    if (!brought.empty()) db.emit(media::FilesReleased{std::move(brought)});
}

const db::Command release_waiting_archives{
    "release_waiting_archives",
    "UPDATE archives SET leased_until = 0 WHERE state = 'waiting' AND " LEASED_BY("$1")
};

void release_archives(db::Write& db, std::string_view node) {
    db.run(release_waiting_archives, node);
    db.announce({std::string(archive_channel), {}, {}});
}

// ---- making them ----

const db::Query<Archive> lease_archive{
    "lease_archive",
    R"(UPDATE archives SET leased_until = $2, leased_by = $3, attempts = attempts + 1, done = 0 WHERE id = (
           SELECT id FROM archives WHERE state = 'waiting' AND leased_until < $1
           ORDER BY leased_until, id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, account_id, secret, state, total, done, bytes, attempts, created_at, ended_at)"
};

std::optional<Archive> lease_next_archive(db::Write& db) {
    return db.maybe(lease_archive, db.now(), db.now().plus_seconds(lease_seconds), db.node());
}

const db::Command note_archive_progress{
    "note_archive_progress",
    "UPDATE archives SET done = $3, leased_until = $4 WHERE id = $1 AND ended_at IS NULL AND attempts = $2"
};
const db::Command finish_archive{
    "finish_archive",
    R"(UPDATE archives SET state = $3, done = $4, total = $4, bytes = $5, ended_at = $6
       WHERE id = $1 AND ended_at IS NULL AND attempts = $2)"
};
const db::Command give_archive_back{
    "give_archive_back",
    R"(UPDATE archives SET leased_until = $3, leased_by = '', attempts = attempts - $4
       WHERE id = $1 AND ended_at IS NULL AND attempts = $2)"
};

namespace {

// One turn of the thread: an archive that is its own as long as the row says so.
class Turn {
public:
    Turn(const jobs::Sessions& sessions, const media::Store& store, const std::function<bool()>& ending)
        : sessions_(sessions), store_(store), ending_(ending) {}

    bool begin() {
        sessions_.change("lease_archive", [&](db::Write& db) { mine_ = lease_next_archive(db); });
        return mine_.has_value();
    }
    void run() {
        try {
            const media::WorkFolder work(store_.folder());
            const auto file = work.path / "archive";
            make_archive(sessions_, {mine_->account_id, store_, file, [&](auto posts) {
                                         return goes_on(posts);
                                     }});
            const auto bytes = static_cast<std::int64_t>(fs::file_size(file));
            store_.files().put({{file_of(*mine_), file}});
            if (!finish(ArchiveState::ready, bytes) && is_gone()) store_.files().remove(file_of(*mine_));
        } catch (const Interrupted&) {
            give_back(0, 1);
        } catch (const base::Unavailable&) {
            give_back(1, 1);  // the key of a new account may not be made yet
        } catch (const std::exception& e) {
            base::log_warning(
                "an archive was not made", {{"archive", std::to_string(mine_->id.value)}, {"cause", e.what()}}
            );
            if (mine_->attempts >= most_attempts) finish(ArchiveState::failed, 0);
            else give_back(60, 0);
        }
    }

private:
    // False: the server stops, or the row went, or somebody else has taken it.
    bool goes_on(std::int64_t posts) {
        if (ending_()) return false;
        posts_ = posts;
        const auto now = std::chrono::steady_clock::now();
        if (now < next_word_) return true;
        next_word_ = now + std::chrono::seconds(2);
        return change("note_archive", [&](db::Write& db) {
            return db.run(
                note_archive_progress, mine_->id, mine_->attempts, posts, db.now().plus_seconds(lease_seconds)
            );
        });
    }
    bool finish(ArchiveState state, std::int64_t bytes) {
        return change("finish_archive", [&](db::Write& db) {
            return db.run(finish_archive, mine_->id, mine_->attempts, state, posts_, bytes, db.now());
        });
    }
    // Otherwise another node has taken it over: the file of that name is its.
    bool is_gone() {
        bool gone = false;
        sessions_.look([&](db::Read& db) { gone = !db.maybe(archive_by_id, mine_->id); });
        return gone;
    }
    void give_back(std::int64_t pause, std::int64_t uncounted) {
        change("give_archive_back", [&](db::Write& db) {
            const auto until = pause == 0 ? base::Time{0} : db.now().plus_seconds(pause);
            return db.run(give_archive_back, mine_->id, mine_->attempts, until, uncounted);
        });
    }
    bool change(const char* name, const std::function<std::int64_t(db::Write&)>& f) {
        std::int64_t rows = 0;
        sessions_.change(name, [&](db::Write& db) { rows = f(db); });
        return rows > 0;
    }

    const jobs::Sessions& sessions_;
    const media::Store& store_;
    const std::function<bool()>& ending_;
    std::optional<Archive> mine_;
    std::chrono::steady_clock::time_point next_word_;
    std::int64_t posts_ = 0;
};

}  // namespace

jobs::Idle make_next_archive(
    const jobs::Sessions& sessions, const media::Store& store, const std::function<bool()>& ending
) {
    Turn turn(sessions, store, ending);
    if (!turn.begin()) return jobs::WorkSignal::longest;
    turn.run();
    return std::nullopt;
}

}  // namespace transfer

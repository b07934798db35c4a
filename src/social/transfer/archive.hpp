// SPDX-License-Identifier: AGPL-3.0-or-later
// All that somebody wrote, with their media, likes, bookmarks and lists, as one zip file in the form of Mastodon's. A thread
// makes them one after the other; a file is kept for some days, for its owner alone. Who asks for one waits for no
// transaction longer than a page of posts takes.
#pragma once
#include "base/ask.hpp"
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"
#include "social/media/store.hpp"
#include "social/transfer/zip.hpp"

#include <boost/describe/enum.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace accounts {
struct AccountGone;
}

namespace transfer {

using base::AccountId;
using ArchiveId = base::Id<struct ArchiveTag>;

constexpr std::int64_t archive_kept_seconds = 7 * 86'400, archive_pause_seconds = 86'400;

// Announced when one was asked for.
constexpr std::string_view archive_channel = "archives";

BOOST_DEFINE_ENUM_CLASS(ArchiveState, waiting, ready, failed)

struct Archive {
    ArchiveId id;
    AccountId account_id;
    std::string secret;
    ArchiveState state = ArchiveState::waiting;
    std::int64_t total = 0, done = 0;  // posts
    std::int64_t bytes = 0, attempts = 0;
    base::Time created_at;
    std::optional<base::Time> ended_at;
};
DESCRIBE(Archive, id, account_id, secret, state, total, done, bytes, attempts, created_at, ended_at)

// Once a day, one at a time, and not while very many wait; throws Invalid.
ArchiveId ask_for_archive(db::Write&, AccountId);
std::vector<Archive> archives_of(db::Read&, AccountId);  // newest first
Archive archive_of(
    db::Read&, AccountId, ArchiveId
);  // throws NotFound, also for another's and what is not ready
// Below data/media, and not served: server/files.hpp refuses names that begin with a dot.
std::string file_of(const Archive&);

// Where such a file is; empty: it is gone.
struct FindArchive {
    std::string file;
    using Answer = std::string;
};
DESCRIBE(FindArchive, file)
void answer_questions(base::ExternalServices&, const media::Store&);

void purge_archives(db::Write&);                           // periodic
void release_archives(db::Write&, std::string_view node);  // that one is gone; "": every one
// Reaction
void forget_archives(db::Write&, const accounts::AccountGone&);

std::optional<Archive> lease_next_archive(db::Write&);
// Makes the next that waits, as one thread of its own does; from the beginning, where an earlier try was cut short.
jobs::Idle make_next_archive(const jobs::Sessions&, const media::Store&, const std::function<bool()>& ending);

// Writes the file, whole or not at all. `goes_on` is told how many posts are written, and ends it by false (Interrupted).
struct ArchiveOrder {
    AccountId account;
    const media::Store& store;
    std::filesystem::path to;
    std::function<bool(std::int64_t posts)> goes_on;
    base::StatusId after = {};  // posts up to this one are left out, but for those that were brought along
};
void make_archive(const jobs::Sessions&, const ArchiveOrder&);

}  // namespace transfer

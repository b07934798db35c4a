// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that somebody brings along in an archive, of Mastodon or of Dunlin: they become posts with their old dates, for people
// of this site alone until their owner publishes them, and nobody is told of any (docs/decisions/0037-brought-along.md).
#pragma once
#include "base/ask.hpp"
#include "jobs/sessions.hpp"
#include "jobs/worker.hpp"
#include "social/media/store.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace transfer {

using base::AccountId;
using PostImportId = base::Id<struct PostImportTag>;

constexpr std::int64_t most_posts = 100'000;

BOOST_DEFINE_ENUM_CLASS(PostImportState, running, ended, stopped, leaving)

struct PostImport {
    PostImportId id;
    AccountId account_id;
    std::string file;
    PostImportState state = PostImportState::running;
    bool published = false;
    std::int64_t total = 0, done = 0,
                 failed = 0;    // items of the outbox; `failed` are among those that are done
    std::int64_t posts = 0;     // that were made
    std::int64_t unpacked = 0;  // bytes of media
    std::string problem;        // a sentence
    std::int64_t attempts = 0;
    base::Time created_at;
};
DESCRIBE(
    PostImport, id, account_id, file, state, published, total, done, failed, posts, unpacked, problem,
    attempts, created_at
)

struct PostFailure {
    std::string what, problem;
};
DESCRIBE(PostFailure, what, problem)

// Puts an uploaded archive where it is gone through. `problem`: it is none, or holds too much.
struct KeepArchive {
    std::string path;
    struct Answer {
        std::string file, problem;
    };
};
DESCRIBE(KeepArchive, path)
KeepArchive::Answer keep_archive(const media::Store&, const std::filesystem::path& from);

// One at a time; throws Invalid. `leased`: whoever begins it goes through it, too.
PostImportId begin_post_import(db::Write&, AccountId, const std::string& file, bool leased = false);
void require_no_post_import(db::Read&, AccountId);  // throws Invalid
std::optional<PostImport> running_post_import(db::Read&, AccountId);
// As `leased` above, of one that somebody else began. False: they are still at it, or it has ended.
bool take_over_post_import(db::Write&, PostImportId);
// What is done stays. These throw NotFound, also for another's.
void stop_post_import(db::Write&, AccountId, PostImportId);
// Everybody may see what was written for everybody. Throws Invalid: it runs still.
void publish_post_import(db::Write&, AccountId, PostImportId);
// All posts of it go. Throws Invalid: it runs still.
void take_back_post_import(db::Write&, AccountId, PostImportId);

std::vector<PostImport> post_imports_of(db::Read&, AccountId);  // newest first; some
std::optional<PostImport> find_post_import(db::Read&, PostImportId);
std::vector<PostFailure> post_failures(db::Read&, PostImportId, int most);

// Events and reactions: some of its posts after others.
struct PublishingGoesOn {
    PostImportId import;
    base::StatusId after;
};
DESCRIBE(PublishingGoesOn, import, after)
struct TakingBackGoesOn {
    PostImportId import;
};
DESCRIBE(TakingBackGoesOn, import)
void publish_some_posts(db::Write&, const PublishingGoesOn&);
void take_back_some_posts(db::Write&, const TakingBackGoesOn&);

void release_post_imports(db::Write&, std::string_view node);  // as release_archives
// The files of an account that goes.
std::vector<std::string> files_of_post_imports(db::Read&, AccountId);

// ---- going through one ----

struct Importing {
    const jobs::Sessions& sessions;
    const media::Store& store;
    std::function<bool()> ending;
};
// One that waits, for some seconds.
jobs::Idle import_some_posts(const Importing&);
// This one, for some seconds; false: there is no more to do.
bool import_some_posts_of(const Importing&, PostImportId);

// ---- how it is stored, for that ----

std::optional<PostImport> lease_post_import(db::Write&, PostImportId = {});
// These two: false when it was stopped meanwhile, or somebody else goes on with it.
bool still_mine(db::Write&, const PostImport&, std::int64_t lease_seconds);
struct Progress {
    std::int64_t done = 0, failed = 0, posts = 0;
};
bool note_progress(db::Write&, const PostImport& before, const Progress& more);
void note_total(db::Write&, const PostImport&, std::int64_t);
void note_failure(db::Write&, const PostImport&, std::int64_t number, const PostFailure&);
void give_back(db::Write&, const PostImport&, std::int64_t pause_seconds, bool failed);
void end_post_import(db::Write&, const PostImport&, PostImportState, const std::string& problem = {});
std::optional<base::StatusId> imported_before(db::Read&, AccountId, const std::string& uri);
void note_imported(db::Write&, const PostImport&, base::StatusId, const std::string& uri, bool here_only);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_imported_posts;
extern const db::Command drop_own_post_import_failures;
extern const db::Command drop_own_post_imports;

}  // namespace transfer

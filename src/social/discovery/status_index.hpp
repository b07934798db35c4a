// SPDX-License-Identifier: AGPL-3.0-or-later
// The full text index of statuses (status_text.cpp says by what each is found). It only proposes; who may find what is
// decided over the statuses themselves (status_search.cpp). It follows what is written within a second or two: reading
// texts takes time that no transaction should, and FTS5 wants many at once.
#pragma once
#include "base/page.hpp"
#include "db/full_text.hpp"
#include "db/session.hpp"
#include "jobs/reactions.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/previews/preview.hpp"
#include "social/statuses/remote/backfilled.hpp"
#include "social/statuses/remote/imported.hpp"

#include <map>
#include <vector>

namespace discovery {

using base::AccountId;
using base::StatusId;

// Reactions: what is to be found anew, or no longer
void index_published(db::Write&, const statuses::Published&);
void index_backfilled(db::Write&, const statuses::Backfilled&);
void index_brought_along(db::Write&, const statuses::BroughtAlong&);
void index_edited(db::Write&, const statuses::Edited&);
void index_marked(db::Write&, const statuses::MarksTakenBack&);
void index_previewed(db::Write&, const statuses::CardShown&);
void forget_deleted(db::Write&, const statuses::Deleted&);

// Periodic: whether there is anything to be done
constexpr std::int64_t find_index_queue_every_seconds = 1;
void find_index_queue(db::Write&);

struct IndexQueueFilled {};
DESCRIBE(IndexQueueFilled)
// One chunk of the newest; it is due again at once when there may be another.
jobs::Change index_due(const base::Ask&, db::Read&, const IndexQueueFilled&);

// Event: so many texts were written into the index, whose parts are to be merged now.
struct IndexGrown {
    std::int64_t texts = 0;
};
DESCRIBE(IndexGrown, texts)
jobs::Change tidy_index(db::Read&, const IndexGrown&);
// As much of it as fits into a turn. FTS5 merges the list of a word at once, and that of a word which most posts have is
// long: a step may take as long as a turn, however few pages it is told to write.
void merge_for_a_turn(db::Write&, const IndexGrown&, jobs::Turn::Clock = std::chrono::steady_clock::now);
// What merging will read, on SQLite.
constexpr int bits_of_page_in_index = 37;
extern const db::Query<std::int64_t> pages_to_merge;

// Statuses with smaller ids that were here before the index.
struct IndexContinued {
    StatusId below;
};
DESCRIBE(IndexContinued, below)
jobs::Change index_older(db::Read&, const IndexContinued&);

// Somebody has begun or ceased to let their public statuses be found; those with smaller ids are still to be done.
struct AccountIndexContinued {
    AccountId account;
    StatusId below;
};
DESCRIBE(AccountIndexContinued, account, below)
void index_again(db::Write&, const accounts::ProfileChanged&);
jobs::Change continue_indexing_account(db::Read&, const AccountIndexContinued&);

// Newest first, at most the range's limit.
std::vector<StatusId> hits(db::Read&, const db::Sought&, const base::Range&);
// Those of the ids that match, in no order.
std::vector<StatusId> hits_among(db::Read&, const db::Sought&, const std::vector<StatusId>&);

// What each status is found by: its words, and marks for what search operators ask of it.

using base::StatusId;

// Without those that are deleted or reblogs: nothing finds them. The number of statements does not depend on how many
// are asked for.
std::map<StatusId, db::IndexedText> texts_of(db::Read&, const std::vector<StatusId>&);

}  // namespace discovery

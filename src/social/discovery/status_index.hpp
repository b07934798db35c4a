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

// Reactions: what has to be indexed, or removed from the index
void index_published(db::Write&, const statuses::Published&);
void index_backfilled(db::Write&, const statuses::Backfilled&);
void index_brought_along(db::Write&, const statuses::BroughtAlong&);
void index_edited(db::Write&, const statuses::Edited&);
void index_marked(db::Write&, const statuses::MarksTakenBack&);
void index_previewed(db::Write&, const statuses::CardShown&);
void forget_deleted(db::Write&, const statuses::Deleted&);

// Periodic: checks whether there is work
constexpr std::int64_t find_index_queue_every_seconds = 1;
void find_index_queue(db::Write&);

struct IndexQueueFilled {};
DESCRIBE(IndexQueueFilled)
// Indexes one chunk, newest first; due again at once if there may be more.
jobs::Change index_due(const base::Ask&, db::Read&, const IndexQueueFilled&);

// Event: this many texts were added to the index, whose segments have to be merged now.
struct IndexGrown {
    std::int64_t texts = 0;
};
DESCRIBE(IndexGrown, texts)
jobs::Change tidy_index(db::Read&, const IndexGrown&);
// Merges as much as fits into a turn. FTS5 merges the list of one word at once, and that of a word in most
// posts is long: one step may take a whole turn, however few pages it is limited to.
void merge_for_a_turn(db::Write&, const IndexGrown&, jobs::Turn::Clock = std::chrono::steady_clock::now);
// What merging will read, on SQLite.
constexpr int bits_of_page_in_index = 37;
extern const db::Query<std::int64_t> pages_to_merge;

// Statuses with smaller ids, which are older than the index.
struct IndexContinued {
    StatusId below;
};
DESCRIBE(IndexContinued, below)
jobs::Change index_older(db::Read&, const IndexContinued&);

// An account changed whether its public statuses can be searched; those with smaller ids are still to be
// updated.
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

// What each status is found by: its words, and marks for search operators.

using base::StatusId;

// Without deleted statuses and reblogs, which are not indexed. The number of statements does not depend on
// the number of ids.
std::map<StatusId, db::IndexedText> texts_of(db::Read&, const std::vector<StatusId>&);

}  // namespace discovery

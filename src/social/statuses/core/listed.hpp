// SPDX-License-Identifier: AGPL-3.0-or-later
// What lists need to know of statuses: the facts of the visibility rule and some more. On SQLite a reader
// caches them until the next commit by anybody (docs/decisions/0033-facts-are-kept.md).
#pragma once
#include "social/statuses/core/visibility.hpp"

namespace statuses {

struct ListedFacts : VisibilityFacts {
    StatusId in_reply_to_id;
    // For a reply: whether everybody sees it in its thread (interactions/reply_approval.hpp).
    ReplyState reply_state = ReplyState::shown;
    bool silenced = false;   // its author, by the team
    bool indexable = false;  // its author allows public statuses to be searched
};

// Of the existing statuses, in the order of the ids, without what note_viewer() sets; at most two queries.
std::vector<ListedFacts> listed_facts(db::Read&, const std::vector<StatusId>& ids);

}  // namespace statuses

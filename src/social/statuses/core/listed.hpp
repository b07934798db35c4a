// SPDX-License-Identifier: AGPL-3.0-or-later
// What lists ask of the statuses behind their ids: the facts of the rule of visibility and some more. A reader on SQLite
// keeps what it has read of them until anybody commits anything (docs/decisions/0033-facts-are-kept.md).
#pragma once
#include "social/statuses/core/visibility.hpp"

namespace statuses {

struct ListedFacts : VisibilityFacts {
    StatusId in_reply_to_id;
    // Of an answer: whether it stands in its thread for everybody (interactions/reply_approval.hpp).
    ReplyState reply_state = ReplyState::shown;
    bool silenced = false;   // its author, by staff
    bool indexable = false;  // its author lets public statuses be found
};

// Of those that exist, in the order of the ids, but for what note_viewer sets; two queries at most.
std::vector<ListedFacts> listed_facts(db::Read&, const std::vector<StatusId>& ids);

}  // namespace statuses

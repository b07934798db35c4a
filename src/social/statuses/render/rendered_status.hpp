// SPDX-License-Identifier: AGPL-3.0-or-later
// The part of a Status entity that is the same for every viewer, kept by (id, version). Private to the slice.
#pragma once
#include "base/id_map.hpp"
#include "base/schema.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/interactions/approval.hpp"
#include "social/statuses/polls/poll_entity.hpp"
#include "social/statuses/previews/preview_entity.hpp"
#include "social/statuses/quotes/quote.hpp"

#include <memory>
#include <span>
#include <unordered_map>

namespace statuses {

// What a status quotes, before a viewer's rights are asked (quote_entity.hpp).
struct RenderedStatusQuote {
    StatusId id;
    QuoteState state = QuoteState::pending;
};

struct RenderedStatus {
    std::string members;      // of the JSON object, without braces
    std::string application;  // its member, empty if unknowable; shown to all or only to the author
    bool application_shown = true;
    bool sensitive = false, sensitized = false;  // by its author; for others, by the team
    ApprovalPolicy quote_approval;
    std::string quote_approval_open;  // approval_json_open of it
    std::optional<RenderedStatusQuote> quote;
    std::optional<RenderedPoll> poll;
    std::optional<RenderedCard> card;

    std::size_t bytes() const {
        return members.size() + application.size() + quote_approval_open.size() +
               (poll ? poll->running.size() + poll->over.size() : 0) +
               (card ? card->members.size() + card->author.size() : 0);
    }
};
using RenderedStatuses = base::IdMap<StatusId, std::shared_ptr<const RenderedStatus>>;

struct RenderedStatusKey {
    StatusId id;
    std::int64_t version = 0;
};

RenderedStatuses rendered_statuses(db::Read&, const std::vector<RenderedStatusKey>&);

// Fresh, with `text` (the source, or the content of what comes from elsewhere) instead of `content`.
RenderedStatuses rendered_statuses_with_source(db::Read&, const std::vector<StatusId>&);

void describe_status(base::json::Components&);  // for OpenAPI

// The member `filtered` of a Status: which of the viewer's filters match it, and which labels apply to it that have an effect for
// the viewer. What filters match is decided once per version of the status and of the viewer's filters and kept, so that a page
// without a match costs look-ups only.

// JSON arrays of FilterResult by the id of the original; one that nothing matches is missing. One query at most for
// what was not decided yet, and none without filters; for labels three at most, and none without labels.
std::unordered_map<StatusId, std::string>
filtered(db::Read&, const Audience&, std::span<const VisibilityFacts>);

// What a viewer has done with statuses: the members of Status that differ between viewers.
struct ViewerState {
    bool favourited = false, reblogged = false, bookmarked = false, pinned = false, muted = false;
};

void expect_viewer_states(db::Read&, AccountId viewer, const VisibilityFacts&);  // db::Read::expect, of one
// By the id of the original; statuses with which the viewer did nothing are missing. One query, or two where the statuses
// lie far apart and there is much of the viewer's in between.
std::unordered_map<StatusId, ViewerState>
viewer_states(db::Read&, AccountId viewer, std::span<const VisibilityFacts>);

}  // namespace statuses

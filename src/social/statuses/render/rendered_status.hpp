// SPDX-License-Identifier: AGPL-3.0-or-later
// The part of a Status entity that is the same for every viewer, cached by (id, version). Private to the
// slice.
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

// What a status quotes, before the viewer's rights are checked (quote_entity.hpp).
struct RenderedStatusQuote {
    StatusId id;
    QuoteState state = QuoteState::pending;
};

struct RenderedStatus {
    std::string members;      // of the JSON object, without braces
    std::string application;  // that member, empty if unknown; shown to everybody or only to the author
    bool application_shown = true;
    // sensitive: set by the author; sensitized: the team marks the author's media
    bool sensitive = false, sensitized = false;
    ApprovalPolicy quote_approval;
    std::string quote_approval_open;  // the result of approval_json_open()
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

// Not cached, with `text` (the source, or the content of a remote status) instead of `content`.
RenderedStatuses rendered_statuses_with_source(db::Read&, const std::vector<StatusId>&);

void describe_status(base::json::Components&);  // for OpenAPI

// The member `filtered` of a Status: which of the viewer's filters match it, and which of its labels have an
// effect for the viewer. Filter matches are computed once per version of the status and of the filters and
// cached, so that a page without a match costs only lookups.

// JSON arrays of FilterResult by the id of the original; statuses without a match are missing. At most one
// query for matches that are not cached, and none without filters; for labels at most three, and none without
// labels.
std::unordered_map<StatusId, std::string>
filtered(db::Read&, const Audience&, std::span<const VisibilityFacts>);

// What a viewer did with statuses: the members of Status that differ between viewers.
struct ViewerState {
    bool favourited = false, reblogged = false, bookmarked = false, pinned = false, muted = false;
};

void expect_viewer_states(db::Read&, AccountId viewer, const VisibilityFacts&);  // db::Read::expect, of one
// By the id of the original; statuses that the viewer did not interact with are missing. One query, or two if
// the statuses are far apart and the viewer interacted with many between them.
std::unordered_map<StatusId, ViewerState>
viewer_states(db::Read&, AccountId viewer, std::span<const VisibilityFacts>);

}  // namespace statuses

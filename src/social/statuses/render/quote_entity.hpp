// SPDX-License-Identifier: AGPL-3.0-or-later
// What the statuses of a page quote, as this viewer may see it: entities Quote and ShallowQuote. Private to
// the slice; status_entity.cpp writes the quoted status.
#pragma once
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/render/rendered_status.hpp"

namespace statuses {

BOOST_DEFINE_ENUM_CLASS(
    ShownQuoteState, pending, accepted, rejected, revoked, deleted, unauthorized, blocked_account,
    blocked_domain, muted_account
)

struct QuotedStatuses {
    std::vector<VisibilityFacts> page;  // quoted by the page itself and visible to the viewer
    std::unordered_map<StatusId, VisibilityFacts> facts;  // those, and what they quote in turn

    const VisibilityFacts* find(StatusId id) const {
        auto found = facts.find(id);
        return found == facts.end() ? nullptr : &found->second;
    }
};

// Adds quoted statuses to the rendered statuses of the page. Runs no query if nothing is quoted.
QuotedStatuses quoted_statuses(db::Read&, const Audience&, RenderedStatuses& page);

ShownQuoteState shown_state(const RenderedStatus& quoting, const VisibilityFacts* quoted, const Audience&);
// Whether the quoted status is included. Clients hide it if the viewer has blocked or muted its author.
bool comes_with_status(ShownQuoteState);

}  // namespace statuses

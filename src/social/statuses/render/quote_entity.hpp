// SPDX-License-Identifier: AGPL-3.0-or-later
// What the statuses of a page quote, as this viewer may see it: entities Quote and ShallowQuote. Private to the
// slice; status_entity.cpp writes the quoted status itself.
#pragma once
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/render/status_piece.hpp"

namespace statuses {

BOOST_DEFINE_ENUM_CLASS(
    ShownQuoteState, pending, accepted, rejected, revoked, deleted, unauthorized, blocked_account,
    blocked_domain, muted_account
)

struct QuotedStatuses {
    std::vector<Facts> page;                    // quoted by the page itself and visible to the viewer
    std::unordered_map<StatusId, Facts> facts;  // those, and what they quote in turn

    const Facts* find(StatusId id) const {
        auto found = facts.find(id);
        return found == facts.end() ? nullptr : &found->second;
    }
};

// Adds the pieces of what is quoted to those of the page. Nothing is asked where nothing is quoted.
QuotedStatuses quoted_statuses(db::Read&, const Audience&, Pieces& page);

ShownQuoteState shown_state(const Piece& quoting, const Facts* quoted, const Audience&);
// Whether the quoted status comes with it. Clients hide it where the viewer has blocked or muted its author.
bool comes_with_status(ShownQuoteState);

}  // namespace statuses

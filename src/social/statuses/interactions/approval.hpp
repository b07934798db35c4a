// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may quote or answer a status, and who may ask. What a server of ours can say is a word (status.hpp); others can say
// more.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

BOOST_DEFINE_ENUM_CLASS(Approval, automatic, manual, denied, unknown)

struct ApprovalPolicy {
    // Groups, as bits. `unsupported_policy` is anybody else that is named.
    static constexpr std::int64_t public_ = 1, followers = 2, following = 4, unsupported_policy = 8;

    bool given = false;
    std::int64_t automatic = 0, manual = 0;

    bool names(std::int64_t group) const { return ((automatic | manual) & group) != 0; }
};

ApprovalPolicy quote_approval(QuotePolicy);
// Of a status of another server: what was stored, or where nothing was, what its policy tells.
ApprovalPolicy quote_approval(std::int64_t stored, QuotePolicy);
std::int64_t stored(const ApprovalPolicy&);
// Stored of a status whose server says who may do something else with it and nothing of quotes: it knows none, so that
// nobody is to ask it.
constexpr std::int64_t knows_no_quotes = 1 << 17;
ApprovalPolicy read_stored(std::int64_t);  // not given where it is 0

// How somebody stands to the author. Posts that are for a few, and boosts, are left to the caller.
struct StandingToAuthor {
    bool author = false, follows = false, followed = false;
};
Approval approval_for(const ApprovalPolicy&, const StandingToAuthor&);

// Member `quote_approval` of a status, up to the word for who looks; `"}` ends it.
std::string approval_json_open(const ApprovalPolicy&);

}  // namespace statuses

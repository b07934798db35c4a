// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may quote a status or reply to it, and who may ask to. Local policies are a single word (status.hpp);
// those of other servers can be more detailed.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

BOOST_DEFINE_ENUM_CLASS(Approval, automatic, manual, denied, unknown)

struct ApprovalPolicy {
    // Groups, as bits. `unsupported_policy`: any other group that the policy names.
    static constexpr std::int64_t public_ = 1, followers = 2, following = 4, unsupported_policy = 8;

    bool given = false;
    std::int64_t automatic = 0, manual = 0;

    bool names(std::int64_t group) const { return ((automatic | manual) & group) != 0; }
};

ApprovalPolicy quote_approval(QuotePolicy);
// Of a remote status: what was stored or, if nothing was, what its policy word implies.
ApprovalPolicy quote_approval(std::int64_t stored, QuotePolicy);
std::int64_t stored(const ApprovalPolicy&);
// Stored for a status whose server publishes other interaction policies but none for quotes: it does not
// support quotes, so it is not asked for approval.
constexpr std::int64_t knows_no_quotes = 1 << 17;
ApprovalPolicy read_stored(std::int64_t);  // not `given` if 0

// How an account relates to the author. The caller checks posts with restricted visibility, and boosts.
struct StandingToAuthor {
    bool author = false, follows = false, followed = false;
};
Approval approval_for(const ApprovalPolicy&, const StandingToAuthor&);

// Member `quote_approval` of a status, up to the viewer's own value; `"}` closes it.
std::string approval_json_open(const ApprovalPolicy&);

}  // namespace statuses

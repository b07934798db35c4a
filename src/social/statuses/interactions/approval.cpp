// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/approval.hpp"

namespace statuses {

namespace {

constexpr std::int64_t all_groups = 15, given_bit = 1 << 16;
constexpr int automatic_shift = 8;

bool applies(std::int64_t groups, const StandingToAuthor& who) {
    return (groups & ApprovalPolicy::public_) != 0 ||
           ((groups & ApprovalPolicy::followers) != 0 && who.follows) ||
           ((groups & ApprovalPolicy::following) != 0 && who.followed);
}

std::string words(std::int64_t groups) {
    constexpr std::pair<std::int64_t, const char*> names[] = {
        {ApprovalPolicy::public_, "\"public\""},
        {ApprovalPolicy::followers, "\"followers\""},
        {ApprovalPolicy::following, "\"following\""},
        {ApprovalPolicy::unsupported_policy, "\"unsupported_policy\""},
    };
    std::string out = "[";
    for (const auto& [group, word] : names) {
        if ((groups & group) == 0) continue;
        if (out.size() > 1) out += ',';
        out += word;
    }
    return out + "]";
}

}  // namespace

ApprovalPolicy quote_approval(QuotePolicy policy) {
    switch (policy) {
        case QuotePolicy::public_: return {true, ApprovalPolicy::public_, 0};
        case QuotePolicy::followers: return {true, ApprovalPolicy::followers, 0};
        case QuotePolicy::nobody: break;
    }
    return {true, 0, 0};
}

ApprovalPolicy read_stored(std::int64_t stored) {
    if ((stored & given_bit) == 0) return {};
    return {true, (stored >> automatic_shift) & all_groups, stored & all_groups};
}

ApprovalPolicy quote_approval(std::int64_t stored, QuotePolicy policy) {
    if (auto said = read_stored(stored); said.given) return said;
    return policy == QuotePolicy::nobody ? ApprovalPolicy{} : quote_approval(policy);
}

std::int64_t stored(const ApprovalPolicy& approval) {
    if (!approval.given) return 0;
    return given_bit | (approval.automatic & all_groups) << automatic_shift | (approval.manual & all_groups);
}

Approval approval_for(const ApprovalPolicy& approval, const StandingToAuthor& who) {
    if (who.author || applies(approval.automatic, who)) return Approval::automatic;
    if (applies(approval.manual, who)) return Approval::manual;
    bool unclear = !approval.given || approval.names(ApprovalPolicy::unsupported_policy);
    return unclear ? Approval::unknown : Approval::denied;
}

std::string approval_json_open(const ApprovalPolicy& approval) {
    return R"("quote_approval":{"automatic":)" + words(approval.automatic) + R"(,"manual":)" +
           words(approval.manual) + R"(,"current_user":")";
}

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/featuring.hpp"

namespace accounts {

namespace {

constexpr std::int64_t all_groups = 7;
constexpr int manual_shift = 8;

bool applies(std::int64_t groups, const FeaturingAccount& who) {
    return (groups & FeaturePolicy::public_) != 0 ||
           ((groups & FeaturePolicy::followers) != 0 && who.follows) ||
           ((groups & FeaturePolicy::following) != 0 && who.followed);
}

}  // namespace

FeaturePolicy feature_policy(const Account& account) {
    if (account.suspended_at) return {};
    if (!account.local())
        return {account.feature_policy & all_groups, (account.feature_policy >> manual_shift) & all_groups};
    if (!account.discoverable.value_or(false)) return {};
    return {account.locked ? FeaturePolicy::followers : FeaturePolicy::public_, 0};
}

std::int64_t stored(const FeaturePolicy& policy) {
    return (policy.automatic & all_groups) | (policy.manual & all_groups) << manual_shift;
}

FeatureApproval approval_for(const FeaturePolicy& policy, const FeaturingAccount& who) {
    if (applies(policy.automatic, who)) return FeatureApproval::automatic;
    return applies(policy.manual, who) ? FeatureApproval::manual : FeatureApproval::denied;
}

}  // namespace accounts

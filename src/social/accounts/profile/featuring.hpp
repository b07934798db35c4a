// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may add an account to a collection, and who may ask (FEP-7aa9). A local account decides by being
// discoverable and by being locked; a remote one by the policy that its server publishes, without which
// nobody may.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

struct FeaturePolicy {
    // Groups, as bits.
    static constexpr std::int64_t public_ = 1, followers = 2, following = 4;

    std::int64_t automatic = 0, manual = 0;
};

FeaturePolicy feature_policy(const Account&);
std::int64_t stored(const FeaturePolicy&);  // as Account::feature_policy

// How the account that wants to add it relates to it.
struct FeaturingAccount {
    bool follows = false, followed = false;
};
BOOST_DEFINE_ENUM_CLASS(FeatureApproval, automatic, manual, denied)
FeatureApproval approval_for(const FeaturePolicy&, const FeaturingAccount&);

}  // namespace accounts

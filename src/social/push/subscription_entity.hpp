// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity WebPushSubscription.
#pragma once
#include "social/push/subscription.hpp"

namespace push {

struct WebPushSubscription {
    std::int64_t id = 0;
    std::string endpoint;
    bool standard = false;
    base::json::Raw alerts;
    std::string server_key;
    Policy policy = Policy::all;
};
DESCRIBE(WebPushSubscription, id, endpoint, standard, alerts, server_key, policy)

WebPushSubscription entity(db::Read&, const Subscription&);

}  // namespace push

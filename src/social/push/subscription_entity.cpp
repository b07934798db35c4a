// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/push/subscription.hpp"

#include "social/instance/settings.hpp"

namespace push {

WebPushSubscription entity(db::Read& db, const Subscription& s) {
    return {s.id.value, s.endpoint, s.standard, {s.alerts}, instance::vapid_public_key(db), s.policy};
}

}  // namespace push

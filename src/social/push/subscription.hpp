// SPDX-License-Identifier: AGPL-3.0-or-later
// Web Push subscriptions: endpoint, keys and choice of notifications, of one access token or one web session.
// They are deleted with the token or the session.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"
#include "social/accounts/users/access.hpp"

#include <boost/describe/enum.hpp>
#include <map>

namespace push {

using base::SessionId;
using base::TokenId;
using base::UserId;
using PushId = base::Id<struct PushTag>;

// Whose actions cause messages: followed: accounts that the user follows; follower: accounts that follow the
// user.
BOOST_DEFINE_ENUM_CLASS(Policy, all, followed, follower, none)

struct Subscription {
    PushId id;
    std::string endpoint, p256dh, auth;
    bool standard = false;  // RFC 8291; otherwise the earlier draft
    Policy policy = Policy::all;
    std::string alerts;  // JSON
};
DESCRIBE(Subscription, id, endpoint, p256dh, auth, standard, policy, alerts)

struct Owner {
    UserId user;
    std::optional<TokenId> token;  // either this or `session`
    std::optional<SessionId> session;
};
struct Target {
    std::string endpoint, p256dh, auth;
    bool standard = false;
};
struct Choice {
    Policy policy = Policy::all;
    std::map<std::string, bool> alerts;  // by type of notification; unknown types are ignored
};

// Replaces an earlier subscription of the owner. Throws Invalid: an address that is not https, an invalid
// key.
PushId subscribe(db::Write&, const Owner&, const Target&, const Choice&);
void choose(db::Write&, PushId, const Choice&);
void unsubscribe(db::Write&, TokenId);

Subscription of_token(db::Read&, TokenId);        // throws NotFound
Subscription of_user(db::Read&, UserId, PushId);  // throws NotFound

// A token that ends one subscription without login: it is sent to the push service with each message.
std::string unsubscribe_token(db::Read&, PushId);
std::string unsubscribe_token(std::string_view key, PushId);  // key: instance::unsubscribe_key
void unsubscribe_by(db::Write&, std::string_view token);      // does nothing if it is invalid

// Reactions
void forget_tokens(db::Write&, const accounts::TokensRevoked&);
void forget_sessions(db::Write&, const accounts::SessionsEnded&);

// Entity WebPushSubscription.
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

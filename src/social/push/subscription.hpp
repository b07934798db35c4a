// SPDX-License-Identifier: AGPL-3.0-or-later
// Web Push subscriptions: to which address of a browser's maker, with which keys and about what, notifications of one
// access token or one web session are sent. They go with the token or the session.
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

// About whose doings: followed are those the user follows, follower those who follow the user.
BOOST_DEFINE_ENUM_CLASS(Policy, all, followed, follower, none)

struct Subscription {
    PushId id;
    std::string endpoint, p256dh, auth;
    bool standard = false;  // RFC 8291; else the draft before it
    Policy policy = Policy::all;
    std::string alerts;  // JSON
};
DESCRIBE(Subscription, id, endpoint, p256dh, auth, standard, policy, alerts)

struct Owner {
    UserId user;
    std::optional<TokenId> token;  // one of the two
    std::optional<SessionId> session;
};
struct Target {
    std::string endpoint, p256dh, auth;
    bool standard = false;
};
struct Choice {
    Policy policy = Policy::all;
    std::map<std::string, bool> alerts;  // by type of notification; other words are left out
};

// Takes the place of the owner's earlier one. Throws Invalid: an address that is not https, a key that is none.
PushId subscribe(db::Write&, const Owner&, const Target&, const Choice&);
void choose(db::Write&, PushId, const Choice&);
void unsubscribe(db::Write&, TokenId);

Subscription of_token(db::Read&, TokenId);        // throws NotFound
Subscription of_user(db::Read&, UserId, PushId);  // throws NotFound

// What ends one subscription without any login: the service that delivers the messages is told it with each.
std::string unsubscribe_token(db::Read&, PushId);
std::string unsubscribe_token(std::string_view key, PushId);  // key: instance::unsubscribe_key
void unsubscribe_by(db::Write&, std::string_view token);      // does nothing when it is not one of ours

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

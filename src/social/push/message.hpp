// SPDX-License-Identifier: AGPL-3.0-or-later
// What a subscription is told of a notification, found at the moment when it is sent: what is gone, hidden or filtered by
// then is not told.
#pragma once
#include "social/push/encryption.hpp"
#include "social/push/queue.hpp"

namespace push {

// Nothing is told later than this after it happened.
constexpr std::int64_t longest_wait_seconds = 48 * 3600;

struct Message {
    MessageId id;
    PushId subscription;
    std::int64_t attempts = 0;
    std::string endpoint;
    bool standard = false;
    Receiver receiver;
    std::string payload;  // JSON
    std::string unsubscribe_url;
};

// Those of the rows that are still to be sent.
std::vector<Message> messages(db::Read&, const std::vector<MessageId>&);

// Who we say that we are.
struct Identity {
    std::string private_pem, contact;  // contact: a URL
    bool operator==(const Identity&) const = default;
};
Identity identity(db::Read&);

}  // namespace push

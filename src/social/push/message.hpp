// SPDX-License-Identifier: AGPL-3.0-or-later
// The content of a push message, determined when it is sent: notifications that are deleted, hidden or
// filtered by then are skipped.
#pragma once
#include "social/push/encryption.hpp"
#include "social/push/queue.hpp"

namespace push {

// Messages about older events are not sent.
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

// The messages of those rows that are still to be sent.
std::vector<Message> messages(db::Read&, const std::vector<MessageId>&);

// How we identify ourselves to push services.
struct Identity {
    std::string private_pem, contact;  // contact: a URL
    bool operator==(const Identity&) const = default;
};
Identity identity(db::Read&);

}  // namespace push

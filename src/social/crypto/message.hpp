// SPDX-License-Identifier: AGPL-3.0-or-later
// Encrypted messages on their way: each waits for one device until that has read it. The server adds a proof that
// only it can open, so that a reported message can be told from a forged one.
#pragma once
#include "base/page.hpp"
#include "social/crypto/device.hpp"

namespace crypto {

using MessageId = base::Id<struct EncryptedMessageTag>;

struct Message {
    MessageId id;
    AccountId account_id;  // the sender's
    std::string device_id;
    std::int64_t type = 0;
    std::string body, digest, message_franking;
    base::Time created_at;
};
DESCRIBE(Message, id, account_id, device_id, type, body, digest, message_franking, created_at)

struct Delivery {
    AccountId account_id;
    std::string device_id;
    std::int64_t type = 0;
    std::string body, hmac;
};

constexpr std::int64_t most_waiting = 1000;      // messages at one device
constexpr std::size_t largest_message = 65'536;  // bytes of body and hmac

// Throws NotFound: no such device. Throws Invalid: too large, too many wait.
void deliver(db::Write&, const Device& from, const Device& to, const Delivery&);

std::optional<Message> find_message(db::Read&, MessageId);
std::vector<Message> messages(db::Read&, DeviceRowId, const base::Range&);
void clear(db::Write&, DeviceRowId, MessageId up_to);

}  // namespace crypto

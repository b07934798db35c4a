// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/crypto/message.hpp"

#include "base/crypto.hpp"
#include "base/json.hpp"
#include "base/signing.hpp"
#include "social/instance/settings.hpp"

#include <algorithm>

namespace crypto {

namespace {

constexpr std::string_view key_name = "message_franking_key";

struct Franking {
    AccountId source_account_id, target_account_id;
    base::Time timestamp;
    std::string digest;
};
DESCRIBE(Franking, source_account_id, target_account_id, timestamp, digest)

std::string franking_key(db::Write& db) {
    if (auto known = instance::setting(db, key_name)) return base::from_base64(*known).value_or("");
    auto key = base::new_secret_key();
    instance::set_setting(db, key_name, base::base64(key));
    return key;
}

std::string franking(db::Write& db, const Device& from, const Device& to, const Delivery& given) {
    Franking proof{from.account_id, to.account_id, db.now(), given.hmac};
    return base::base64(base::seal(franking_key(db), base::json::to_string(proof)));
}

}  // namespace

const db::Query<std::int64_t> waiting_messages{
    "waiting_messages", "SELECT CAST(COUNT(*) AS BIGINT) FROM crypto_messages WHERE device = $1"
};
const db::Command insert_message{
    "insert_message",
    R"(INSERT INTO crypto_messages (id, device, from_account_id, from_device_id, type, body, digest,
           message_franking, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9))"
};

void deliver(db::Write& db, const Device& from, const Device& to, const Delivery& given) {
    if (given.body.size() + given.hmac.size() > largest_message)
        throw base::Invalid("Validation failed: Body is too long");
    if (db.one(waiting_messages, to.id) >= most_waiting)
        throw base::Invalid("Validation failed: Device has too many messages waiting");
    Message m{
        db.new_id<MessageId>(),
        from.account_id,
        from.device_id,
        given.type,
        given.body,
        given.hmac,
        franking(db, from, to, given),
        db.now()
    };
    db.run(
        insert_message,
        m.id,
        to.id,
        m.account_id,
        m.device_id,
        m.type,
        m.body,
        m.digest,
        m.message_franking,
        m.created_at
    );
    db.announce(
        {"device:" + std::to_string(to.token_id.value), "encrypted_message", std::to_string(m.id.value)}
    );
}

const db::Query<Message> message_by_id{
    "message_by_id",
    R"(SELECT id, from_account_id AS account_id, from_device_id AS device_id, type, body, digest,
              message_franking, created_at
       FROM crypto_messages WHERE id = $1)"
};

std::optional<Message> find_message(db::Read& db, MessageId id) { return db.maybe(message_by_id, id); }

const db::Query<Message> messages_down{
    "messages_down",
    R"(SELECT id, from_account_id AS account_id, from_device_id AS device_id, type, body, digest,
              message_franking, created_at
       FROM crypto_messages WHERE device = $1 AND id > $2 AND id < $3 ORDER BY id DESC LIMIT $4)"
};
const db::Query<Message> messages_up{
    "messages_up",
    R"(SELECT id, from_account_id AS account_id, from_device_id AS device_id, type, body, digest,
              message_franking, created_at
       FROM crypto_messages WHERE device = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4)"
};

std::vector<Message> messages(db::Read& db, DeviceRowId device, const base::Range& range) {
    auto found =
        db.all(range.ascending ? messages_up : messages_down, device, range.above, range.below, range.limit);
    if (range.ascending) std::ranges::reverse(found);
    return found;
}

const db::Command clear_messages{
    "clear_messages", "DELETE FROM crypto_messages WHERE device = $1 AND id <= $2"
};

void clear(db::Write& db, DeviceRowId device, MessageId up_to) { db.run(clear_messages, device, up_to); }

}  // namespace crypto

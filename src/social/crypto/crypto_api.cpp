// SPDX-License-Identifier: AGPL-3.0-or-later
// Shapes as the reference once had them and never released (decisions 2).
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/crypto/message.hpp"
#include "social/relationships/viewer_relationships.hpp"

#include <algorithm>

namespace crypto {
namespace {

using http::Viewer;

struct ShownDevice {
    std::string device_id, name, identity_key, fingerprint_key;
};
DESCRIBE(ShownDevice, device_id, name, identity_key, fingerprint_key)

ShownDevice shown(const Device& d) { return {d.device_id, d.name, d.identity_key, d.fingerprint_key}; }

struct DeviceForm {
    std::string device_id;
    http::Required<std::string> name, fingerprint_key, identity_key;
};
DESCRIBE(DeviceForm, device_id, name, fingerprint_key, identity_key)
struct KeyForm {
    http::Required<std::string> key_id, key, signature;
};
DESCRIBE(KeyForm, key_id, key, signature)
struct UploadForm {
    DeviceForm device;
    std::vector<KeyForm> one_time_keys;
};
DESCRIBE(UploadForm, device, one_time_keys)

void upload_keys(db::Write& db, const Viewer& me, const UploadForm& form) {
    const auto& d = form.device;
    Upload given{d.device_id, *d.name, *d.fingerprint_key, *d.identity_key, {}};
    for (const auto& one : form.one_time_keys)
        given.one_time_keys.push_back({*one.key_id, *one.key, *one.signature});
    upload(db, me.account, me.token, given);
}

ShownDevice show_own(db::Read& db, const Viewer& me) { return shown(own_device(db, me.token)); }

constexpr std::size_t most_targets = 200;

void require_few(std::size_t count) {
    if (count > most_targets) throw base::Invalid("Validation failed: Too many devices");
}

// Whoever blocks the viewer has no devices for them.
bool is_hidden(db::Read& db, const Viewer& me, AccountId id) {
    return relationships::relationships_of(db, me.account, me.relations_version)->blocked_by.contains(id);
}

struct Ids {
    std::vector<AccountId> id;
};
DESCRIBE(Ids, id)
struct QueryResult {
    AccountId account_id;
    std::vector<ShownDevice> devices;
};
DESCRIBE(QueryResult, account_id, devices)

std::vector<QueryResult> query(db::Read& db, const Viewer& me, const Ids& form) {
    require_few(form.id.size());
    std::vector<QueryResult> out;
    auto known = accounts::accounts(db, form.id);
    auto devices = devices_of(db, form.id);
    for (auto id : form.id) {
        if (std::ranges::find(known, id, &accounts::Account::id) == known.end()) continue;
        if (std::ranges::find(out, id, &QueryResult::account_id) != out.end()) continue;
        out.push_back({id, {}});
        if (is_hidden(db, me, id)) continue;
        for (const auto& d : devices)
            if (d.account_id == id) out.back().devices.push_back(shown(d));
    }
    return out;
}

struct Target {
    AccountId account_id;
    std::string device_id;
};
DESCRIBE(Target, account_id, device_id)
struct Targets {
    std::vector<Target> device;
};
DESCRIBE(Targets, device)
struct ClaimResult {
    AccountId account_id;
    std::string device_id, key_id, key, signature;
};
DESCRIBE(ClaimResult, account_id, device_id, key_id, key, signature)

std::vector<ClaimResult> claim(db::Write& db, const Viewer& me, const Targets& form) {
    require_few(form.device.size());
    std::vector<ClaimResult> out;
    for (const auto& target : form.device) {
        auto device = find_device(db, target.account_id, target.device_id);
        if (!device || is_hidden(db, me, target.account_id)) continue;
        if (auto key = take_key(db, device->id))
            out.push_back({target.account_id, target.device_id, key->key_id, key->key, key->signature});
    }
    return out;
}

struct Count {
    std::int64_t one_time_keys = 0;
};
DESCRIBE(Count, one_time_keys)

Count count(db::Read& db, const Viewer& me) { return {count_keys(db, own_device(db, me.token).id)}; }

struct DeliveryForm {
    AccountId account_id;
    std::string device_id;
    std::int64_t type = 0;
    std::string body, hmac;
};
DESCRIBE(DeliveryForm, account_id, device_id, type, body, hmac)
struct DeliveriesForm {
    http::Param<std::vector<DeliveryForm>> device;
};
DESCRIBE(DeliveriesForm, device)

void deliver_all(db::Write& db, const Viewer& me, const DeliveriesForm& form) {
    require_few(form.device->size());
    auto own = own_device(db, me.token);
    for (const auto& given : *form.device) {
        auto target = find_device(db, given.account_id, given.device_id);
        if (!target || is_hidden(db, me, given.account_id)) throw base::NotFound();
        deliver(db, own, *target, {given.account_id, given.device_id, given.type, given.body, given.hmac});
    }
}

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<80, 160> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

http::Page<Message> list(db::Read& db, const Viewer& me, const PageForm& form) {
    http::Page<Message> page{messages(db, own_device(db, me.token).id, http::range_of(form)), {}};
    const auto& found = page.items;
    bool full = found.size() == static_cast<std::size_t>(form.limit.value);
    if (!found.empty())
        page.cursors = base::cursors_of(found.front().id.value, found.back().id.value, full, false);
    return page;
}

struct UpTo {
    http::Param<std::int64_t> up_to_id;
};
DESCRIBE(UpTo, up_to_id)

void clear_read(db::Write& db, const Viewer& me, const UpTo& form) {
    clear(db, own_device(db, me.token).id, MessageId{*form.up_to_id});
}

// clang-format off
constexpr http::Route table[] = {
    http::post<upload_keys, show_own>("/api/v1/crypto/keys/upload",               "crypto"),
    http::post<query>                ("/api/v1/crypto/keys/query",                "crypto"),
    http::post<claim>                ("/api/v1/crypto/keys/claim",                "crypto"),
    http::get<count>                 ("/api/v1/crypto/keys/count",                "crypto"),
    http::post<deliver_all>          ("/api/v1/crypto/deliveries",                "crypto"),
    http::get<list>                  ("/api/v1/crypto/encrypted_messages",        "crypto"),
    http::post<clear_read>           ("/api/v1/crypto/encrypted_messages/clear",  "crypto"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace crypto

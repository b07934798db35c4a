// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/interactions/pin.hpp"

#include "social/accounts/account.hpp"
#include "social/statuses/core/visibility.hpp"

#include <algorithm>

namespace statuses {

const db::Query<StatusId> pins_of_account{
    "pins_of_account", "SELECT status_id FROM status_pins WHERE account_id = $1 ORDER BY id DESC"
};

std::vector<StatusId> pinned(db::Read& db, AccountId account) { return db.all(pins_of_account, account); }

namespace {

void refuse(const char* why) { throw base::Invalid(std::string("Validation failed: ") + why); }

}  // namespace

const db::Command insert_pin{
    "insert_pin", "INSERT INTO status_pins (id, account_id, status_id) VALUES ($1, $2, $3)"
};

void pin(db::Write& db, AccountId me, StatusId id) {
    auto status = visible_facts(db, audience(db, me), id);
    if (status.is_reblog()) refuse("A boost cannot be pinned");
    if (status.account_id != me) refuse("Someone else's post cannot be pinned");
    if (status.visibility == Visibility::direct || status.visibility == Visibility::limited)
        refuse("Posts that are only visible to mentioned users cannot be pinned");
    auto pins = pinned(db, me);
    if (std::ranges::find(pins, id) != pins.end()) throw base::Invalid("Duplicate record");
    auto most = accounts::account(db, me).local() ? max_pins : max_remote_pins;
    if (static_cast<std::int64_t>(pins.size()) >= most)
        refuse("You have already pinned the maximum number of posts");
    db.run(insert_pin, db.new_id<base::Id<struct PinTag>>(), me, id);
    db.emit(Pinned{id, me});
}

const db::Command delete_pin{
    "delete_pin", "DELETE FROM status_pins WHERE account_id = $1 AND status_id = $2"
};

void unpin(db::Write& db, AccountId me, StatusId id) {
    visible_facts(db, audience(db, me), id);
    if (db.run(delete_pin, me, id) > 0) db.emit(Unpinned{id, me});
}

void set_remote_pins(db::Write& db, AccountId account, const std::vector<StatusId>& shown) {
    auto pins = pinned(db, account);
    for (auto id : pins)
        if (std::ranges::find(shown, id) == shown.end() && db.run(delete_pin, account, id) > 0)
            db.emit(Unpinned{id, account});
    for (auto id = shown.rbegin(); id != shown.rend(); ++id) {
        auto status = find_status(db, *id);
        bool fits = status && status->account_id == account && !status->reblog_of_id &&
                    status->visibility != Visibility::direct && status->visibility != Visibility::limited;
        if (!fits || std::ranges::find(pins, *id) != pins.end()) continue;
        db.run(insert_pin, db.new_id<base::Id<struct PinTag>>(), account, *id);
        db.emit(Pinned{*id, account});
    }
}

const db::Command delete_pins_of_status{
    "delete_pins_of_status", "DELETE FROM status_pins WHERE status_id = $1"
};

void forget_pins(db::Write& db, StatusId id) { db.run(delete_pins_of_status, id); }

}  // namespace statuses

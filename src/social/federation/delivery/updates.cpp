// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/updates.hpp"

#include "social/accounts/account.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/delivery/status_jobs.hpp"
#include "social/federation/documents/linked.hpp"
#include "social/instance/federation_mode.hpp"

namespace federation {

struct Planned {
    Update kind = Update::poll;
    std::int64_t id = 0;
};
DESCRIBE(Planned, kind, id)

const db::Command insert_planned_update{
    "insert_planned_update",
    R"(INSERT INTO planned_updates (kind, id, due_at) VALUES ($1, $2, $3)
       ON CONFLICT (kind, id) DO UPDATE SET due_at = CASE WHEN planned_updates.due_at < excluded.due_at
           THEN planned_updates.due_at ELSE excluded.due_at END)"
};
const db::Query<Planned> take_planned_updates{
    "take_planned_updates",
    R"(DELETE FROM planned_updates WHERE (kind, id) IN (
           SELECT kind, id FROM planned_updates WHERE due_at <= $1 ORDER BY due_at LIMIT 100)
       RETURNING kind, id)"
};
const db::Query<bool> update_is_due{
    "update_is_due", "SELECT EXISTS (SELECT 1 FROM planned_updates WHERE due_at <= $1) AS due"
};
const db::Query<bool> any_actor_known{"any_actor_known", "SELECT EXISTS (SELECT 1 FROM actors)"};

namespace {

std::string profile_of(AccountId id) { return "profile " + std::to_string(id.value); }

}  // namespace

void plan_update(db::Write& db, Update kind, std::int64_t id, std::int64_t in_seconds) {
    db.run(insert_planned_update, kind, id, db.now().plus_seconds(in_seconds));
}

namespace {

void send_due_updates(db::Write& db) {
    for (const auto& planned : db.all(take_planned_updates, db.now())) {
        auto activity = db.new_id<ActivityId>();
        if (planned.kind == Update::poll)
            db.emit(StatusActivityWanted{ActivityKind::update, {planned.id}, activity});
        else db.emit(ProfileActivityWanted{{planned.id}, activity});
    }
}

}  // namespace

jobs::Change send_planned_updates(db::Read& db) {
    if (!db.one(update_is_due, db.now())) return {};
    return send_due_updates;
}

void plan_profile(db::Write& db, const accounts::ProfileChanged& e) {
    constexpr std::int64_t debounce_seconds = 10;
    auto account = accounts::find_account(db, e.account);
    if (account && account->local() && db.one(any_actor_known))
        plan_update(db, Update::actor, e.account.value, debounce_seconds);
}

jobs::Change deliver_gone(db::Read& db, const accounts::AccountGone& e) {
    auto account = accounts::find_account(db, e.account);
    if (!account || !account->local() || !db.one(any_actor_known)) return {};
    OutgoingActivity out;
    out.signer = e.account;
    out.object = profile_of(e.account);
    out.body = linked(db, e.account, actor_delete_activity(db, *account));
    return [out](db::Write& write) {
        ActivityFanOut way{write.new_id<ActivityId>(), {}, recipients_of_everybody(out.signer)};
        record(write, way.activity, out);
        write.emit(way);
    };
}

std::string profile_activity(db::Read& db, const accounts::Account& account) {
    auto body = actor_update_activity(db, account);
    return instance::federation_mode(db).readers_sign() ? body : linked(db, account.id, std::move(body));
}

jobs::Change write_profile(db::Read& db, const ProfileActivityWanted& wanted) {
    auto account = accounts::find_account(db, wanted.account);
    if (!account || (account->suspended_at && accounts::is_gone(db, wanted.account))) return {};
    auto out = std::make_shared<OutgoingActivity>();
    out->signer = wanted.account;
    out->object = profile_of(wanted.account);
    out->body = profile_activity(db, *account);
    ActivityFanOut way{wanted.activity, {}, recipients_of_actor(wanted.account)};
    way.profile = wanted.account;
    way.version = account->version;
    return [out, way](db::Write& write) {
        record(write, way.activity, *out);
        write.emit(way);
    };
}

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/moving/moving.hpp"

#include "ap/write.hpp"
#include "base/json_read.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/federation/documents/linked.hpp"
#include "social/federation/fetch/fetch.hpp"

#include <algorithm>

namespace federation {

namespace {

constexpr std::int64_t week_seconds = 7 * 86'400, month_seconds = 30 * 86'400;

}  // namespace

const db::Query<std::string> aliases_of_actor{
    "aliases_of_actor", "SELECT also_known_as FROM actors WHERE account_id = $1"
};
const db::Query<bool> has_moved_since{
    "has_moved_since", "SELECT EXISTS (SELECT 1 FROM moves WHERE account_id = $1 AND moved_at > $2)"
};
const db::Command put_move{
    "put_move",
    R"(INSERT INTO moves (account_id, moved_at) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE SET moved_at = excluded.moved_at)"
};

bool lists(db::Read& db, AccountId id, const std::string& alias) {
    auto known = db.maybe(aliases_of_actor, id);
    auto all = known ? base::json::read<std::vector<std::string>>(*known) : accounts::aliases(db, id);
    return std::ranges::find(all, alias) != all.end();
}

bool moved_lately(db::Read& db, AccountId id) {
    return db.one(has_moved_since, id, db.now().plus_seconds(-week_seconds));
}

std::optional<AccountId> confirmed_target(
    const base::Ask& ask, db::Read& db, AccountId id, const std::string& target, int depth
) {
    accounts::Resolve fresh{target};
    fresh.again = true;
    fresh.depth = depth;
    reschedule_or_fail(ask(fresh));
    auto found = accounts::find_by_uri(db, target);
    if (!found || *found == id) return std::nullopt;
    if (!lists(db, *found, accounts::uri_of(db.site(), accounts::account(db, id)))) return std::nullopt;
    auto there = accounts::account(db, *found);
    if (there.suspended_at || there.moved_to_id) return std::nullopt;
    return found;
}

jobs::Change look_where_moved(const base::Ask& ask, db::Read& db, const MoveNamed& e) {
    auto named = named_move_of(db, e.account);
    auto account = accounts::find_account(db, e.account);
    if (named.empty() || !account || account->suspended_at) return {};
    auto target = confirmed_target(ask, db, e.account, named, 1);
    if (!target) return {};
    return [id = e.account, target = *target, named](db::Write& write) {
        // If two accounts name each other, they have not both moved.
        bool still = named_move_of(write, id) == named && !accounts::account(write, target).moved_to_id;
        if (still && accounts::account(write, id).moved_to_id != target) accounts::move_to(write, id, target);
    };
}

bool take_move(db::Write& db, const MovedActor& move) {
    if (moved_lately(db, move.account)) return true;
    db.run(put_move, move.account, db.now());
    relationships::move(db, move.account, move.target);
    return true;
}

void move_out(db::Write& db, AccountId id, AccountId target) {
    auto account = accounts::account(db, id), there = accounts::account(db, target);
    if (!account.local() || account.suspended_at) throw base::Invalid("This account cannot move");
    if (id == target) throw base::Invalid("An account cannot move to itself");
    if (db.one(has_moved_since, id, db.now().plus_seconds(-month_seconds)))
        throw base::Invalid("An account can move once in 30 days");
    if (there.suspended_at || there.moved_to_id) throw base::Invalid("The new account is not in use");
    if (!lists(db, target, accounts::uri_of(db.site(), account)))
        throw base::Invalid("The new account does not name this one as an alias");
    db.run(put_move, id, db.now());
    relationships::move(db, id, target);
    db.emit(accounts::ProfileChanged{id});
}

jobs::Change deliver_moved(db::Read& db, const relationships::Moved& e) {
    auto account = accounts::find_account(db, e.account);
    auto target = accounts::find_account(db, e.target);
    if (!account || !account->local() || !target) return {};
    auto actor = accounts::uri_of(db.site(), *account);
    ActivityFanOut way{{db::Write::next_id(db.now())}, {}, recipients_of_move(e.account)};
    auto id = base::uris::action(actor, "moves", way.activity.value);
    OutgoingActivity out;
    out.signer = e.account;
    out.object = "profile " + std::to_string(e.account.value);
    auto to = accounts::uri_of(db.site(), *target);
    out.body = ap::write::document(ap::write::move(id, actor, to, {base::uris::followers(actor)}));
    out.body = linked(db, e.account, std::move(out.body));
    return [out, way](db::Write& write) {
        record(write, way.activity, out);
        write.emit(way);
    };
}

const db::Command drop_own_moves{
    "drop_own_moves",
    R"(DELETE FROM moves WHERE account_id = $1 AND account_id IN (
           SELECT account_id FROM moves WHERE account_id = $1 ORDER BY account_id LIMIT $2))"
};

}  // namespace federation

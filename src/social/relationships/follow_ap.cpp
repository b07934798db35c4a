// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/follow_ap.hpp"

#include "base/uris.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/former/former.hpp"

namespace relationships {

namespace {

namespace uris = base::uris;

bool is_local(db::Read& db, AccountId id) {
    auto account = accounts::find_account(db, id);
    return account && account->local();
}

std::optional<AccountId> find_local(db::Read& db, std::string_view uri) {
    if (!uris::is_ours(db.site(), uri)) return std::nullopt;
    return accounts::find_by_uri(db, uri);
}

}  // namespace

std::optional<IncomingFollow> follow_wanted(db::Read& db, const ap::Incoming& in) {
    const auto& target = in.activity.object.id;
    auto ours = former::ours(db, target);
    if (!ours || ours->kind != uris::Kind::actor) return std::nullopt;
    if (ours->account == uris::server_actor && ours->username.empty())
        return IncomingFollow{in.actor, uris::server_actor, in.activity.id};
    auto account = accounts::find_by_uri(db, target);
    if (!account) return std::nullopt;
    return IncomingFollow{in.actor, *account, in.activity.id};
}

bool take_follow(db::Write& db, const IncomingFollow& asked) {
    if (!asked.target) {
        db.emit(FollowRefused{asked.account, asked.target, asked.uri});
        return true;
    }
    try {
        bool before = pair_state(db, asked.account, asked.target).following;
        follow(db, asked.account, asked.target, {}, asked.uri);
        // They may have missed the Accept.
        if (before) db.emit(FollowRepeated{asked.account, asked.target, asked.uri});
    } catch (const base::Forbidden&) {
        db.emit(FollowRefused{asked.account, asked.target, asked.uri});
    }
    return true;
}

std::optional<AccountPair> followed_actor(db::Read& db, const ap::Incoming& in) {
    auto follow = ap::inner(in);
    auto ours = former::ours(db, follow.id);
    if (ours && ours->kind == uris::Kind::action && ours->action != "follows") return std::nullopt;
    if (auto known = followed_by(db, follow.id)) {
        if (known->target != in.actor || !is_local(db, known->account)) return std::nullopt;
        return known;
    }
    if (ours && ours->kind == uris::Kind::action) {
        auto known = followed_by_number(db, FollowRequestId{ours->id});
        if (known && known->target == in.actor) return known;
    }
    if (follow.object.empty() || follow.object != in.activity.actor) return std::nullopt;
    auto account = find_local(db, follow.actor);
    if (!account) return std::nullopt;
    return AccountPair{*account, in.actor};
}

bool take_accept(db::Write& db, const AccountPair& pair) {
    if (!pair_state(db, pair.account, pair.target).requested) return false;
    authorize_request(db, pair.target, pair.account);
    return true;
}

bool take_reject(db::Write& db, const AccountPair& pair) {
    auto stand = pair_state(db, pair.account, pair.target);
    refuse(db, pair.target, pair.account);
    return stand.requested || stand.following;
}

namespace {

std::optional<Taken> taken(db::Read& db, const ap::Incoming& in) {
    auto undone = ap::inner(in);
    if (!undone.actor.empty() && undone.actor != in.activity.actor) return std::nullopt;
    Taken out{undone.id, in.actor, {}};
    if (auto target = find_local(db, undone.object)) out.target = *target;
    if (out.uri.empty() && !out.target) return std::nullopt;
    return out;
}

}  // namespace

std::optional<Taken> undone_follow(db::Read& db, const ap::Incoming& in) { return taken(db, in); }

bool take_undo_follow(db::Write& db, const Taken& what) {
    auto target = what.target;
    if (auto known = followed_by(db, what.uri); known && known->account == what.account)
        target = known->target;
    if (!target) return false;
    auto stand = pair_state(db, what.account, target);
    unfollow(db, what.account, target);
    return stand.requested || stand.following;
}

std::optional<AccountPair> undone_accept(db::Read& db, const ap::Incoming& in) {
    const auto& accept = in.activity.object.embedded;
    if (ap::names_by_id(in.activity.object) || accept["actor"].id() != in.activity.actor) return std::nullopt;
    auto follow = ap::reference(accept, accept["object"]);
    if (auto known = followed_by(db, follow.id); known && known->target == in.actor) return known;
    if (!follow.embedded || follow.embedded["object"].id() != in.activity.actor) return std::nullopt;
    auto account = find_local(db, follow.embedded["actor"].id());
    if (!account) return std::nullopt;
    return AccountPair{*account, in.actor};
}

bool take_undo_accept(db::Write& db, const AccountPair& pair) {
    if (!is_local(db, pair.account) || !pair_state(db, pair.account, pair.target).following) return false;
    withdraw_acceptance(db, pair.target, pair.account);
    return true;
}

// A Block with a target is a ban from a group, and is not handled here.
std::optional<IncomingFollow> block_wanted(db::Read& db, const ap::Incoming& in) {
    if (!in.activity.target.id.empty()) return std::nullopt;
    auto target = find_local(db, in.activity.object.id);
    if (!target) return std::nullopt;
    return IncomingFollow{in.actor, *target, in.activity.id};
}

bool take_block(db::Write& db, const IncomingFollow& asked) {
    block(db, asked.account, asked.target, asked.uri);
    return true;
}

std::optional<Taken> undone_block(db::Read& db, const ap::Incoming& in) { return taken(db, in); }

bool take_undo_block(db::Write& db, const Taken& what) {
    auto target = what.target;
    if (auto known = blocked_by(db, what.uri); known && known->account == what.account)
        target = known->target;
    if (!target || !pair_state(db, what.account, target).blocking) return false;
    unblock(db, what.account, target);
    return true;
}

}  // namespace relationships

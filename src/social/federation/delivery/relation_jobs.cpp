// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/status_jobs.hpp"

#include "ap/write.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/former/former.hpp"

namespace federation {

namespace {

namespace uris = base::uris;

// A local sender and a remote recipient.
struct Pair {
    AccountId here;
    std::string actor, other, inbox;
};

// `deletion_notice`: also to an account that is suspended here.
std::optional<Pair> pair(db::Read& db, AccountId here, AccountId elsewhere, bool deletion_notice = false) {
    auto inbox = inbox_of(db, elsewhere, deletion_notice);
    if (inbox.empty()) return std::nullopt;  // mostly because the account is local
    auto actor = uris::actor(db.site(), here);
    if (here != uris::server_actor) {
        auto mine = accounts::find_account(db, here);
        if (!mine || !mine->local()) return std::nullopt;
        // The deletion of this account is announced: nothing else is sent for it.
        if (mine->suspended_at && accounts::is_gone(db, here)) return std::nullopt;
        actor = accounts::uri_of(db.site(), *mine);
    }
    auto theirs = accounts::account(db, elsewhere);
    return Pair{here, actor, theirs.uri, inbox};
}

// `blocked`: also to suspended servers, to end an existing relationship.
enum class To { reachable, anybody, blocked };

void say(
    db::Write& db, const Pair& pair, const char* about, ap::write::Activity activity, To to = To::reachable
) {
    OutgoingActivity out;
    out.signer = pair.here;
    out.object = std::string(about) + " " + pair.actor + " " + pair.other;
    out.always = to == To::anybody;
    out.deletion_notice = to == To::blocked;
    out.body = ap::write::document(std::move(activity));
    send(db, out, {pair.inbox});
}

constexpr const char* our_follow = "follow of";
constexpr const char* their_follow = "follow by";
constexpr const char* our_block = "block of";

ap::write::Activity own_follow(const Pair& pair, std::int64_t number, const std::string& sent_as = {}) {
    auto id = sent_as.empty() ? uris::action(pair.actor, "follows", number) : sent_as;
    return ap::write::follow(std::move(id), pair.actor, pair.other);
}

// Other servers may identify it by its id alone, so it must have the id that it was sent with.
void take_back(db::Write& db, const Pair& pair, std::int64_t number, const std::string& sent_as) {
    say(db, pair, our_follow, ap::write::undo(own_follow(pair, number, sent_as)), To::blocked);
}

// The Follow that they sent, as far as it is known.
ap::write::Raw follow_by(const Pair& pair, const std::string& uri) {
    return ap::write::embedded(ap::write::follow(uri, pair.other, pair.actor));
}

std::string answer_id(db::Write& db, const Pair& pair, const char* what) {
    return uris::action(pair.actor, what, db.new_id<ActivityId>().value);
}

void reject(db::Write& db, const Pair& pair, const std::string& uri) {
    auto id = answer_id(db, pair, "rejects/follows");
    say(db, pair, their_follow, ap::write::reject(id, pair.actor, follow_by(pair, uri)), To::blocked);
}

void accept(db::Write& db, const Pair& pair, const std::string& uri) {
    auto id = answer_id(db, pair, "accepts/follows");
    say(db, pair, their_follow, ap::write::accept(id, pair.actor, follow_by(pair, uri)));
}

}  // namespace

const db::Query<std::int64_t> request_number{
    "request_number", "SELECT id FROM follow_requests WHERE account_id = $1 AND target_id = $2"
};

void deliver_follow_requested(db::Write& db, const relationships::FollowRequested& e) {
    auto to = pair(db, e.account, e.target);
    if (!to) return;
    if (auto id = db.maybe(request_number, e.account, e.target))
        say(db, *to, our_follow, own_follow(*to, *id), To::anybody);
}

void deliver_request_answered(db::Write& db, const relationships::FollowRequestAnswered& e) {
    if (e.accepted) return;  // deliver_followed says so
    if (e.taken_back) {
        if (auto to = pair(db, e.account, e.target, true)) take_back(db, *to, e.request.value, e.uri);
    } else if (auto to = pair(db, e.target, e.account, true)) {
        reject(db, *to, e.uri);
    }
}

const db::Query<std::string> uri_of_follow{
    "uri_of_follow", "SELECT COALESCE(uri, '') AS uri FROM follows WHERE id = $1"
};

void deliver_followed(db::Write& db, const relationships::Followed& e) {
    if (auto to = pair(db, e.target, e.account))
        accept(db, *to, db.maybe(uri_of_follow, e.follow).value_or(""));
}

void deliver_unfollowed(db::Write& db, const relationships::Unfollowed& e) {
    if (e.refused) {
        if (auto to = pair(db, e.target, e.account, true)) reject(db, *to, e.uri);
    } else if (auto to = pair(db, e.account, e.target, true)) {
        take_back(db, *to, e.follow.value, e.uri);
    }
}

void deliver_refused(db::Write& db, const relationships::FollowRefused& e) {
    if (auto to = pair(db, e.target, e.account, true)) reject(db, *to, e.uri);
}

void deliver_repeated(db::Write& db, const relationships::FollowRepeated& e) {
    if (auto to = pair(db, e.target, e.account)) accept(db, *to, e.uri);
}

void deliver_disowned(db::Write& db, const relationships::FollowDisowned& e) {
    auto to = pair(db, e.account, e.target);
    if (to) say(db, *to, our_follow, ap::write::undo(own_follow(*to, db.new_id<ActivityId>().value)));
}

const db::Query<std::int64_t> block_number{
    "block_number", "SELECT id FROM blocks WHERE account_id = $1 AND target_id = $2"
};

const db::Query<std::string> uri_of_block{
    "uri_of_block", "SELECT uri FROM blocks WHERE id = $1 AND uri IS NOT NULL"
};

namespace {

ap::write::Activity own_block(db::Read& db, const Pair& pair, std::int64_t number) {
    auto id = former::took_over() ? db.maybe(uri_of_block, number) : std::nullopt;
    return ap::write::block(id.value_or(uris::action(pair.actor, "blocks", number)), pair.actor, pair.other);
}

}  // namespace

void deliver_blocked(db::Write& db, const relationships::Blocked& e) {
    auto to = pair(db, e.account, e.target);
    if (!to) return;
    if (auto id = db.maybe(block_number, e.account, e.target))
        say(db, *to, our_block, own_block(db, *to, *id));
}

void deliver_unblocked(db::Write& db, const relationships::Unblocked& e) {
    if (auto to = pair(db, e.account, e.target))
        say(db, *to, our_block, ap::write::undo(own_block(db, *to, e.block.value)));
}

}  // namespace federation

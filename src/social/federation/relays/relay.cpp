// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/relays/relay.hpp"

#include "ap/url.hpp"
#include "ap/write.hpp"
#include "base/crypto.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/former/former.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

namespace {

namespace uris = base::uris;

ap::write::Activity follow_of(const base::Site& site, const Relay& relay) {
    auto object = relay.actor.empty() ? std::string(uris::public_collection) : relay.actor;
    return ap::write::follow(relay.follow, uris::actor(site, uris::server_actor), object);
}

void say(db::Write& db, const std::string& inbox, ap::write::Activity activity) {
    OutgoingActivity out;
    out.signer = uris::server_actor;
    out.object = "relay " + inbox;
    out.always = true;
    out.body = ap::write::document(std::move(activity));
    send(db, out, {inbox});
}

}  // namespace

#define RELAYS "SELECT id, address, inbox, actor, follow, state, account_id, created_at FROM relays "

const db::Query<Relay> all_relays{"all_relays", RELAYS "ORDER BY id"};
const db::Query<Relay> relay_by_address{"relay_by_address", RELAYS "WHERE address = $1"};
const db::Query<Relay> relay_by_follow{"relay_by_follow", RELAYS "WHERE follow = $1"};
const db::Command insert_relay{
    "insert_relay",
    "INSERT INTO relays (id, address, inbox, actor, follow, created_at) VALUES ($1, $2, $3, $4, $5, $6)"
};
const db::Command delete_relay{"delete_relay", "DELETE FROM relays WHERE id = $1"};
const db::Command settle_relay{"settle_relay", "UPDATE relays SET state = $2, account_id = $3 WHERE id = $1"};
const db::Query<bool> relay_of_account{
    "relay_of_account",
    "SELECT EXISTS (SELECT 1 FROM relays WHERE account_id = $1 AND account_id <> 0 AND state = 'accepted')"
};
const db::Query<bool> relay_of_actor{
    "relay_of_actor", "SELECT EXISTS (SELECT 1 FROM relays WHERE actor = $1 AND actor <> '')"
};

std::vector<Relay> relays(db::Read& db) { return db.all(all_relays); }

void add_relay(
    db::Write& db, const std::string& address, const std::string& inbox, const std::string& actor
) {
    if (!may_ask(db, inbox)) throw base::Invalid(inbox + " is no address of another server to talk to");
    if (db.maybe(relay_by_address, address)) throw base::Invalid("This relay is there already");
    Relay relay;
    relay.id = db.new_id<RelayId>();
    relay.actor = actor;
    relay.follow = uris::payload(db.site(), base::hex(base::random_bytes(16)));
    db.run(insert_relay, relay.id, address, inbox, actor, relay.follow, db.now());
    say(db, inbox, follow_of(db.site(), relay));
}

bool remove_relay(db::Write& db, const std::string& address) {
    auto relay = db.maybe(relay_by_address, address);
    if (!relay) return false;
    db.run(delete_relay, relay->id);
    say(db, relay->inbox, ap::write::undo(follow_of(db.site(), *relay)));
    return true;
}

bool is_relay(db::Read& db, base::AccountId account) { return db.one(relay_of_account, account); }

namespace {

std::optional<Relay> answering(db::Read& db, const ap::Activity& activity) {
    if (!activity.is("Accept") && !activity.is("Reject")) return std::nullopt;
    auto relay = db.maybe(relay_by_follow, activity.object.id);
    if (!relay || !ap::same_host(relay->inbox, activity.actor)) return std::nullopt;
    return relay;
}

}  // namespace

bool is_answer_of_relay(db::Read& db, const ap::Activity& activity) {
    return answering(db, activity).has_value();
}

std::optional<RelayAnswer> relay_answer(db::Read& db, const ap::Incoming& in) {
    auto relay = answering(db, in.activity);
    if (!relay) return std::nullopt;
    auto state = in.activity.is("Accept") ? RelayState::accepted : RelayState::rejected;
    return RelayAnswer{relay->id, in.actor, state};
}

bool take_relay_answer(db::Write& db, const RelayAnswer& answer) {
    return db.run(settle_relay, answer.relay, answer.state, answer.account) > 0;
}

std::optional<base::StatusId> relayed_post(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& id = in.activity.object.id;
    if (id.empty() || !is_relay(db, in.actor)) return std::nullopt;
    if (auto known = statuses::find_by_uri(db, id)) return known;
    const auto& found = ask(accounts::Resolve{id});
    if (found.resolution == accounts::Resolution::failed) throw base::Unavailable();
    // Already stored by the answer to the question; it is not stored as a boost.
    return found.status;
}

bool take_relayed(db::Write&, const base::StatusId&) { return true; }

std::optional<RelayFollow> relay_follow(db::Read& db, const ap::Incoming& in) {
    auto ours = former::ours(db, in.activity.object.id);
    bool server = ours && ours->kind == uris::Kind::actor && ours->account == uris::server_actor &&
                  ours->username.empty();
    if (!server || !db.one(relay_of_actor, in.activity.actor)) return std::nullopt;
    return RelayFollow{in.actor, in.activity.id};
}

bool take_relay_follow(db::Write& db, const RelayFollow& follow) {
    auto inbox = inbox_of(db, follow.account);
    auto actor = uris::actor(db.site(), uris::server_actor);
    auto theirs = accounts::account(db, follow.account).uri;
    auto id = uris::action(actor, "accepts/follows", db.new_id<ActivityId>().value);
    auto request = ap::write::embedded(ap::write::follow(follow.uri, theirs, actor));
    if (!inbox.empty()) say(db, inbox, ap::write::accept(id, actor, request));
    return true;
}

}  // namespace federation

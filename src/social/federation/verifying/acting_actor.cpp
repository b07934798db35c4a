// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/verifying/acting_actor.hpp"

#include "social/accounts/remote/remote.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/relays/relay.hpp"

namespace federation {

namespace {

std::string question_who(std::string_view uri) { return "actor " + std::string(uri); }

struct NamedActor {
    std::string uri;
    base::AccountId account;
    std::optional<base::Time> suspended_at;
};
DESCRIBE(NamedActor, uri, account, suspended_at)

}  // namespace

// accounts belongs to accounts.
const db::Query<Actor> actor_by_uri{
    "actor_by_uri",
    "SELECT id AS account, suspended_at FROM accounts WHERE uri = $1 AND uri <> '' AND domain <> ''"
};

std::optional<Actor> actor_here(db::Read& db, std::string_view uri) {
    if (uri.size() > accounts::longest_uri)
        return std::nullopt;  // no such actor is stored, nor anything that long
    return db.memoized(question_who(uri), [&] { return db.maybe(actor_by_uri, uri); });
}

const db::Query<NamedActor> actors_by_uris{
    "actors_by_uris",
    "SELECT uri, id AS account, suspended_at FROM accounts "
    "WHERE uri IN LIST($1) AND uri <> '' AND domain <> ''"
};

db::Remembering ask_for_actors(db::Read& db, const std::vector<std::string>& uris) {
    db.expect(actors_by_uris, uris);
    return [&db, uris] {
        for (const auto& uri : uris) db.remember(question_who(uri), std::optional<Actor>());
        for (const auto& one : db.all(actors_by_uris, uris))
            db.remember(question_who(one.uri), std::optional(Actor{one.account, one.suspended_at}));
    };
}

std::optional<Actor> actor_of(const base::Ask& ask, db::Read& db, const ap::Activity& activity) {
    if (auto known = actor_here(db, activity.actor)) return known;
    // An unknown actor has nothing here to change or undo.
    bool answer = is_answer_of_relay(db, activity);
    for (auto type : {"Delete", "Update", "Undo", "Accept", "Reject"})
        if (activity.is(type) && !answer) return std::nullopt;
    const auto& found = ask(accounts::Resolve{activity.actor});
    reschedule_or_fail(found);
    // Already stored by the answer to the question.
    return actor_here(db, activity.actor);
}

}  // namespace federation

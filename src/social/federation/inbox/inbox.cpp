// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/inbox.hpp"
#include "jobs/reactions.hpp"

#include "ap/url.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/inbox/incoming_posts.hpp"
#include "social/federation/inbox/synchronize.hpp"
#include "social/federation/relays/relay.hpp"
#include "social/federation/verifying/acting_actor.hpp"
#include "social/instance/domain_block.hpp"
#include "social/relationships/follow_lists.hpp"
#include "social/statuses/core/status.hpp"

#include <algorithm>

namespace federation {

namespace {

// Suspended accounts may only delete and undo.
bool goes_on_when_suspended(const ap::Activity& activity) {
    return activity.is("Delete") || activity.is("Reject") || activity.is("Undo") || activity.is("Update");
}

std::string undoing(std::string_view actor, std::string_view object) {
    return std::string(actor) + " undoes " + std::string(object);
}

// Activities whose object must belong to the actor.
bool speaks_of_its_own(const ap::Activity& activity) {
    return activity.is("Create") || activity.is("Update") || activity.is("Delete") || activity.is("Undo");
}

bool ids_fit(const ap::Activity& activity) {
    if (!activity.id.empty() && !ap::has_own_id(activity)) return false;
    if (!speaks_of_its_own(activity) || activity.object.id.empty()) return true;
    return ap::same_host(activity.object.id, activity.actor);
}

// The actor is its own object.
bool is_about_itself(const ap::Activity& activity) {
    return !activity.object.id.empty() && activity.object.id == activity.actor;
}

bool fits(const Handler& handler, const ap::Activity& activity) {
    if (handler.activity != activity.type) return false;
    if (handler.object.empty()) return true;
    const auto& object = activity.object;
    if (handler.object == "actor") return is_about_itself(activity);
    if (handler.object == "post") return !is_about_itself(activity);
    // An id alone may be of anything.
    return ap::names_by_id(object) || object.embedded.node().is(handler.object);
}

bool names_object_by_id_only(const ap::Activity& activity) {
    return ap::names_by_id(activity.object) &&
           (activity.is("Undo") || activity.is("Accept") || activity.is("Reject"));
}

// Sets `beside` when all of them may run beside others.
std::vector<Act> acts(
    const base::Ask& ask, db::Read& db, const Handlers& handlers, const ap::Incoming& in, bool& beside
) {
    std::vector<Act> out;
    beside = true;
    for (const auto& handler : handlers) {
        if (!fits(handler, in.activity)) continue;
        auto act = handler.prepare(ask, db, in);
        if (!act) continue;
        out.push_back(std::move(act));
        beside = beside && handler.beside;
        if (!names_object_by_id_only(in.activity)) break;
    }
    return out;
}

bool was_taken_back(db::Read& db, const ap::Activity& activity) {
    if (!activity.id.empty() && ended_early(db, activity.id, activity.actor)) return true;
    return activity.is("Create") && ended_early(db, activity.object.id, activity.actor);
}

bool undoes_follow(const ap::Activity& activity) {
    const auto& object = activity.object;
    return activity.is("Undo") && object.embedded && object.embedded.node().is("Follow") &&
           !object.id.empty();
}

jobs::Change change_of(std::vector<Act> acts, const ap::Incoming& in, jobs::Change forward) {
    return [acts = std::move(acts),
            forward = std::move(forward),
            undone = in.activity.is("Undo") ? in.activity.object.id : std::string(),
            undoes_follow = undoes_follow(in.activity),
            follow = in.activity.is("Follow") ? in.activity.id : std::string(),
            actor = in.activity.actor](db::Write& db) {
        // A Follow is not marked as seen, which would also check for an Undo since it was prepared; so that
        // is checked here.
        if (!follow.empty() && ended_early(db, follow, actor)) return;
        bool found = std::ranges::any_of(acts, [&](const Act& act) { return act(db); });
        if (found && forward) forward(db);
        // If the activity to undo was processed already, it is not still to come: it ended in another way,
        // e.g. a follow by a Reject.
        if (!found && !undone.empty() && !was_seen(db, undone)) end_early(db, undone, actor);
        // Misskey's Undo names a Follow with an id that was never sent, the same each time.
        if (undoes_follow && !was_seen(db, undone)) forget_seen(db, undoing(actor, undone));
        if (follow.empty() || !found) return;
        // Marks the Follow, so that its Undo can be distinguished from Misskey's, and lets it be undone
        // again.
        mark_seen(db, follow, follow, actor);
        forget_seen(db, undoing(actor, follow));
    };
}

// An Undo and the activity that it undoes may be processed concurrently: the lock makes the second see what
// the first did. Locks for storing a post are taken here already, so that a batch takes all its locks at
// once.
std::vector<db::Lock> locks_of(const ap::Incoming& in) {
    const auto about = subject_of(in.activity);
    if (about.empty()) return {};
    std::vector<db::Lock> out{db::alone("activity", std::string_view(about))};
    if (!in.activity.is("Create")) return out;
    out.push_back(db::alone(statuses::address_lock, std::string_view(about)));
    out.push_back(db::shared(statuses::author_lock, in.actor));
    const auto& post = in.activity.object.embedded;
    if (!post) return out;
    if (const auto parent = post["inReplyTo"].id(); !parent.empty())
        out.push_back(db::shared(statuses::address_lock, std::string_view(parent)));
    return out;
}

// The object of an unknown actor's Undo or Delete may still arrive.
jobs::Change remembered_end(const ap::Activity& activity) {
    if (!activity.is("Undo") && !activity.is("Delete")) return {};
    if (activity.object.id.empty() || is_about_itself(activity)) return {};
    return [id = activity.object.id, actor = activity.actor](db::Write& db) { end_early(db, id, actor); };
}

jobs::Change kept(const std::optional<FetchedKey>& learned) {
    if (!learned) return {};
    return [key = *learned](db::Write& db) { remember(db, key); };
}

}  // namespace

std::string seen_as(const ap::Activity& activity) {
    const auto& about = activity.object.id;
    if (activity.id.empty() || about.empty()) return activity.id;
    if (activity.is("Follow")) return {};
    if (activity.is("Undo")) return undoing(activity.actor, about);
    if (activity.is("Accept") || activity.is("Reject")) return activity.id + " " + about;
    if (activity.is("Delete")) return activity.id + " deletes " + about;
    if (!activity.is("Update")) return activity.id;
    const auto& object = activity.object.embedded;
    // Times in the future are not clamped to now, which would differ at each delivery.
    auto when = object ? object["updated"].time_to_come() : std::nullopt;
    if (!when) when = activity.document["published"].time_to_come();
    return activity.id + " updates " + about + (when ? " " + std::to_string(when->ms) : "");
}

Brought read(const Item& item, const Handlers& handlers, base::Time now) {
    Brought out{item, {}};
    auto document = ap::read_document(item.body);
    if (!document) return out;
    auto activity = ap::read_activity(*document, now);
    if (!activity || !ids_fit(*activity)) return out;
    auto wanted = [&](const Handler& handler) { return fits(handler, *activity); };
    if (std::ranges::any_of(handlers, wanted)) out.activity = *std::move(activity);
    return out;
}

void look_ahead(db::Read& db, std::span<const Brought> all) {
    std::vector<std::string> seen, actors, hosts;
    std::vector<std::pair<std::string, std::string>> ends;
    for (const auto& one : all) {
        if (!one.activity) continue;
        const auto& activity = *one.activity;
        actors.push_back(activity.actor);
        hosts.push_back(ap::host_of(activity.actor));
        if (activity.id.empty()) continue;
        if (auto known = seen_as(activity); !known.empty()) seen.push_back(std::move(known));
        ends.emplace_back(activity.id, activity.actor);
        if (activity.is("Create")) ends.emplace_back(activity.object.id, activity.actor);
    }
    if (actors.empty()) return;
    const db::Remembering of_all[] = {
        ask_whether_seen(db, seen),
        ask_whether_ended_early(db, ends),
        instance::ask_for_limits(db, hosts),
        ask_for_actors(db, actors),
    };
    for (const auto& take : of_all) take();
    std::vector<AccountId> authors;
    for (const auto& one : all) {
        if (!one.activity || !one.activity->is("Create")) continue;
        if (const auto actor = actor_here(db, one.activity->actor)) authors.push_back(actor->account);
    }
    if (authors.empty()) return;
    const db::Remembering of_authors[] = {
        ask_for_stored_actors(db, authors), relationships::ask_who_is_followed_here(db, authors)
    };
    for (const auto& take : of_authors) take();
}

Doing prepare(const base::Ask& ask, db::Read& db, const Handlers& handlers, const Brought& brought) {
    const auto& item = brought.item;
    auto activity = brought.activity;
    if (!activity) return {};
    if (const auto seen = seen_as(*activity); !seen.empty() && was_seen(db, seen)) return {};
    if (instance::limit_on(db, ap::host_of(activity->actor)).suspended) return {};
    std::optional<FetchedKey> learned;
    bool passed_on = activity->actor != item.signer;
    if (passed_on) {
        // A forwarded Follow is never accepted: anybody who kept it could replay it after it was undone.
        if (activity->is("Follow")) return {};
        auto known = verify_embedded(ask, db, item.body, *activity);
        if (!known.activity || !ids_fit(*known.activity)) return {kept(known.learned)};
        activity = *std::move(known.activity);
        learned = std::move(known.learned);
    }
    if (was_taken_back(db, *activity)) return {};
    ap::Incoming in;
    in.activity = *std::move(activity);
    in.reader = item.recipient_id;
    // Anybody can forward somebody else's post to any inbox; that does not make the inbox's owner a
    // recipient.
    if (!passed_on) in.recipient = item.recipient_id;
    auto actor = actor_of(ask, db, in.activity);
    if (!actor) return {remembered_end(in.activity)};
    if (actor->suspended_at && !goes_on_when_suspended(in.activity)) return {};
    in.actor = actor->account;
    if (passed_on) {
        auto bringer = actor_here(db, item.signer);
        in.relayed = bringer && is_relay(db, bringer->account);
    }
    bool beside = false;
    auto all = acts(ask, db, handlers, in, beside);
    // Activities without effect are not recorded as seen, as there may be any number of them.
    const auto seen = all.empty() && !in.activity.is("Undo") ? std::string() : seen_as(in.activity);
    auto change = change_of(std::move(all), in, forwarding(db, item, in));
    if (passed_on) {
        change = [first = kept(learned), change = std::move(change)](db::Write& write) {
            if (first) first(write);
            change(write);
        };
    } else if (auto difference = compare_followers(db, in.actor, item.synchronization)) {
        change = [change = std::move(change), difference = *std::move(difference)](db::Write& write) {
            change(write);
            note_difference(write, difference);
        };
    }
    return {
        std::move(change),
        beside,
        in.activity.id,
        seen,
        in.activity.actor,
        locks_of(in),
        in.activity.is("Create")
    };
}

namespace {

// All are looked at together, which saves waits: none takes back another. Where somebody else did it, it was marked, and what
// was taken back since it was prepared is not.
void finish_at_once(db::Write& db, std::span<const Ready> all) {
    struct Taken {
        db::Changed removed;
        std::optional<db::Changed> marked;
    };
    std::vector<Taken> taken;
    for (const auto& [item, doing] : all) {
        taken.push_back({remove_item(db, item->id), {}});
        if (doing->change && !doing->seen_as.empty())
            taken.back().marked = mark_seen(db, doing->seen_as, doing->activity, doing->actor);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [removed, marked] = taken[i];
        const auto& change = all[i].doing->change;
        if (change && removed > 0 && (!marked || *marked > 0)) change(db);
    }
}

}  // namespace

void finish(db::Write& db, std::span<const Ready> all) {
    if (all.front().doing->beside) {
        db.beside_others();
        std::vector<db::Lock> locks;
        for (const auto& one : all)
            locks.insert(locks.end(), one.doing->locks.begin(), one.doing->locks.end());
        db.lock(locks);
    }
    const auto creates = [](const Ready& one) { return one.doing->creates; };
    while (!all.empty()) {
        const auto created = static_cast<std::size_t>(std::ranges::find_if_not(all, creates) - all.begin());
        const auto some = all.first(std::max<std::size_t>(created, 1));
        all = all.subspan(some.size());
        finish_at_once(db, some);
    }
}

void settle_failure(db::Write& db, const Item& item, const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const jobs::Reschedule& pause) {
        wait(db, item.id, pause.seconds);
    } catch (const base::Unavailable& e) {
        postpone(db, item, e.what());
    } catch (const base::TooMany& e) {
        postpone(db, item, e.what());
    } catch (const base::Error&) {
        remove_item(db, item.id);
    } catch (const std::exception& e) {
        postpone(db, item, e.what());
    } catch (...) {
        postpone(db, item, "unknown");
    }
}

std::string subject_of(const ap::Activity& activity) {
    const auto& object = activity.object;
    if (!activity.is("Undo")) {
        bool of_one = activity.is("Create") || activity.is("Update") || activity.is("Delete");
        return of_one ? object.id : activity.actor + " " + object.id;
    }
    if (ap::names_by_id(object)) return activity.actor + " " + object.id;
    return activity.actor + " " + object.embedded["object"].id();
}

}  // namespace federation

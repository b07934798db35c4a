// SPDX-License-Identifier: AGPL-3.0-or-later
// Processing of received activities (inbox_item.hpp): the one place that decides whether an activity is
// trusted, and the type of the table that dispatches it (server/inbox.cpp).
#pragma once
#include "ap/incoming.hpp"
#include "base/ask.hpp"
#include "db/lock.hpp"
#include "jobs/reactions.hpp"
#include "social/federation/inbox/inbox_item.hpp"

#include <concepts>
#include <functional>
#include <span>

namespace federation {

// Returns whether its object was found: an Undo that did not find it may have arrived too early.
using Act = std::function<bool(db::Write&)>;

// The handler for one type of activity and of object: an ActivityStreams type, "actor" or "post" for all
// types of these, or "" for any. `prepare` runs on a snapshot and may ask questions; an empty result leaves
// the activity to the next line of the table.
struct Handler {
    std::string_view activity, object;
    Act (*prepare)(const base::Ask&, db::Read&, const ap::Incoming&);
    bool beside = false;  // db::Write::beside_others

    Handler beside_others() const {
        auto out = *this;
        out.beside = true;
        return out;
    }
};

namespace detail {
template <auto F>
auto prepared(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    if constexpr (std::invocable<decltype(F), const base::Ask&, db::Read&, const ap::Incoming&>)
        return F(ask, db, in);
    else return F(db, in);
}
}  // namespace detail

// Prepare: std::optional<T>(const base::Ask&, db::Read&, const ap::Incoming&), or without Ask.
// Act: bool(db::Write&, const T&).
template <auto Prepare, auto Do>
Handler on(std::string_view activity, std::string_view object = {}) {
    return {activity, object, [](const base::Ask& ask, db::Read& db, const ap::Incoming& in) -> Act {
                auto what = detail::prepared<Prepare>(ask, db, in);
                if (!what) return {};
                return [what = *std::move(what)](db::Write& write) { return Do(write, what); };
            }};
}

using Handlers = std::vector<Handler>;

struct Doing {
    jobs::Change change;
    bool beside = false;            // it may run beside others
    std::string activity, seen_as;  // its id, and its key for deduplication: one change per key
    std::string actor;              // whose; it is not done after its Undo or Delete
    std::vector<db::Lock> locks;    // taken first, if it may run beside others
    bool creates = false;
};

// The key by which a processed activity is recognised. Usually its id, except where servers reuse ids: an
// Accept or Reject (Hollo) is recognised with its object; an Undo (Misskey's of a Follow) by its object.
// Update and Delete have the id of the Create or of the post on some servers (Hubzilla, WriteFreely), and all
// Updates the same id on others (Friendica): the key includes their object, for an Update also its time. ""
// for activities that are processed each time they arrive: a Follow, which has no effect if it exists
// already, and which may have ended without its server knowing.
std::string seen_as(const ap::Activity&);

// A parsed item; parsing needs no database.
struct Brought {
    Item item;
    std::optional<ap::Activity> activity;  // empty: nothing here handles it
};
Brought read(const Item&, const Handlers&, base::Time now);
// Runs the queries of prepare() once for all items that are prepared on this snapshot (db::Read::remember).
void look_ahead(db::Read&, std::span<const Brought>);

// The changes for an item; if empty, it is only removed. Throws for temporary failures.
Doing prepare(const base::Ask&, db::Read&, const Handlers&, const Brought&);

// Removes the items and makes their changes, each once. Either all of them may run beside others, or none.
struct Ready {
    const Item* item;
    const Doing* doing;
};
void finish(db::Write&, std::span<const Ready>);

// Handles a failed item. If a rule refused it, it is removed; otherwise it is retried a limited number of
// times. When its server was not asked because other requests to it are running (jobs::Reschedule), it is
// retried soon without counting.
void settle_failure(db::Write&, const Item&, const std::exception_ptr& thrown);

// The object of an activity, by which items are ordered.
std::string subject_of(const ap::Activity&);

// Remote replies to a local account are forwarded unchanged to that account's followers, whose servers would
// not get them otherwise.

// Empty when it is not to be forwarded: not public, no reply to a local status, or without a signature or
// proof by which the receivers could verify it.
jobs::Change forwarding(db::Read&, const Item&, const ap::Incoming&);

}  // namespace federation

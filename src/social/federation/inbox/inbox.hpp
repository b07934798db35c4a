// SPDX-License-Identifier: AGPL-3.0-or-later
// Processing what was received (inbox_item.hpp): the one place that decides whether an activity may be believed, and
// the shape of the table that says what is done about it (server/inbox.cpp).
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

// Whether it found what it was about: an Undo that did not may have come too early.
using Act = std::function<bool(db::Write&)>;

// What is done about one type of activity, of one type of object: a word of ActivityStreams, "actor" or "post" for
// all that are one, or "" for any. `prepare` runs on a snapshot and may ask; an empty answer leaves the activity to the
// next line of the table.
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
    bool beside = false;            // it may be done beside others
    std::string activity, seen_as;  // its id, and under what it is known: the change is made once for that
    std::string actor;              // whose: and not after what took it back
    std::vector<db::Lock> locks;    // taken first, where it may be done beside others
    bool creates = false;
};

// Under what it is known that an activity was processed: its id, but for those that some servers name by nothing but whom they are about.
// An Accept or Reject, as of Hollo, is known with what it answers; an Undo, as a Misskey's of a Follow, by what it takes back. Update
// and Delete have the id of the Create or of the post with some (Hubzilla, WriteFreely), and each Update the same with others (Friendica):
// they are known with what they are about, an Update with its time. "" where it is done as often as it comes: a Follow, which
// changes nothing where it stands already, and which ends in ways that its server does not hear of.
std::string seen_as(const ap::Activity&);

// An item as it is read, which needs no database.
struct Brought {
    Item item;
    std::optional<ap::Activity> activity;  // nothing: nobody here does anything about it
};
Brought read(const Item&, const Handlers&, base::Time now);
// What prepare() asks of each, asked once for all that are prepared on this snapshot (db::Read::remember).
void look_ahead(db::Read&, std::span<const Brought>);

// What is to be done about an item; nothing but removing it when that is empty. Throws what stands in the way for now.
Doing prepare(const base::Ask&, db::Read&, const Handlers&, const Brought&);

// Removes the items and makes their changes, each once. All may be done beside others, or none.
struct Ready {
    const Item* item;
    const Doing* doing;
};
void finish(db::Write&, std::span<const Ready>);

// What becomes of an item that failed: refused by a rule, it goes; else it is tried again, so many times; and where its
// server was not asked because others ask it now (jobs::Reschedule), soon and without a try being counted.
void settle_failure(db::Write&, const Item&, const std::exception_ptr& thrown);

// What an activity is about, for the order of items.
std::string subject_of(const ap::Activity&);

// What others answer to somebody here is passed on to the followers of who is answered, as it came: their servers would
// not hear of it otherwise.

// Empty when it is not to be passed on: not for everybody, no answer to a status of somebody here, or nothing in it by
// which those who get it could tell that it is genuine.
jobs::Change forwarding(db::Read&, const Item&, const ap::Incoming&);

}  // namespace federation

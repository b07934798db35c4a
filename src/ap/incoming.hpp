// SPDX-License-Identifier: AGPL-3.0-or-later
// An activity that may be believed: that its actor says this was checked (social/federation/inbox/inbox.hpp). Of what it
// says nothing was.
#pragma once
#include "ap/activity.hpp"
#include "base/ids.hpp"

namespace ap {

struct Incoming {
    Activity activity;
    base::AccountId actor;
    bool relayed = false;       // by a server that was asked to hand posts round
    base::AccountId recipient;  // into whose own inbox its author put it; 0: the shared one
    base::AccountId reader;     // whose own inbox it came to, whoever put it there: who may ask for it
};

// What the object of an Accept, Reject or Undo says: its id and, where more than that is told, whom and what it is about.
struct Inner {
    std::string id, actor, object;
};
inline Inner inner(const Incoming& in) {
    const auto& object = in.activity.object;
    if (names_by_id(object)) return {object.id, {}, {}};
    return {object.id, object.embedded["actor"].id(), object.embedded["object"].id()};
}

}  // namespace ap

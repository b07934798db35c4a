// SPDX-License-Identifier: AGPL-3.0-or-later
// An activity whose actor has been verified (social/federation/inbox/inbox.hpp). Its content has not.
#pragma once
#include "ap/activity.hpp"
#include "base/ids.hpp"

namespace ap {

struct Incoming {
    Activity activity;
    base::AccountId actor;
    bool relayed = false;       // by a relay
    base::AccountId recipient;  // the owner of the inbox that its author sent it to; 0: the shared one
    base::AccountId reader;     // the owner of the inbox that received it: may sign fetches
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

// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may answer, like, boost and quote, as a post's server enforces it (facts: GoToSocial's policies, FEP-044f);
// of an actor: who may put it into a collection (FEP-7aa9).
#pragma once
#include "ap/document.hpp"

#include <string>
#include <vector>

namespace ap {

// Ids of actors, of the author's followers and following, or of the public collection.
struct Rule {
    bool given = false;  // else everybody who sees the post may; for quotes: unknown
    std::vector<std::string> automatic, manual;
};

struct InteractionPolicy {
    Rule can_like, can_reply, can_announce, can_quote, can_feature;
};

InteractionPolicy read_policy(Node interaction_policy);

}  // namespace ap

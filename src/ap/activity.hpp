// SPDX-License-Identifier: AGPL-3.0-or-later
// An activity of another server. Its signature is not checked here, and embedded objects are only the
// sender's claim: see may_trust_embedded().
#pragma once
#include "ap/audience.hpp"
#include "ap/document.hpp"
#include "ap/tags.hpp"

#include <string>
#include <vector>

namespace ap {

struct Activity {
    std::string id;  // often "" for some types
    std::string type;
    std::string actor;

    Reference object;                // the first
    std::vector<Reference> objects;  // all of them: reports name several
    Reference target, result, instrument, origin;

    Audience audience;
    std::optional<Time> published;
    std::string content;  // a reaction, or the comment of a report
    std::vector<Emoji> emojis;
    std::string group;  // the `audience`

    bool has_signature = false, has_proof = false;
    Document document;

    bool is(std::string_view wanted) const { return type == wanted; }
};

Reading<Activity> read_activity(const Document&, Time now);

// Whether the id, if any, is on the actor's host.
bool has_own_id(const Activity&);

// An embedded object of an authenticated activity may be trusted only if the actor could have published it:
// its id is on the actor's host, and it is attributed to the actor itself. Anything else is a hint, to be
// fetched by its id.
bool may_trust_embedded(const Activity&);  // its object
bool may_trust_embedded(const Activity&, const Reference&);

// The id of the post that is referred to. For a Create or Update in its place, as groups announce and
// conversation histories list them, the id of its object; "" for any other activity.
std::string post_meant(const Reference&);

// The reaction of a Like or EmojiReact, "" for a plain like: an emoji, or a shortcode between colons.
std::string reaction_of(const Activity&);

}  // namespace ap

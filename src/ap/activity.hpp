// SPDX-License-Identifier: AGPL-3.0-or-later
// Something that somebody did, as their server says it. Who signed it is not known here, and what is embedded is only
// what the sender says: see may_trust_embedded().
#pragma once
#include "ap/audience.hpp"
#include "ap/document.hpp"
#include "ap/tags.hpp"

#include <string>
#include <vector>

namespace ap {

struct Activity {
    std::string id;  // "" is usual for some
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

// Whether the id, if any, lies on the actor's host.
bool has_own_id(const Activity&);

// An embedded object may stand for itself only when, the activity being authenticated, its actor could have published
// it: its id is on the actor's host, and so is the one it is attributed to, the actor itself. Anything else is a hint,
// to be fetched by its id.
bool may_trust_embedded(const Activity&);  // its object
bool may_trust_embedded(const Activity&, const Reference&);

// The id of the post that is meant: where a Create or Update of it stands in its place, as groups announce them and
// histories of conversations list them, that of its object. "" where any other activity does.
std::string post_meant(const Reference&);

// The reaction of a Like or EmojiReact, "" for a plain like: an emoji, or a shortcode between colons.
std::string reaction_of(const Activity&);

}  // namespace ap

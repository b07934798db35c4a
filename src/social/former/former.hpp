// SPDX-License-Identifier: AGPL-3.0-or-later
// What things were called at the server that had this domain before. Other servers and apps go on using those names, so they are
// found where there is a row in takeovers. That is read once, at start: elsewhere nothing here asks the database.
#pragma once
#include "base/uris.hpp"
#include "db/session.hpp"

namespace http {
class Params;
}

namespace former {

// At start, before anybody asks: whether this server took the place of another, and whether ids of that one's API were no numbers.
struct Past {
    bool took_over = false, other_ids = false;
};
Past read_past(db::Read&);
void use_past(Past);
bool took_over();
bool has_other_ids();
// A place is being taken: what is here may be emptied and copied anew.
bool is_unfinished(db::Read&);
// And the copy is whole, so that it can be looked at in a rehearsal.
bool can_be_rehearsed(db::Read&);

// As base::uris::ours, also of addresses of before. What is found of them has a number and no name.
std::optional<base::uris::Ours> ours(db::Read&, std::string_view uri);

// The id of a post of this site, where it is no other than was given to it before.
std::optional<std::string> stored_uri(db::Read&, base::StatusId);

// What a path names that is neither an actor nor a post: `kind` is file or page.
struct Target {
    std::string kind, target;
};
DESCRIBE(Target, kind, target)
std::optional<Target> target_of(db::Read&, std::string_view path);

// Puts our number in the place of each id of the API of before that is known: ULIDs, flakes (Pleroma), UUIDs. As a cursor, one that
// nobody knows counts by the time that is in it.
void use_own_ids(db::Read&, http::Params&);

}  // namespace former

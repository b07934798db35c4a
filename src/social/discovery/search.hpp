// SPDX-License-Identifier: AGPL-3.0-or-later
// Searches, each for one kind of thing.
#pragma once
#include "base/page.hpp"
#include "db/session.hpp"
#include "social/accounts/account_list.hpp"
#include "social/collections/collection.hpp"
#include "social/discovery/query.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/tags/tag.hpp"

namespace discovery {

// What an address on this site stands for: profiles, statuses and collections by their pages and by their ActivityPub ids.
struct Resolved {
    base::AccountId account;
    base::StatusId status;
    collections::CollectionId collection;
};

// Empty for what is not ours or does not exist; checks no visibility.
Resolved resolve_local(db::Read&, std::string_view url);

// Searching statuses. Somebody finds the public statuses of those who let them be found (`indexable`), and their
// library: what they wrote, were mentioned in, favourited, reblogged, bookmarked or voted in (behaviours 11.17). The
// index proposes; every status found is looked up again, and passes the one rule of visibility.

// Newest first. `page` bounds the ids; the first `offset` of what is found are skipped.
std::vector<statuses::VisibilityFacts> find_statuses(
    db::Read&, const statuses::Audience&, const StatusQuery&, base::Range page, int offset
);

// Finding hashtags by the beginnings of their names.
struct TagSearch {
    std::string prefix;  // as typed, with or without #
    int limit = 20, offset = 0;
    bool anonymous = false;
    bool reviewed = false;  // only those staff has looked at, and the one of this very name
};

// The exact one first, then those used most in the last week. What staff has unlisted is found by nobody.
std::vector<tags::Tag> find_tags(db::Read&, const TagSearch&);

// The directory: accounts that want to be found.
BOOST_DEFINE_ENUM_CLASS(Order, active, new_)

struct Directory {
    Order order = Order::active;  // by the last status or by age, newest first
    bool local = false;
    int limit = 40, offset = 0;
};

// Viewer 0 is nobody; accounts hidden from the viewer are left out.
std::vector<accounts::ListedAccount> directory(db::Read&, base::AccountId viewer, const Directory&);

}  // namespace discovery

// SPDX-License-Identifier: AGPL-3.0-or-later
// Searches, one for each kind of object.
#pragma once
#include "base/page.hpp"
#include "db/session.hpp"
#include "social/accounts/account_list.hpp"
#include "social/collections/collection.hpp"
#include "social/discovery/query.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/tags/tag.hpp"

namespace discovery {

// The target of an address on this site: profiles, statuses and collections, by page address or ActivityPub
// id.
struct Resolved {
    base::AccountId account;
    base::StatusId status;
    collections::CollectionId collection;
};

// Empty if it is not local or does not exist; does not check visibility.
Resolved resolve_local(db::Read&, std::string_view url);

// Search for statuses. It covers public statuses by `indexable` accounts, and the viewer's library: what they
// wrote, were mentioned in, favourited, reblogged, bookmarked or voted in (behaviours 11.17). The index only
// proposes; every result is read from the database and checked by the rule of visibility.

// Newest first. `page` bounds the ids; the first `offset` results are skipped.
std::vector<statuses::VisibilityFacts> find_statuses(
    db::Read&, const statuses::Audience&, const StatusQuery&, base::Range page, int offset
);

// Search for hashtags by prefix.
struct TagSearch {
    std::string prefix;  // as typed, with or without #
    int limit = 20, offset = 0;
    bool anonymous = false;
    bool reviewed = false;  // only those staff has looked at, and the one of this very name
};

// The exact match first, then the most used ones of the last week. Tags unlisted by the team are never found.
std::vector<tags::Tag> find_tags(db::Read&, const TagSearch&);

// The directory: discoverable accounts.
BOOST_DEFINE_ENUM_CLASS(Order, active, new_)

struct Directory {
    Order order = Order::active;  // by the last status or by age, newest first
    bool local = false;
    int limit = 40, offset = 0;
};

// Viewer 0: anonymous; accounts hidden from the viewer are left out.
std::vector<accounts::ListedAccount> directory(db::Read&, base::AccountId viewer, const Directory&);

}  // namespace discovery

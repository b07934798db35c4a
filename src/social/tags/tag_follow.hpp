// SPDX-License-Identifier: AGPL-3.0-or-later
// Following hashtags: their public statuses appear in home (timelines/home.hpp), decided when home is read.
#pragma once
#include "base/page.hpp"
#include "social/tags/tag.hpp"

#include <memory>

namespace tags {

struct Followed {
    base::TagId tag;
    bool began = true;  // false: it was followed already
};

// Both accept a name in any spelling and throw NotFound for an invalid one. Following stores the tag.
Followed follow(db::Write&, base::AccountId me, std::string_view name);
void unfollow(db::Write&, base::AccountId me, std::string_view name);

struct FollowedTag {
    std::int64_t cursor = 0;  // id of the follow
    base::TagId id;
    std::string name, display_name;
};
DESCRIBE(FollowedTag, cursor, id, name, display_name)
// Most recently followed first.
std::vector<FollowedTag> followed_tags(db::Read&, base::AccountId, const base::Range&);

// All of them, cached by the account's relations_version. Never null.
std::shared_ptr<const std::vector<base::TagId>> followed_ids(
    db::Read&, base::AccountId, std::int64_t relations_version
);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_tag_follows;

}  // namespace tags

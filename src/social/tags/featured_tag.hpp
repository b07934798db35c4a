// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashtags featured on a profile, each with the number of public and unlisted statuses of its owner that have
// it.
#pragma once
#include "base/json.hpp"
#include "social/accounts/account.hpp"
#include "social/tags/tag.hpp"

namespace tags {

using base::AccountId;
using base::StatusId;
using FeaturedTagId = base::Id<struct FeaturedTagTag>;

struct Featured {
    FeaturedTagId id;
    std::string name, tag;  // as its owner writes it; normalised
    std::int64_t statuses_count = 0;
    std::optional<base::Date> last_status_at;
};
DESCRIBE(Featured, id, name, tag, statuses_count, last_status_at)

// Events, also for accounts that are not federated. `tag`: normalised.
struct TagFeatured {
    AccountId account;
    std::string name, tag;
};
DESCRIBE(TagFeatured, account, name, tag)
struct TagUnfeatured {
    AccountId account;
    std::string name, tag;
};
DESCRIBE(TagUnfeatured, account, name, tag)

// Most used first.
std::vector<Featured> featured(db::Read&, AccountId);
std::optional<Featured> find_featured(db::Read&, AccountId, FeaturedTagId);

// How an account has used a tag so far. Scans its statuses, so it runs before the writer is needed.
struct Usage {
    std::int64_t statuses = 0;
    std::optional<base::Time> last;
};
DESCRIBE(Usage, statuses, last)
Usage usage(db::Read&, AccountId, std::string_view name);

// The name in any spelling; featuring again changes nothing. Throws Invalid if ten are featured already.
struct Feature {
    FeaturedTagId id;
    base::TagId tag;
};
Feature feature(db::Write&, AccountId me, std::string_view name, const Usage& so_far);
void unfeature(db::Write&, AccountId me, std::string_view name);
void unfeature(db::Write&, AccountId me, FeaturedTagId);  // throws NotFound

// Called by statuses: a public or unlisted status came under the tag, or went from it or with all its tags.
void count_status(db::Write&, AccountId, base::TagId, StatusId);
void uncount_status(db::Write&, AccountId, base::TagId);
void uncount_status(db::Write&, AccountId, StatusId);

// Recently used often, but not featured.
std::vector<Tag> suggestions(db::Read&, AccountId);

struct FeaturedTagEntity {
    FeaturedTagId id;
    std::string name, url, statuses_count;
    std::optional<base::Date> last_status_at;
};
DESCRIBE(FeaturedTagEntity, id, name, url, statuses_count, last_status_at)
// The page of a profile (given its address) with the posts that have a tag.
std::string tagged_page(std::string_view profile, std::string_view name);
std::vector<FeaturedTagEntity>
entities(const base::Site&, const accounts::Account& owner, const std::vector<Featured>&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_featured_tags;

}  // namespace tags

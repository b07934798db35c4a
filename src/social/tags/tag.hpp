// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashtags: one row per name. `name` is the normalised form, `display_name` the form in which it was first
// written.
#pragma once
#include "db/session.hpp"

namespace tags {

struct Tag {
    base::TagId id;
    std::string name, display_name;
};
DESCRIBE(Tag, id, name, display_name)

std::optional<Tag> find_tag(db::Read&, std::string_view name);
Tag tag(db::Read&, base::TagId);  // throws NotFound
// Whether this can be the name of a hashtag, in any spelling.
bool valid_name(std::string_view);
// The normalised name of a hashtag; throws NotFound if it cannot be one.
std::string checked_name(std::string_view);
base::TagId put(db::Write&, std::string_view name, std::string_view display_name);
// The same for several pairs of name and display name.
std::vector<base::TagId> put_all(db::Write&, const std::vector<std::pair<std::string, std::string>>& named);
void expect_all(
    db::Read&, const std::vector<std::pair<std::string, std::string>>& named
);  // db::Read::expect

// ---- how much a tag is used: one row an account and day (table tag_uses) ----

// An account used the tag in a public status, today.
void note_use(db::Write&, base::TagId, base::AccountId);

struct DayOfUse {
    base::TagId tag_id;
    base::Time day;  // its midnight in UTC
    std::int64_t uses = 0, accounts = 0;
};
DESCRIBE(DayOfUse, tag_id, day, uses, accounts)
// The days since `since` on which each of these tags was used.
std::vector<DayOfUse> uses(db::Read&, const std::vector<base::TagId>&, base::Time since);
// Deletes days that are no longer shown, some hundred rows at a time.
void purge_uses(db::Write&);

}  // namespace tags

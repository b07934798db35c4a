// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashtags: one row a name. The name is the normalised form, the display name how it was first written.
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
// Whether somebody may ask for a tag by this name, in any spelling.
bool valid_name(std::string_view);
// The normalised name of what was written as the name of a hashtag; throws NotFound when it is none.
std::string checked_name(std::string_view);
base::TagId put(db::Write&, std::string_view name, std::string_view display_name);
// The same for several, each with the name to be shown beside its name.
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
// Of each of these tags the days since then on which it was used at all.
std::vector<DayOfUse> uses(db::Read&, const std::vector<base::TagId>&, base::Time since);
// Forgets days that nobody is told of any more, some hundred rows at a time.
void purge_uses(db::Write&);

}  // namespace tags

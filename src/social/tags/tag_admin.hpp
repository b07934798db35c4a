// SPDX-License-Identifier: AGPL-3.0-or-later
// Administration of hashtags by staff.
#pragma once
#include "base/page.hpp"
#include "social/tags/tag.hpp"

namespace tags {

struct TagSettings {
    base::TagId id;
    bool usable = true;    // counted for trends, and may be featured
    bool listable = true;  // found by search
};
DESCRIBE(TagSettings, id, usable, listable)

std::vector<Tag> tag_page(db::Read&, const base::Range&);                          // newest first
std::vector<Tag> tags_by_id(db::Read&, const std::vector<base::TagId>&);           // in no order
std::vector<TagSettings> settings_of(db::Read&, const std::vector<base::TagId>&);  // in no order
void change_settings(db::Write&, const TagSettings&);
// Only the spelling may change: case, and what normalisation removes. Throws Invalid.
void change_display_name(db::Write&, const Tag&, const std::string& display_name);

}  // namespace tags

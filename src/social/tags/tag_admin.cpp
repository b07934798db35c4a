// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/tag_admin.hpp"

#include <algorithm>

namespace tags {

const db::Query<Tag> tags_down{
    "tags_down", "SELECT id, name, display_name FROM tags WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<Tag> tags_up{
    "tags_up", "SELECT id, name, display_name FROM tags WHERE id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<Tag> tags_among{"tags_among", "SELECT id, name, display_name FROM tags WHERE id IN LIST($1)"};
const db::Query<TagSettings> tag_settings{
    "tag_settings", "SELECT id, usable, listable FROM tags WHERE id IN LIST($1)"
};
const db::Command set_tag_settings{
    "set_tag_settings", "UPDATE tags SET usable = $2, listable = $3 WHERE id = $1"
};
const db::Command set_tag_display_name{
    "set_tag_display_name", "UPDATE tags SET display_name = $2 WHERE id = $1"
};

std::vector<Tag> tag_page(db::Read& db, const base::Range& r) {
    auto found = db.all(r.ascending ? tags_up : tags_down, r.below, r.above, r.limit);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

std::vector<Tag> tags_by_id(db::Read& db, const std::vector<base::TagId>& ids) {
    return ids.empty() ? std::vector<Tag>{} : db.all(tags_among, ids);
}

std::vector<TagSettings> settings_of(db::Read& db, const std::vector<base::TagId>& ids) {
    return ids.empty() ? std::vector<TagSettings>{} : db.all(tag_settings, ids);
}

void change_settings(db::Write& db, const TagSettings& now) {
    db.run(set_tag_settings, now.id, now.usable, now.listable);
}

void change_display_name(db::Write& db, const Tag& tag, const std::string& display_name) {
    bool same = valid_name(display_name) && checked_name(display_name) == tag.name;
    if (!same) throw base::Invalid("Validation failed: Display name does not match the previous name");
    db.run(set_tag_display_name, tag.id, display_name);
}

}  // namespace tags

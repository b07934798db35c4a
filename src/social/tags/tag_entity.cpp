// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/tags/tag_entity.hpp"

namespace tags {

TagEntity entity(const base::Site& site, const Tag& tag) {
    return {tag.id, tag.name, site.public_url + "/tags/" + tag.name, {}};
}

}  // namespace tags

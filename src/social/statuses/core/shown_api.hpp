// SPDX-License-Identifier: AGPL-3.0-or-later
// The path that names a status, and the answer of every change of one: the status as it is now.
#pragma once
#include "base/describe.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/render/status_entity.hpp"

namespace statuses {

struct ById {
    StatusId id;
};
DESCRIBE(ById, id)

inline base::json::Raw show_changed(db::Read& db, const http::Viewer& me, const ById& path) {
    auto looker = audience(db, me);
    return {json(db, looker, visible_facts(db, looker, path.id))};
}

}  // namespace statuses

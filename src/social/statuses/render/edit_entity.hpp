// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity StatusEdit.
#pragma once
#include "base/schema.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/writing/edit.hpp"

namespace statuses {

// The history of a status as a JSON array; the caller has decided visibility.
std::string history_json(db::Read&, const Audience&, const Facts&);

void describe_edit(base::json::Components&);  // for OpenAPI

}  // namespace statuses

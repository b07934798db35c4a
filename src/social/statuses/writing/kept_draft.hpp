// SPDX-License-Identifier: AGPL-3.0-or-later
// Drafts that are stored so that the user can continue on another device. Only the client knows their format.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

#include <string>
#include <vector>

namespace statuses {

struct KeptDraft {
    static constexpr std::string_view entity = "KeptDraft";
    std::string key;
    base::json::Raw data;  // an object
    base::Time updated_at;
};
DESCRIBE(KeptDraft, key, data, updated_at)

constexpr std::size_t most_kept_drafts = 100, longest_kept_draft = 128 << 10;

std::vector<KeptDraft> kept_drafts(db::Read&, base::AccountId);  // latest first
// Throws Invalid: the key or the data is too long, or there are too many drafts.
void keep_draft(db::Write&, base::AccountId, const std::string& key, const std::string& json);
void forget_draft(db::Write&, base::AccountId, const std::string& key);  // does nothing if it is unknown

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_kept_drafts;

}  // namespace statuses

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/events.hpp"

#include "base/json_read.hpp"

#include <algorithm>

namespace streaming {

namespace {

struct Row {
    base::AccountId id;
    std::int64_t relations_version = 0;
    std::optional<std::string> chosen_languages;
};
DESCRIBE(Row, id, relations_version, chosen_languages)

}  // namespace

// accounts and users belong to accounts. On SQLite the list drives the join, without a copy of it.
const db::Query<Row> listening_accounts{
    "listening_accounts",
    R"(SELECT a.id, a.relations_version, u.chosen_languages
       FROM list($1) v CROSS JOIN accounts a ON a.id = v.value JOIN users u ON u.account_id = a.id
       WHERE a.suspended_at IS NULL)",
    R"(SELECT a.id, a.relations_version, u.chosen_languages FROM accounts a JOIN users u ON u.account_id = a.id
       WHERE a.id = ANY($1) AND a.suspended_at IS NULL)"
};

const db::Query<Row> listening_audiences{
    "listening_audiences",
    R"(SELECT a.id, a.relations_version, NULL AS chosen_languages
       FROM list($1) v CROSS JOIN accounts a ON a.id = v.value WHERE a.suspended_at IS NULL)",
    R"(SELECT id, relations_version, NULL AS chosen_languages FROM accounts
       WHERE id = ANY($1) AND suspended_at IS NULL)"
};

namespace {

std::unordered_map<base::AccountId, Viewer> found_by(
    const db::Query<Row>& question, db::Read& db, std::vector<base::AccountId> ids
) {
    std::unordered_map<base::AccountId, Viewer> out;
    if (ids.empty()) return out;
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    out.reserve(ids.size());
    for (auto& row : db.all(question, ids)) {
        auto& viewer = out[row.id];
        viewer.audience = statuses::audience(db, row.id, row.relations_version);
        if (row.chosen_languages)
            viewer.languages = base::json::read<std::vector<std::string>>(*row.chosen_languages);
    }
    return out;
}

}  // namespace

std::unordered_map<base::AccountId, Viewer> viewers(db::Read& db, std::vector<base::AccountId> ids) {
    return found_by(listening_audiences, db, std::move(ids));
}

std::unordered_map<base::AccountId, Viewer> viewers_with_languages(
    db::Read& db, std::vector<base::AccountId> ids
) {
    return found_by(listening_accounts, db, std::move(ids));
}

}  // namespace streaming

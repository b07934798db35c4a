// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/status.hpp"

#include "base/uris.hpp"
#include "social/accounts/account.hpp"

namespace statuses {

const db::Query<Status> status_by_id{
    "status_by_id",
    R"(SELECT s.id, s.account_id, s.conversation_id, s.in_reply_to_id, s.in_reply_to_account_id, s.reblog_of_id,
              r.account_id AS reblog_account_id, s.visibility, s.language, s.text, s.spoiler_text
       FROM statuses s LEFT JOIN statuses r ON r.id = s.reblog_of_id
       WHERE s.id = $1 AND s.deleted_at IS NULL)"
};

std::optional<Status> find_status(db::Read& db, StatusId id) { return db.maybe(status_by_id, id); }

const db::Query<AccountId> mentioned_in_status{
    "mentioned_in_status",
    "SELECT account_id FROM mentions WHERE status_id = $1 AND silent = FALSE ORDER BY account_id"
};

std::vector<AccountId> mentioned(db::Read& db, StatusId id) { return db.all(mentioned_in_status, id); }

StatusId original_of(const Status& status) { return status.reblog_of_id ? status.reblog_of_id : status.id; }

const db::Command touch_status{"touch_status", "UPDATE statuses SET version = version + 1 WHERE id = $1"};

void touch(db::Write& db, StatusId id) { db.run(touch_status, id); }

const db::Query<SaidInStatus> said_in_statuses{
    "said_in_statuses", "SELECT id, spoiler_text, content FROM statuses WHERE id IN LIST($1)"
};

std::string uri_of(const base::Site& site, const Named& status) {
    if (status.uri) return *status.uri;
    auto actor = accounts::uri_of(site, status.account_id, status.account_uri);
    auto uri = base::uris::status(actor, status.id);
    return status.is_reblog ? base::uris::activity(uri) : uri;
}

}  // namespace statuses

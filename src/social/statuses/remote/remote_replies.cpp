// SPDX-License-Identifier: AGPL-3.0-or-later
// Replies from other servers, and their approval by the author of the parent (reply_approval.hpp).
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/statuses/remote/remote_parts.hpp"

namespace statuses {

bool of_one_server(std::string_view one, std::string_view other) {
    auto server = [](std::string_view uri) {
        auto host = uri.find("://");
        return host == uri.npos ? uri : uri.substr(0, uri.find('/', host + 3));
    };
    return server(one) == server(other);
}

Approval remote_reply_approval(db::Read& db, const Access& parent) {
    auto approval = reply_approval_for(db, parent);
    if (approval == Approval::automatic || written_here(db, parent.facts.id)) return approval;
    // Only that server knows the author's followers, and it may send pending replies, too: an approved one
    // carries an authorization.
    return Approval::manual;
}

const db::Query<std::string> reply_authorization_named{
    "reply_authorization_named", "SELECT reply_authorization FROM remote_statuses WHERE status_id = $1"
};

void add_remote_reply(db::Write& db, const Reply& reply, const Access& parent, Approval approval) {
    add_reply(db, reply, parent, approval);
    if (approval == Approval::automatic || written_here(db, parent.facts.id)) return;
    auto named = db.maybe(reply_authorization_named, reply.id);
    if (named && !named->empty()) db.emit(ReplyAuthorizationNamed{reply.id, *named});
}

const db::Command name_reply_authorization{
    "name_reply_authorization",
    R"(UPDATE remote_statuses SET reply_authorization = $2 WHERE status_id = $1 AND reply_authorization <> $2)"
};

void recheck_reply_authorization(db::Write& db, StatusId id, const RemoteStatus& status) {
    const auto& named = status.reply_authorization;
    if (named.empty() || named.size() > accounts::longest_uri) return;
    if (db.run(name_reply_authorization, id, named) == 0) return;
    auto approval = reply_approval_of(db, id);
    if (approval && !approval->author_local) db.emit(ReplyAuthorizationNamed{id, named});
}

const db::Query<PendingReply> pending_remote_reply{
    "pending_remote_reply",
    R"(SELECT s.uri AS reply, COALESCE(p.uri, '') AS parent, a.uri AS author
       FROM reply_approvals x JOIN statuses s ON s.id = x.status_id JOIN statuses p ON p.id = x.parent_id
       JOIN accounts a ON a.id = x.author_id
       WHERE x.status_id = $1 AND x.state = 'pending' AND a.domain <> '' AND s.uri IS NOT NULL)"
};

std::optional<PendingReply> pending_reply(db::Read& db, StatusId reply) {
    return db.maybe(pending_remote_reply, reply);
}

}  // namespace statuses

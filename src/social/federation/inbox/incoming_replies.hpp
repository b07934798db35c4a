// SPDX-License-Identifier: AGPL-3.0-or-later
// Replies in activities of other servers (GoToSocial's ReplyRequest): requesting, granting and revoking an
// approval. A refusal is statuses::rejected_interaction.
#pragma once
#include "ap/incoming.hpp"
#include "base/ask.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/remote/remote.hpp"

namespace federation {

// ReplyRequest: a remote account replies to a local status.
std::optional<statuses::RemoteStatus> reply_wanted(const base::Ask&, db::Read&, const ap::Incoming&);
bool take_reply_request(db::Write&, const statuses::RemoteStatus&);

// Accept of a local account's reply.
struct ReplyVerdict {
    base::StatusId reply;
    std::string authorization_uri;
};
std::optional<ReplyVerdict> allowed_reply(db::Read&, const ap::Incoming&);
bool take_reply_authorization(db::Write&, const ReplyVerdict&);

// Delete of a ReplyAuthorization.
std::optional<ReplyVerdict> revoked_reply(db::Read&, const ap::Incoming&);
bool take_reply_end(db::Write&, const ReplyVerdict&);

}  // namespace federation

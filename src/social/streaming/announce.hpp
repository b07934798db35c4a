// SPDX-License-Identifier: AGPL-3.0-or-later
// What the hub is told: reactions that announce, by ids, what streams may have to carry. Timelines, notifications,
// conversations, lists and filters announce by themselves what only they know. By the channel "glance" it looks at all that
// other programs write or that it may not have heard of.
#pragma once
#include "social/accounts/users/access.hpp"
#include "social/media/withholding.hpp"
#include "social/statuses/quotes/quote.hpp"

namespace streaming {

constexpr std::string_view statuses_channel = "statuses", tokens_channel = "tokens",
                           accounts_channel = "accounts", glance_channel = "glance";

// Reactions
void announce_published(db::Write&, const statuses::Published&);
void announce_edited(db::Write&, const statuses::Edited&);
void announce_deleted(db::Write&, const statuses::Deleted&);
void announce_quoted(db::Write&, const statuses::Quoted&);
void announce_quote_revoked(db::Write&, const statuses::QuoteRevoked&);
void announce_policy_changed(db::Write&, const statuses::InteractionPolicyChanged&);
void announce_revoked(db::Write&, const accounts::TokensRevoked&);
void announce_access(db::Write&, const accounts::AccessChanged&);
void announce_suspended(db::Write&, const media::SuspensionsChanged&);

}  // namespace streaming

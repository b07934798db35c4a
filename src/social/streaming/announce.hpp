// SPDX-License-Identifier: AGPL-3.0-or-later
// Announcements for the hub: reactions that announce, by ids, what streams may have to deliver. Timelines,
// notifications, conversations, lists and filters make their own. The channel "glance" makes the hub check
// what other programs write or what it may have missed.
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

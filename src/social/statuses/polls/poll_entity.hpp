// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Poll: rendered once for all viewers, both as running and as ended; the state at the current time and
// the viewer's votes are added last.
#pragma once
#include "base/schema.hpp"
#include "social/emojis/emoji.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/polls/poll.hpp"

namespace statuses {

struct RenderedPoll {
    AccountId author;
    std::optional<Time> expires_at;
    std::string running, over;  // members, without braces
};

RenderedPoll rendered_poll(const base::Site&, const Poll&, const emojis::InTexts&, std::string_view domain);

// `mine`: the viewer's votes in any polls.
void append_poll(
    std::string& out, StatusId, const RenderedPoll&, const Audience&, const std::vector<OwnVote>& mine
);

void describe_poll(base::json::Components&);  // for OpenAPI

}  // namespace statuses

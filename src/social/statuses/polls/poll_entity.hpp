// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Poll: rendered once for everybody, both as it is while it runs and as it is afterwards; the reader's clock
// and own votes are added at the end.
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

// `mine`: the reader's votes in any polls.
void append_poll(
    std::string& out, StatusId, const RenderedPoll&, const Audience&, const std::vector<OwnVote>& mine
);

void describe_poll(base::json::Components&);  // for OpenAPI

}  // namespace statuses

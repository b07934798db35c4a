// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/polls/poll_entity.hpp"

namespace statuses {

namespace {

struct Option {
    std::string title;
    std::optional<std::int64_t> votes_count;
};
DESCRIBE(Option, title, votes_count)

struct Entity {
    StatusId id;
    std::optional<Time> expires_at;
    bool expired = false, multiple = false;
    std::int64_t votes_count = 0;
    std::optional<std::int64_t> voters_count;
    std::vector<Option> options;
    base::json::Raw emojis;
};
DESCRIBE(Entity, id, expires_at, expired, multiple, votes_count, voters_count, options, emojis)

std::string members(const Entity& e) {
    std::string out;
    const char* separator = "";
    base::json::write_members(out, separator, e);
    return out;
}

}  // namespace

RenderedPoll rendered_poll(
    const base::Site& site, const Poll& poll, const emojis::InTexts& emojis, std::string_view domain
) {
    Entity e{poll.id, poll.expires_at, false, poll.multiple, 0, poll.voters_count, {}, {}};
    std::string titles;
    for (const auto& option : poll.options) {
        e.votes_count += option.votes_count;
        titles += option.title + "\n";
        e.options.push_back(
            {option.title, poll.hide_totals ? std::nullopt : std::optional(option.votes_count)}
        );
    }
    e.emojis = {emojis.used(site, {titles}, domain)};
    RenderedPoll out{poll.account_id, poll.expires_at, members(e), {}};
    e.expired = true;
    for (std::size_t i = 0; i < poll.options.size(); ++i)
        e.options[i].votes_count = poll.options[i].votes_count;
    out.over = members(e);
    return out;
}

void append_poll(
    std::string& out, StatusId id, const RenderedPoll& rendered, const Audience& audience,
    const std::vector<OwnVote>& mine
) {
    bool over = rendered.expires_at && *rendered.expires_at <= audience.now;
    out += '{';
    out += over ? rendered.over : rendered.running;
    if (!audience.anonymous()) {
        std::string choices;
        for (const auto& vote : mine) {
            if (vote.poll != id) continue;
            if (!choices.empty()) choices += ',';
            choices += std::to_string(vote.choice);
        }
        bool voted = !choices.empty() || rendered.author == audience.viewer;
        out += voted ? ",\"voted\":true" : ",\"voted\":false";
        out += ",\"own_votes\":[" + choices + "]";
    }
    out += '}';
}

void describe_poll(base::json::Components& all) {
    base::json::ObjectSchema poll;
    base::json::add_members<Entity>(poll, all);
    poll.add("voted", base::json::reference("boolean"), false);
    poll.add("own_votes", base::json::reference("integer[]"), false);
    all.put("Poll", poll.text());
}

}  // namespace statuses

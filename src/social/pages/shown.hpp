// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts on pages without JavaScript: what is read of a Status entity, and how it is put into a template.
#pragma once
#include "base/json_read.hpp"
#include "social/instance/html.hpp"
#include "social/pages/emoji_html.hpp"
#include "social/statuses/core/visibility.hpp"

namespace pages {

struct ShownAuthor {
    std::string id, username, display_name, acct, url, avatar_static;
    std::vector<ShownEmoji> emojis;
};
DESCRIBE(ShownAuthor, id, username, display_name, acct, url, avatar_static, emojis)
struct ShownMedium {
    std::string id, type;
    std::optional<std::string> url, preview_url, description;
};
DESCRIBE(ShownMedium, id, type, url, preview_url, description)
struct ShownOption {
    std::string title;
    std::optional<std::int64_t> votes_count;
};
DESCRIBE(ShownOption, title, votes_count)
struct ShownPoll {
    std::string id;
    std::vector<ShownOption> options;
    std::vector<ShownEmoji> emojis;
    bool expired = false, multiple = false, voted = false;
};
DESCRIBE(ShownPoll, id, options, emojis, expired, multiple, voted)
struct ShownFilter {
    std::string title, filter_action;
};
DESCRIBE(ShownFilter, title, filter_action)
struct ShownMatch {
    ShownFilter filter;
};
DESCRIBE(ShownMatch, filter)
struct Shown {
    std::string id, uri, content, spoiler_text, created_at, visibility;
    std::optional<std::string> url, language, in_reply_to_id;
    bool sensitive = false;
    bool favourited = false, reblogged = false, bookmarked = false;  // by who is signed in
    std::int64_t replies_count = 0, reblogs_count = 0, favourites_count = 0;
    ShownAuthor account;
    std::vector<ShownMedium> media_attachments;
    std::vector<ShownEmoji> emojis;
    std::optional<ShownPoll> poll;
    std::vector<ShownMatch> filtered;

    std::string address() const { return url.value_or(uri); }
};
DESCRIBE(
    Shown, id, uri, content, spoiler_text, created_at, visibility, url, language, in_reply_to_id, sensitive,
    favourited, reblogged, bookmarked, replies_count, reblogs_count, favourites_count, account,
    media_attachments, emojis, poll, filtered
)

// What everybody may see of them, in the order given.
std::vector<Shown> shown_to_all(db::Read&, const std::vector<statuses::VisibilityFacts>&);

// How far inside the thread each stands: what answers the chosen one by one, what answers that by two.
std::vector<std::size_t> depths_of(const std::vector<Shown>& answers, const Shown& chosen);

// Adds a POST, which it returns. `depth`: how far inside a thread it stands; `chosen`: it is the one the page is about.
instance::View& add_post(
    instance::View&, const Shown&, const base::Site&, std::size_t depth = 0, bool chosen = false
);

std::string name_of(const ShownAuthor&);
std::string name_html(const ShownAuthor&);
std::string handle_of(const base::Site&, const ShownAuthor&);  // alice@example.org

}  // namespace pages

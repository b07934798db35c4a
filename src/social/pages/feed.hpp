// SPDX-License-Identifier: AGPL-3.0-or-later
// Public posts for feed readers: RSS 2.0, Atom and JSON Feed 1.1.
#pragma once
#include "http/message.hpp"
#include "social/pages/shown.hpp"

namespace pages {

enum class FeedKind { rss, atom, json };

struct Feed {
    std::string title, text;
    std::string home;     // the page of the same posts
    std::string address;  // of the feed itself
    std::string icon = {};
};

http::Response feed(const base::Site&, FeedKind, const Feed&, const std::vector<Shown>&);

// What an address ends in: "alice.rss" is alice and RSS.
std::optional<FeedKind> take_feed_kind(std::string& name);

}  // namespace pages

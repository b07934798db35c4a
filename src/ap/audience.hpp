// SPDX-License-Identifier: AGPL-3.0-or-later
// To whom something is addressed, and which visibility that comes to.
#pragma once
#include "ap/document.hpp"

#include <boost/describe/enum.hpp>

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_addressed = 1000;

// `bto` and `bcc` are nobody's to read.
struct Audience {
    std::vector<std::string> to, cc;
    bool empty() const { return to.empty() && cc.empty(); }
};
Audience read_audience(Node);

// The same words as statuses have.
BOOST_DEFINE_ENUM_CLASS(Visibility, public_, unlisted, private_, direct, limited)

// `author_followers`: the author's followers collection, "" when it has none. direct is also what is addressed to
// nobody we can name; that a post is direct with people who are not mentioned in it (silently) makes it limited, which
// only those can tell who know the people.
Visibility visibility_of(
    const Audience&, std::string_view author_followers, std::optional<bool> direct_message = std::nullopt
);

// Everybody addressed but collections that are known as such: the public one and the author's followers.
std::vector<std::string> addressed(const Audience&, std::string_view author_followers);

}  // namespace ap

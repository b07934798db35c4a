// SPDX-License-Identifier: AGPL-3.0-or-later
// The addressees of an object, and the resulting visibility.
#pragma once
#include "ap/document.hpp"

#include <boost/describe/enum.hpp>

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_addressed = 1000;

// `bto` and `bcc` are not read.
struct Audience {
    std::vector<std::string> to, cc;
    bool empty() const { return to.empty() && cc.empty(); }
};
Audience read_audience(Node);

// The same values as those of statuses.
BOOST_DEFINE_ENUM_CLASS(Visibility, public_, unlisted, private_, direct, limited)

// `author_followers`: the author's followers collection, "" when it has none. direct also stands for an
// audience that cannot be resolved. A direct post with recipients who are not mentioned in it is `limited`,
// which only a caller that knows the accounts can determine.
Visibility visibility_of(
    const Audience&, std::string_view author_followers, std::optional<bool> direct_message = std::nullopt
);

// All addressees except known collections: the public one and the author's followers.
std::vector<std::string> addressed(const Audience&, std::string_view author_followers);

}  // namespace ap

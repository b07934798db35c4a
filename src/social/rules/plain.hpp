// SPDX-License-Identifier: AGPL-3.0-or-later
// Common rules as the fields of a form, where all that are filled in must hold. More complex rules are
// written as JSON.
#pragma once
#include "social/rules/word_list.hpp"

namespace rules {

BOOST_DEFINE_ENUM_CLASS(PlainOrigin, anybody, here, elsewhere)

struct PlainRule {
    std::string name;
    std::string words, domains, hashtags;                            // one per line; any of them matches
    std::string list;                                                // the name of a list of them
    std::optional<std::int64_t> links, mentions, copies, copies_by;  // more than that many
    std::optional<std::int64_t> author_days, author_posts;           // less than that
    PlainOrigin origin = PlainOrigin::anybody;
    bool first_contact = false;
    std::vector<std::string> acts;  // those that need no text
    std::string cw, refuse, label;  // and the texts of those that do
    bool everyone = false;
};

// Throws Invalid with the reason.
Definition definition_of(db::Read&, const PlainRule&);
// Empty when the fields cannot express it.
std::optional<PlainRule> plain(db::Read&, const Definition&);

}  // namespace rules

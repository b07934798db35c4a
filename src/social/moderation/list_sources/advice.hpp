// SPDX-License-Identifier: AGPL-3.0-or-later
// What a list that is subscribed to says about one server, account or mail provider, in one form whatever kind of list it is: that of
// FIRES, whose policies and filters say more than the severities of other lists.
#pragma once
#include "social/moderation/server_lists/list_lines.hpp"

namespace moderation {

BOOST_DEFINE_ENUM_CLASS(AdviceAbout, domain, actor, email_domain)
BOOST_DEFINE_ENUM_CLASS(AdviceType, advisory, recommendation)
BOOST_DEFINE_ENUM_CLASS(AdvicePolicy, none, accept, filter, reject, drop)

struct Advice {
    AdviceAbout about = AdviceAbout::domain;
    std::string key;  // a domain in its one spelling; of an account its address
    AdviceType type = AdviceType::recommendation;
    AdvicePolicy policy = AdvicePolicy::none;
    std::vector<std::string> filters;  // the last word of each address
    std::vector<std::string> labels;   // addresses
    std::string comment;
    std::string change;      // the address of what said so last, of a FIRES dataset
    bool obfuscate = false;  // others are shown the name in part only
};
DESCRIBE(Advice, about, key, type, policy, filters, labels, comment, change, obfuscate)

using Copy = std::vector<Advice>;  // all that a source says now, by `about` and `key`

// How strict the rules of a source may be at most.
BOOST_DEFINE_ENUM_CLASS(Ceiling, suspend, silence)

// The rule that it asks for; none of an advisory, of what is no domain, of a domain that is to be accepted, and of filters that no
// rule about a server can do.
std::optional<instance::ListRule> rule_of(const Advice&, Ceiling);
bool accepts(const Advice&);  // a domain
// And back: what says as much as this rule.
Advice advice_of(const instance::ListRule&);

Copy copy_of(const ServerList&);

}  // namespace moderation

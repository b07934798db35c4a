// SPDX-License-Identifier: AGPL-3.0-or-later
// The entry of a subscribed list about one server, account or mail provider, in one form for all kinds of
// lists: that of FIRES, whose policies and filters are more detailed than the severities of other lists.
#pragma once
#include "social/moderation/server_lists/list_lines.hpp"

namespace moderation {

BOOST_DEFINE_ENUM_CLASS(AdviceAbout, domain, actor, email_domain)
BOOST_DEFINE_ENUM_CLASS(AdviceType, advisory, recommendation)
BOOST_DEFINE_ENUM_CLASS(AdvicePolicy, none, accept, filter, reject, drop)

struct Advice {
    AdviceAbout about = AdviceAbout::domain;
    std::string key;  // a normalised domain; for an account its address
    AdviceType type = AdviceType::recommendation;
    AdvicePolicy policy = AdvicePolicy::none;
    std::vector<std::string> filters;  // the last part of each address
    std::vector<std::string> labels;   // addresses
    std::string comment;
    std::string change;      // the address of the latest change, in a FIRES dataset
    bool obfuscate = false;  // the domain is partly hidden from the public
};
DESCRIBE(Advice, about, key, type, policy, filters, labels, comment, change, obfuscate)

using Copy = std::vector<Advice>;  // all current entries of a source, by `about` and `key`

// How strict the rules of a source may be at most.
BOOST_DEFINE_ENUM_CLASS(Ceiling, suspend, silence)

// The rule that it recommends; none for advisories, entries that are not about domains, accepted domains, and
// filters that a rule about a server cannot express.
std::optional<instance::ListRule> rule_of(const Advice&, Ceiling);
bool accepts(const Advice&);  // a domain
// The inverse: the entry equivalent to this rule.
Advice advice_of(const instance::ListRule&);

Copy copy_of(const ServerList&);

}  // namespace moderation

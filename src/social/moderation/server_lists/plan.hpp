// SPDX-License-Identifier: AGPL-3.0-or-later
// The effect of each line of a list, given the existing rules: used both for applying and for the preview.
#pragma once
#include "social/moderation/server_lists/list_lines.hpp"

#include <memory>
#include <set>
#include <unordered_map>

namespace moderation {

// added: a new rule. joined: lists made one already, which becomes as strict as both, or as the one of the higher priority says. own: staff decided about this domain.
// covered: a rule about one above is as strict. excepted: no list decides about it.
BOOST_DEFINE_ENUM_CLASS(Fate, added, joined, own, covered, excepted)

struct PlannedRule {
    instance::ListRule rule;
    Fate fate = Fate::added;
    std::string by;  // the domain whose rule or exception decided
};

class RuleBook {
public:
    explicit RuleBook(std::vector<instance::KnownRule>);
    // A copy of that one with the changes by put().
    explicit RuleBook(std::shared_ptr<const RuleBook> under) : under_(std::move(under)) {}
    void put(instance::KnownRule);  // replaces an existing one
    const instance::KnownRule* about(const std::string& domain) const;
    // The longest domain decides, as in instance::limit_on().
    const instance::KnownRule* deciding(std::string_view server) const;
    const instance::KnownRule* above(std::string_view domain) const;

private:
    const instance::KnownRule* first_of(std::string_view from) const;
    std::shared_ptr<const RuleBook> under_;
    std::unordered_map<std::string, instance::KnownRule> rules_;
};

// All current decisions about servers, read once for any number of lists.
struct RulesNow {
    explicit RulesNow(db::Read&);

    std::shared_ptr<const RuleBook> rules;
    std::set<std::string> exceptions;
};

struct ListPlan {
    std::vector<PlannedRule> rules;  // in the order of the list
    std::shared_ptr<const RuleBook> before;
    RuleBook after;

    std::int64_t count(Fate) const;
    std::vector<instance::ListRule> in_force() const;  // those that are added or joined
};
ListPlan plan_list(const RulesNow&, const std::vector<instance::ListRule>&, std::int64_t priority);

}  // namespace moderation

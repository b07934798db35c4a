// SPDX-License-Identifier: AGPL-3.0-or-later
// What the operator wrote about the site, in Markdown: the extended description, the privacy policy, and the terms of
// service with their history.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

namespace instance {

struct ExtendedDescription {
    std::optional<base::WholeSeconds> updated_at;
    std::string content;
};
DESCRIBE(ExtendedDescription, updated_at, content)

struct PrivacyPolicy {
    base::WholeSeconds updated_at;
    std::string content;
};
DESCRIBE(PrivacyPolicy, updated_at, content)

struct TermsOfService {
    std::string effective_date;
    bool effective = false;
    std::string content;
    std::optional<std::string> succeeded_by;
};
DESCRIBE(TermsOfService, effective_date, effective, content, succeeded_by)

BOOST_DEFINE_ENUM_CLASS(Text, extended_description, privacy_policy)

void set_text(db::Write&, Text, const std::string& markdown);
std::string text(db::Read&, Text);  // as it was written
ExtendedDescription extended_description(db::Read&);
PrivacyPolicy privacy_policy(db::Read&);  // a plain one of ours until the operator writes theirs

void publish_terms(db::Write&, const std::string& markdown, base::Date effective);
// Those in force or, before the first are, those to come. nullopt: none.
std::optional<TermsOfService> terms_of_service(db::Read&);
std::optional<TermsOfService> terms_of_service(db::Read&, const std::string& date);

// As they were written: those in force or, before the first are, those to come.
std::string terms_text(db::Read&);

// The rules of the house, as moderators wrote them.
struct Rule {
    base::RuleId id;
    std::string text, hint;
    base::json::Raw translations;  // {"de":{"text","hint"}}
};
DESCRIBE(Rule, id, text, hint, translations)

std::vector<Rule> rules(db::Read&);
Rule rule(db::Read&, base::RuleId);  // throws NotFound
// A new one comes last. Throw Invalid and NotFound.
base::RuleId add_rule(db::Write&, const std::string& text, const std::string& hint);
void change_rule(db::Write&, base::RuleId, const std::string& text, const std::string& hint);
void move_rule_up(db::Write&, base::RuleId);
void remove_rule(db::Write&, base::RuleId);  // reports go on naming it

}  // namespace instance

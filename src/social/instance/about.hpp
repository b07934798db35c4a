// SPDX-License-Identifier: AGPL-3.0-or-later
// Texts by the operator about the site, in Markdown: the extended description, the privacy policy, and the
// terms of service with their history.
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
std::string text(db::Read&, Text);  // the Markdown source
ExtendedDescription extended_description(db::Read&);
PrivacyPolicy privacy_policy(db::Read&);  // a default text until the operator writes one

void publish_terms(db::Write&, const std::string& markdown, base::Date effective);
// The terms in force or, if none are yet, the upcoming ones. nullopt: none.
std::optional<TermsOfService> terms_of_service(db::Read&);
std::optional<TermsOfService> terms_of_service(db::Read&, const std::string& date);

// The Markdown source of the terms in force or, if none are yet, of the upcoming ones.
std::string terms_text(db::Read&);

// The rules of the site, as moderators wrote them.
struct Rule {
    base::RuleId id;
    std::string text, hint;
    base::json::Raw translations;  // {"de":{"text","hint"}}
};
DESCRIBE(Rule, id, text, hint, translations)

std::vector<Rule> rules(db::Read&);
Rule rule(db::Read&, base::RuleId);  // throws NotFound
// A new rule is added at the end. These throw Invalid and NotFound.
base::RuleId add_rule(db::Write&, const std::string& text, const std::string& hint);
void change_rule(db::Write&, base::RuleId, const std::string& text, const std::string& hint);
void move_rule_up(db::Write&, base::RuleId);
void remove_rule(db::Write&, base::RuleId);  // reports still reference it

}  // namespace instance

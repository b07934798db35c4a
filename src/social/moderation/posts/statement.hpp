// SPDX-License-Identifier: AGPL-3.0-or-later
// The statement of reasons for a decision about posts or an account: in a mail, on the owner's page and as
// JSON.
#pragma once
#include "social/instance/html.hpp"
#include "social/moderation/strike.hpp"

namespace moderation {

BOOST_DEFINE_ENUM_CLASS(StatementScope, account, posts)

// One that is gone has no address.
struct StatedPost {
    StatusId id;
    std::optional<std::string> url;
};
DESCRIBE(StatedPost, id, url)
struct StatedRule {
    base::RuleId id;
    std::string text;
};
DESCRIBE(StatedRule, id, text)
struct StatedAppeal {
    Time until;
    std::optional<AppealState> state;  // once it was made
    std::string url;
};
DESCRIBE(StatedAppeal, until, state, url)

struct Statement {
    static constexpr std::string_view entity = "StatementOfReasons";
    StrikeId id;
    StrikeAction decision = StrikeAction::none;
    StatementScope scope = StatementScope::account;
    std::string explanation;  // what the decision means, in English; empty where only the text counts
    std::string text;         // written by the moderator
    bool automated = false;   // detected and decided automatically
    bool reported = false;    // somebody had reported it
    std::optional<std::string> ground;
    std::vector<StatedRule> rules;
    std::vector<StatedPost> posts;
    Time created_at;
    std::optional<Time> ends_at, overruled_at;
    StatedAppeal appeal;
};
DESCRIBE(
    Statement, id, decision, scope, explanation, text, automated, reported, ground, rules, posts, created_at,
    ends_at, overruled_at, appeal
)

// In the order of the strikes, all of which are about one account.
std::vector<Statement> statements(db::Read&, const std::vector<Strike>&);

// For a mail or a page: TITLE, CONSEQUENCE, WHO, REASON, RULE, WORDS and POST.
void add_statement(instance::View&, const Statement&);

}  // namespace moderation

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/posts/statement.hpp"

#include "base/json_read.hpp"
#include "base/uris.hpp"
#include "social/moderation/posts/post_action.hpp"

#include <algorithm>
#include <set>

namespace moderation {

// rules belongs to instance, statuses and accounts to their subjects. Rules that were taken down are still what somebody broke.
const db::Query<StatedRule> stated_rules{
    "stated_rules", "SELECT id, text FROM rules WHERE id IN LIST($1) ORDER BY position, id"
};
struct PostAddress {
    StatusId id;
    std::string username;
};
DESCRIBE(PostAddress, id, username)
const db::Query<PostAddress> stated_posts{
    "stated_posts",
    R"(SELECT s.id, a.username FROM statuses s JOIN accounts a ON a.id = s.account_id
       WHERE s.id IN LIST($1) AND s.deleted_at IS NULL AND a.domain = '')"
};

namespace {

template <class Id>
std::vector<Id> ids_in(const std::optional<std::string>& json) {
    return json ? base::json::read<std::vector<Id>>(*json) : std::vector<Id>{};
}

template <class Id>
std::vector<Id> all_ids(const std::vector<Strike>& from, std::optional<std::string> Strike::* member) {
    std::set<Id> out;
    for (const auto& one : from)
        for (auto id : ids_in<Id>(one.*member)) out.insert(id);
    return {out.begin(), out.end()};
}

// Why it was decided, as the sentence begins; empty where the report says nothing.
std::string_view reason(std::string_view ground) {
    if (ground == base::word(Category::spam)) return "What you posted was found to be spam.";
    if (ground == base::word(Category::violation)) return "What you posted breaks rules of this server:";
    if (ground == base::word(Category::legal)) return "What you posted was found to be against the law.";
    return {};
}

}  // namespace

void add_statement(instance::View& view, const Statement& told) {
    view.say("TITLE", title(told.decision));
    if (!told.explanation.empty()) view.add("CONSEQUENCE").say("TEXT", told.explanation);
    view.add("WHO").say(
        "TEXT",
        told.automated  ? "A program found and decided this, by a rule that the team has set."
        : told.reported ? "The team decided this after a report."
                        : "The team decided this on its own initiative."
    );
    if (auto text = reason(told.ground.value_or("")); !text.empty()) view.add("REASON").say("TEXT", text);
    for (const auto& rule : told.rules) view.add("RULE").set("TEXT", rule.text);
    if (!told.text.empty()) view.add("WORDS").set("TEXT", told.text);
    for (const auto& post : told.posts)
        if (post.url) view.add("POST").set("POST_URL", *post.url);
}

std::vector<Statement> statements(db::Read& db, const std::vector<Strike>& about) {
    std::vector<StrikeId> ids;
    for (const auto& one : about) ids.push_back(one.id);
    const auto appeals = appeals_of(db, ids);
    const auto rule_ids = all_ids<base::RuleId>(about, &Strike::rule_ids);
    const auto rules = rule_ids.empty() ? std::vector<StatedRule>{} : db.all(stated_rules, rule_ids);
    const auto post_ids = all_ids<StatusId>(about, &Strike::status_ids);
    const auto posts = post_ids.empty() ? std::vector<PostAddress>{} : db.all(stated_posts, post_ids);
    std::vector<Statement> out;
    for (const auto& one : about) {
        Statement made{one.id, one.action};
        if (is_about_posts(one.action)) made.scope = StatementScope::posts;
        made.explanation = consequence(one.action);
        made.text = one.text;
        made.automated = one.automated;
        made.reported = bool(one.report_id);
        if (!one.ground.empty()) made.ground = one.ground;
        const auto broken = ids_in<base::RuleId>(one.rule_ids);
        for (const auto& rule : rules)
            if (std::ranges::find(broken, rule.id) != broken.end()) made.rules.push_back(rule);
        for (auto id : posts_of(one)) {
            auto& post = made.posts.emplace_back(StatedPost{id, {}});
            auto known = std::ranges::find(posts, id, &PostAddress::id);
            if (known != posts.end()) post.url = base::uris::status_page(db.site(), known->username, id);
        }
        made.created_at = one.created_at;
        made.overruled_at = one.overruled_at;
        made.appeal.until = appealable_until(db.site(), one);
        made.appeal.url = db.site().public_url + "/settings/account/strikes";
        auto appeal = std::ranges::find(appeals, one.id, &Appeal::strike_id);
        if (appeal != appeals.end()) made.appeal.state = appeal->state;
        out.push_back(std::move(made));
    }
    return out;
}

}  // namespace moderation

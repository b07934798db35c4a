// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/published_rules/published_rule.hpp"

#include "base/json.hpp"
#include "social/instance/public_rule.hpp"
#include "social/instance/settings.hpp"

#include <map>

namespace moderation {

namespace {

constexpr std::size_t noted_at_once = 500;  // in one change
constexpr std::string_view published_since_setting = "rules_published_since";

struct Noted {
    std::string domain, rule;
    bool withdrawn = false;
};
DESCRIBE(Noted, domain, rule, withdrawn)

}  // namespace

#define PUBLISHED_RULES "SELECT domain, id, rule, withdrawn, changed_at FROM published_rules "
const db::Query<Noted> noted_rules{"noted_rules", "SELECT domain, rule, withdrawn FROM published_rules"};
const db::Query<PublishedRule> rules_as_published{
    "rules_as_published", PUBLISHED_RULES "WHERE withdrawn = FALSE ORDER BY id DESC"
};
const db::Query<PublishedRule> changes_as_published{
    "changes_as_published", PUBLISHED_RULES "WHERE id > $1 ORDER BY id LIMIT $2"
};
const db::Query<PublishedRule> change_as_published{"change_as_published", PUBLISHED_RULES "WHERE id = $1"};
const db::Query<PublishedRuleId> newest_published_rule{
    "newest_published_rule", "SELECT id FROM published_rules ORDER BY id DESC LIMIT 1"
};
const db::Command put_published_rule{
    "put_published_rule",
    R"(INSERT INTO published_rules (domain, id, rule, withdrawn, changed_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (domain) DO UPDATE SET id = excluded.id, rule = excluded.rule, withdrawn = excluded.withdrawn,
           changed_at = excluded.changed_at)"
};

std::vector<PublishedRule> published_rules(db::Read& db) { return db.all(rules_as_published); }

std::vector<PublishedRule> published_changes(db::Read& db, PublishedRuleId after, int limit) {
    return db.all(changes_as_published, after, limit);
}

PublishedRule published_change(db::Read& db, PublishedRuleId id) { return db.one(change_as_published, id); }

PublishedRuleId newest_published(db::Read& db) {
    return db.maybe(newest_published_rule).value_or(PublishedRuleId{});
}

base::Time published_since(db::Read& db) {
    const auto noted = instance::setting(db, published_since_setting);
    return noted ? base::parse_time(*noted).value_or(db.now()) : db.now();
}

jobs::Change note_published_rules(db::Read& db) {
    if (!instance::shows_domain_blocks(db, true)) return {};
    std::map<std::string, std::string> now;
    for (const auto& rule : instance::public_rules(db)) now.emplace(rule.domain, base::json::to_string(rule));
    std::vector<Noted> changes;
    for (const auto& noted : db.all(noted_rules)) {
        const auto found = now.find(noted.domain);
        if (found == now.end()) {
            if (!noted.withdrawn) changes.push_back({noted.domain, noted.rule, true});
            continue;
        }
        const bool is_new = noted.withdrawn || noted.rule != found->second;
        if (!is_new) now.erase(found);
    }
    for (auto& [domain, rule] : now) changes.push_back({domain, rule, false});
    if (changes.empty()) return {};
    if (changes.size() > noted_at_once) changes.resize(noted_at_once);
    return [changes = std::move(changes)](db::Write& db) {
        if (!instance::setting(db, published_since_setting))
            instance::set_setting(db, published_since_setting, base::to_string(db.now()));
        for (const auto& one : changes)
            db.run(
                put_published_rule,
                one.domain,
                db.new_id<PublishedRuleId>(),
                one.rule,
                one.withdrawn,
                db.now()
            );
    };
}

}  // namespace moderation

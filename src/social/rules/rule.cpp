// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/rule.hpp"

#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/user.hpp"
#include "social/instance/settings.hpp"
#include "social/moderation/audit.hpp"
#include "social/rules/label.hpp"
#include "social/rules/word_list.hpp"

#include <algorithm>

namespace rules {

#define RULES                                                                                   \
    "SELECT id, name, mode, position, version, definition, fuse, acts_on_accounts, "            \
    "has_to_be_rehearsed, created_at, updated_at, rehearsed_version, rehearsed_at, tripped_at " \
    "FROM moderation_rules "

const db::Query<Rule> moderation_rules{"moderation_rules", RULES "ORDER BY position, id"};
// What a rule says is JSON without spaces, in which a quote within a text is escaped.
const db::Query<Rule> moderation_rules_saying{
    "moderation_rules_saying", RULES "WHERE definition LIKE $1 ORDER BY position, id"
};
const db::Query<Rule> moderation_rule{"moderation_rule", RULES "WHERE id = $1"};
const db::Query<std::int64_t> count_moderation_rules{
    "count_moderation_rules", "SELECT count(*) FROM moderation_rules"
};
const db::Command insert_moderation_rule{
    "insert_moderation_rule",
    R"(INSERT INTO moderation_rules (id, name, mode, position, version, definition, created_at, updated_at, fuse,
                                     acts_on_accounts, has_to_be_rehearsed)
       VALUES ($1, $2, 'watch', $3, 1, $4, $5, $5, $6, $7, $8))"
};
const db::Command insert_rule_version{
    "insert_rule_version",
    R"(INSERT INTO moderation_rule_versions (rule_id, version, definition, made_by, created_at)
       VALUES ($1, $2, $3, $4, $5))"
};
const db::Command update_moderation_rule{
    "update_moderation_rule",
    R"(UPDATE moderation_rules SET name = $2, mode = $3, position = $4, version = $5, definition = $6, updated_at = $7,
           fuse = $8, acts_on_accounts = $9, has_to_be_rehearsed = $10
       WHERE id = $1)"
};
const db::Command set_rule_mode{
    "set_rule_mode", "UPDATE moderation_rules SET mode = $2, tripped_at = $3, updated_at = $4 WHERE id = $1"
};
const db::Command set_rule_rehearsed{
    "set_rule_rehearsed",
    "UPDATE moderation_rules SET rehearsed_version = $2, rehearsed_at = $3 WHERE id = $1"
};
const db::Command note_rule_notified{
    "note_rule_notified", "UPDATE moderation_rules SET notified_at = $2 WHERE id = $1 AND notified_at <= $3"
};
const db::Command delete_moderation_rule{
    "delete_moderation_rule", "DELETE FROM moderation_rules WHERE id = $1"
};
const db::Query<RuleVersion> versions_of_rule{
    "versions_of_rule",
    R"(SELECT version, definition, made_by, created_at FROM moderation_rule_versions WHERE rule_id = $1
       ORDER BY version DESC LIMIT 100)"
};
const db::Query<std::string> definition_of_version{
    "definition_of_version",
    "SELECT definition FROM moderation_rule_versions WHERE rule_id = $1 AND version = $2"
};

namespace {

constexpr std::string_view version_setting = "rules_version";

void check_may(const accounts::Actor& who, bool acts_on_accounts) {
    accounts::require(who, accounts::permission::manage_blocks);
    if (acts_on_accounts) accounts::require(who, accounts::permission::manage_users);
}

// Whether a rule that acts on accounts reads what it notes of them, be it by others that note something in turn.
bool is_read_for_acts(db::Read& db, const Definition& noting) {
    auto label_of = [](const Definition& rule) {
        auto found = std::ranges::find(rule.then, RuleAct::label, &RuleAction::act);
        return found == rule.then.end() ? std::string() : found->text;
    };
    std::vector<std::string> labels{label_of(noting)};
    if (labels[0].empty()) return false;
    std::vector<Definition> readers;
    for (const auto& one : rules_saying(db, "author.label"))
        readers.push_back(read_definition(one.definition));
    for (std::size_t i = 0; i < labels.size(); ++i)
        for (const auto& reader : readers) {
            auto reads = [&](const Condition& one) {
                return one.field == FieldId::author_label &&
                       std::ranges::find(one.values, labels[i]) != one.values.end();
            };
            if (!std::ranges::any_of(reader.all_of, reads) && !std::ranges::any_of(reader.none_of, reads))
                continue;
            if (reader.acts_on_accounts()) return true;
            auto next = label_of(reader);
            if (!next.empty() && std::ranges::find(labels, next) == labels.end()) labels.push_back(next);
        }
    return false;
}

void note(db::Write& db, const accounts::Actor& who, std::string_view action, const Rule& rule) {
    move_rules_version(db);
    auto details = "{\"version\":" + std::to_string(rule.version) + ",\"mode\":\"" +
                   std::string(base::word(rule.mode)) + "\"}";
    moderation::log(db, who, action, {"Rule", rule.id.value, rule.name}, details);
}

bool is_rehearsed(const Rule& rule, Time now) {
    return rule.rehearsed_version == rule.version &&
           rule.rehearsed_at > now.plus_seconds(-rehearsal_holds_seconds);
}

}  // namespace

// Every node compiles the rules anew when it meets another version.
void move_rules_version(db::Write& db) { instance::move_version(db, version_setting); }

std::vector<Rule> rules(db::Read& db) { return db.all(moderation_rules); }
std::vector<Rule> rules_saying(db::Read& db, std::string_view word) {
    return db.all(moderation_rules_saying, "%\"" + std::string(word) + "\"%");
}
bool reaches_accounts(db::Read& db, const Definition& rule) {
    return rule.acts_on_accounts() || is_read_for_acts(db, rule);
}
Rule rule(db::Read& db, RuleId id) { return db.one(moderation_rule, id); }
std::vector<RuleVersion> versions(db::Read& db, RuleId id) { return db.all(versions_of_rule, id); }

Definition definition_of(db::Read& db, RuleId id, std::int64_t version) {
    return read_definition(db.one(definition_of_version, id, version));
}

std::string rules_version(db::Read& db) {
    return db.memoized("rules version", [&] { return instance::setting(db, version_setting).value_or(""); });
}

RuleId add_rule(db::Write& db, const accounts::Actor& who, const Definition& wanted) {
    check_may(who, wanted.acts_on_accounts());
    require_lists(db, wanted);
    require_labels(db, wanted);
    if (db.one(count_moderation_rules) >= static_cast<std::int64_t>(most_rules))
        throw base::Invalid("This rule cannot be used: there are too many");
    Rule made;
    made.id = db.new_id<RuleId>();
    made.name = wanted.name;
    auto text = json(wanted);
    db.run(
        insert_moderation_rule,
        made.id,
        wanted.name,
        wanted.order,
        text,
        db.now(),
        wanted.fuse,
        wanted.acts_on_accounts(),
        wanted.has_to_be_rehearsed()
    );
    db.run(insert_rule_version, made.id, 1, text, who.account, db.now());
    note(db, who, "create", made);
    return made.id;
}

void change_rule(
    db::Write& db, const accounts::Actor& who, RuleId id, const Definition& wanted,
    std::optional<std::int64_t> expected
) {
    auto now = rule(db, id);
    check_may(who, reaches_accounts(db, read_definition(now.definition)));
    check_may(who, reaches_accounts(db, wanted));
    require_lists(db, wanted);
    require_labels(db, wanted);
    if (expected && *expected != now.version)
        throw base::Conflict("Somebody else has changed this rule meanwhile");
    auto text = json(wanted);
    if (text == now.definition) return;
    now.name = wanted.name;
    now.version += 1;
    if (now.mode == Mode::on && wanted.has_to_be_rehearsed()) now.mode = Mode::watch;
    db.run(
        update_moderation_rule,
        id,
        now.name,
        now.mode,
        wanted.order,
        now.version,
        text,
        db.now(),
        wanted.fuse,
        wanted.acts_on_accounts(),
        wanted.has_to_be_rehearsed()
    );
    db.run(insert_rule_version, id, now.version, text, who.account, db.now());
    note(db, who, "update", now);
}

void remove_rule(db::Write& db, const accounts::Actor& who, RuleId id) {
    auto now = rule(db, id);
    check_may(who, now.acts_on_accounts);
    db.run(delete_moderation_rule, id);
    now.mode = Mode::off;
    note(db, who, "destroy", now);
}

void set_mode(db::Write& db, const accounts::Actor& who, RuleId id, Mode mode) {
    auto now = rule(db, id);
    check_may(who, reaches_accounts(db, read_definition(now.definition)));
    if (mode == Mode::on && now.has_to_be_rehearsed && !is_rehearsed(now, db.now()))
        throw base::Invalid("This rule has to be rehearsed before it is switched on");
    if (mode == now.mode) return;
    now.mode = mode;
    db.run(set_rule_mode, id, mode, std::optional<Time>(), db.now());
    note(db, who, "mode", now);
}

void note_rehearsed(db::Write& db, RuleId id, std::int64_t version) {
    db.run(set_rule_rehearsed, id, version, db.now());
}

void put_back(db::Write& db, const FuseBlown& blown) {
    auto now = db.maybe(moderation_rule, blown.rule);
    if (!now || now->mode != Mode::on || now->version != blown.version) return;
    now->mode = Mode::watch;
    db.run(set_rule_mode, now->id, now->mode, std::optional(db.now()), db.now());
    note(db, accounts::the_operator(), "trip", *now);
    for (const auto& one : accounts::staff_who_may(db, accounts::permission::manage_blocks))
        db.emit(FuseMailWanted{now->id, one.user});
}

void mail_fuse(const base::Ask& ask, db::Read& db, const FuseMailWanted& e) {
    auto user = accounts::find_user(db, e.user);
    auto found = db.maybe(moderation_rule, e.rule);
    if (!user || !found || !found->tripped_at) return;
    instance::View view;
    view.set("RULE", found->name)
        .set("HITS", std::to_string(found->fuse))
        .set("NUMBER", std::to_string(found->id.value));
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "rule_put_back", view);
}

void tell_team(db::Write& db, RuleId id) {
    if (db.run(note_rule_notified, id, db.now(), db.now().plus_seconds(-notices_apart_seconds)) == 0) return;
    for (const auto& one : accounts::staff_who_may(db, accounts::permission::manage_blocks))
        db.emit(NoticeWanted{id, one.user});
}

void mail_notice(const base::Ask& ask, db::Read& db, const NoticeWanted& e) {
    auto user = accounts::find_user(db, e.user);
    auto found = db.maybe(moderation_rule, e.rule);
    if (!user || !found) return;
    instance::View view;
    view.set("RULE", found->name).set("NUMBER", std::to_string(found->id.value));
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "rule_applied", view);
}

}  // namespace rules

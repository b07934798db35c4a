// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules about posts and their word lists, using the same functions as the API.
#include "base/json_read.hpp"
#include "base/text/html/html.hpp"
#include "cli/cli_context.hpp"
#include "social/rules/hit.hpp"
#include "social/rules/rehearsal.hpp"
#include "social/rules/word_list.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace server {

namespace {

using rules::Rule, rules::RuleId;

RuleId number(const std::string& text) {
    return id_of<RuleId>(text, "a rule", "`dunlin rule list` shows them");
}

// The input is one rule or a list of rules.
std::vector<std::string> rules_in(const std::string& text) {
    boost::system::error_code error;
    auto value = boost::json::parse(text, error);
    if (error) throw Refused("That is no JSON");
    std::vector<std::string> out;
    if (!value.is_array()) return {text};
    for (const auto& one : value.get_array()) out.push_back(boost::json::serialize(one));
    return out;
}

struct ListedRule {
    RuleId id;
    std::string name;
    rules::Mode mode = rules::Mode::watch;
    std::int64_t version = 1, hits_today = 0;
};
DESCRIBE(ListedRule, id, name, mode, version, hits_today)

std::vector<ListedRule> listed(db::Read& db) {
    auto counts = rules::hits_today(db);
    std::vector<ListedRule> out;
    for (const auto& one : rules::rules(db)) {
        auto found = std::ranges::find(counts, one.id, &rules::HitCount::rule_id);
        out.push_back({one.id, one.name, one.mode, one.version, found == counts.end() ? 0 : found->hits});
    }
    return out;
}

struct ShownRule {
    Rule rule;
    std::vector<rules::Rehearsal> rehearsals;
};
DESCRIBE(ShownRule, rule, rehearsals)

// Replaces the rule with this name, or adds one.
RuleId put(db::Write& db, const rules::Definition& wanted) {
    const auto who = accounts::the_operator();
    for (const auto& one : rules::rules(db))
        if (one.name == wanted.name) {
            rules::change_rule(db, who, one.id, wanted, {});
            return one.id;
        }
    return rules::add_rule(db, who, wanted);
}

struct CheckedText {
    RuleId id;
    std::string name;
    bool applies = false;
    std::vector<rules::ExplainedCondition> conditions;
};
DESCRIBE(CheckedText, id, name, applies, conditions)

std::vector<CheckedText> checked(db::Read& db, const std::string& text) {
    auto html = base::text::to_html(text, {});
    statuses::Candidate post;
    post.at = db.now();
    post.html = html;
    rules::Facts facts(db, post);
    std::vector<CheckedText> out;
    for (const auto& one : rules::rules(db)) {
        const rules::Program program({{one.id, one.version, true, rules::read_definition(one.definition)}});
        out.push_back({one.id, one.name, program.applies(0, post, facts), program.explain(0, post, facts)});
    }
    return out;
}

// ---- word lists ----

std::optional<rules::WordList> find_words(db::Read& db, const std::string& name) {
    auto all = rules::word_lists(db);
    auto found = std::ranges::find(all, name, &rules::WordList::name);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

rules::WordList named(db::Read& db, const std::string& name) {
    if (auto found = find_words(db, name)) return *std::move(found);
    throw Refused("There is no list of words \"" + name + "\"; `dunlin words list` shows them");
}

}  // namespace

int list_rules(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto all = cli.read(listed);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"NUMBER", "RULE", "MODE", "VERSION", "HITS IN 24 H"}};
    for (const auto& one : all)
        rows.push_back(
            {std::to_string(one.id.value),
             one.name,
             std::string(base::word(one.mode)),
             std::to_string(one.version),
             std::to_string(one.hits_today)}
        );
    print_table(rows);
    return 0;
}

int show_rule(const Settings& settings, const RuleOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = number(order.id);
    const auto one =
        cli.read([&](db::Read& db) { return ShownRule{rules::rule(db, id), rules::rehearsals(db, id)}; });
    if (settings.json) return print_json(one), 0;
    std::vector<std::vector<std::string>> rows{
        {"rule", one.rule.name},
        {"mode", std::string(base::word(one.rule.mode))},
        {"version", std::to_string(one.rule.version)},
        {"changed", base::to_string(one.rule.updated_at)},
        {"definition", one.rule.definition}
    };
    for (const auto& rehearsal : one.rehearsals)
        rows.push_back(
            {"rehearsal of version " + std::to_string(rehearsal.version),
             std::string(base::word(rehearsal.state)) + " " + rehearsal.result}
        );
    print_table(rows);
    return 0;
}

int import_rules(const Settings& settings, const RuleOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    std::vector<rules::Definition> wanted;
    for (const auto& text : rules_in(contents_of_file_or_stdin(order.file)))
        wanted.push_back(rules::read_definition(text));
    std::vector<RuleId> made;
    for (const auto& one : wanted) made.push_back(cli.write([&](db::Write& db) { return put(db, one); }));
    if (settings.json) return print_json(made), 0;
    for (std::size_t i = 0; i < made.size(); ++i)
        print(std::to_string(made[i].value) + "  " + wanted[i].name);
    print("A new rule only watches; `dunlin rule mode` switches it on.");
    return 0;
}

int export_rules(const Settings& settings, const RuleOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto all = cli.read([&](db::Read& db) {
        return order.id.empty() ? rules::rules(db) : std::vector{rules::rule(db, number(order.id))};
    });
    std::string out;
    for (const auto& one : all) out += (out.empty() ? "[" : ",\n ") + one.definition;
    print(out.empty() ? "[]" : out + "]");
    return 0;
}

int check_text(const Settings& settings, const RuleOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto all = cli.read([&](db::Read& db) { return checked(db, order.text); });
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"RULE", "APPLIES", "FIELD", "OPERATOR", "HOLDS", "VALUE"}};
    for (const auto& one : all)
        for (const auto& condition : one.conditions)
            rows.push_back(
                {one.name,
                 one.applies ? "yes" : "no",
                 (condition.unless ? "unless " : "") + condition.field,
                 condition.op,
                 condition.holds ? "yes" : "no",
                 condition.value}
            );
    print_table(rows);
    return 0;
}

int rehearse_rule(const Settings& settings, const RuleOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = number(order.id);
    const auto made = cli.write([&](db::Write& db) {
        return rules::begin_rehearsal(db, accounts::the_operator(), id, order.days);
    });
    if (settings.json) return print_json(made), 0;
    print(
        "The server rehearses it in the background; `dunlin rule show " + order.id + "` tells what it found."
    );
    return 0;
}

int set_rule_mode(const Settings& settings, const RuleOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = number(order.id);
    const auto mode = order.mode == "on"    ? rules::Mode::on
                      : order.mode == "off" ? rules::Mode::off
                                            : rules::Mode::watch;
    cli.write([&](db::Write& db) { rules::set_mode(db, accounts::the_operator(), id, mode); });
    const auto now = cli.read([&](db::Read& db) { return rules::rule(db, id); });
    if (settings.json) print_json(now);
    else print(now.name + ": " + std::string(base::word(now.mode)));
    return 0;
}

int undo_rule(const Settings& settings, const RuleOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = number(order.id);
    std::optional<base::Time> since = base::Time{0};
    if (!order.since.empty()) since = base::parse_time(order.since);
    if (!since) throw Refused("\"" + order.since + "\" is no time, like 2026-01-02T03:04:05Z");
    const auto done = cli.write([&](db::Write& db) {
        return rules::undo_since(db, accounts::the_operator(), id, *since, order.dry_run);
    });
    if (settings.json) return print_json(done), 0;
    print(
        std::to_string(done.hits) + " hits are taken back in the background; " + std::to_string(done.lost) +
        " of them refused posts, which nothing brings back."
    );
    return 0;
}

int list_words(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto all = cli.read(rules::word_lists);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"LIST", "OF", "ENTRIES", "CHANGED"}};
    for (const auto& one : all)
        rows.push_back(
            {one.name,
             std::string(base::word(one.kind)),
             std::to_string(one.size),
             base::to_string(one.updated_at)}
        );
    print_table(rows);
    return 0;
}

int export_words(const Settings& settings, const WordsOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto entries = cli.read([&](db::Read& db) { return rules::entries_of(db, named(db, order.name).id); });
    if (!entries.empty()) entries.pop_back();
    print(entries);
    return 0;
}

int import_words(const Settings& settings, const WordsOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto who = accounts::the_operator();
    const auto known = cli.read([&](db::Read& db) { return find_words(db, order.name); });
    const auto kind = order.kind.empty() ? (known ? known->kind : rules::WordListKind::words)
                                         : base::json::read<rules::WordListKind>("\"" + order.kind + "\"");
    const auto entries = rules::read_word_list(kind, contents_of_file_or_stdin(order.file));
    const auto id = cli.write([&](db::Write& db) {
        if (!known) return rules::add_word_list(db, who, order.name, entries);
        rules::change_word_list(db, who, known->id, entries);
        return known->id;
    });
    const auto now = cli.read([&](db::Read& db) { return rules::word_list(db, id); });
    if (settings.json) print_json(now);
    else print(now.name + ": " + std::to_string(now.size) + " entries");
    return 0;
}

int remove_words(const Settings& settings, const WordsOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = cli.read([&](db::Read& db) { return named(db, order.name).id; });
    cli.write([&](db::Write& db) { rules::remove_word_list(db, accounts::the_operator(), id); });
    if (settings.json) print("{}");
    else print(order.name + " is gone");
    return 0;
}

}  // namespace server

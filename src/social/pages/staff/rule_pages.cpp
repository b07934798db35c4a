// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules about posts: written as JSON (docs/operating/rules.md), rehearsed, let act, and taken back. Plain fields: rule_form_pages.cpp.
#include "base/json_read.hpp"
#include "http/route.hpp"
#include "social/pages/staff/staff_page.hpp"
#include "social/rules/hit.hpp"
#include "social/rules/plain.hpp"
#include "social/rules/program.hpp"
#include "social/rules/rehearsal.hpp"

#include <algorithm>

namespace pages {
namespace {

using instance::View, rules::Mode, rules::RuleId;

const std::string rules_path = address_of(rules_part);

std::string path_of(RuleId id) { return rules_path + "/" + std::to_string(id.value); }

struct ModeName {
    Mode mode;
    std::string_view name, meaning;
};
constexpr ModeName modes[] = {
    {Mode::on, "It acts", "What it finds is dealt with as it says"},
    {Mode::watch, "It watches", "What it finds is noted, and nothing else"},
    {Mode::off, "It rests", "Nothing is looked at"},
};

http::Response list(db::Read& db, const http::Request& request) {
    auto who = member(db, request, rules_part.any_of);
    if (who.answer()) return *who.answer();
    auto counts = rules::hits_today(db);
    auto all = rules::rules(db);
    View view;
    view.show_if(all.empty(), "NONE");
    for (const auto& one : all) {
        auto found = std::ranges::find(counts, one.id, &rules::HitCount::rule_id);
        auto& row = view.add("RULE").set("URL", path_of(one.id)).set("NAME", one.name);
        row.say("MODE", std::ranges::find(modes, one.mode, &ModeName::mode)->name);
        row.set("HITS", std::to_string(found == counts.end() ? 0 : found->hits));
        row.show_if(one.tripped_at.has_value(), "TRIPPED");
    }
    return staff_page(db, request, who, &rules_part, "staff_rules", "Rules about posts", {}, std::move(view));
}

// ---- one ----

struct ByRule {
    RuleId id;
    std::string authenticity_token;
};
DESCRIBE(ByRule, id, authenticity_token)

struct RuleForm {
    std::string rule, authenticity_token;
    std::optional<std::int64_t> version;
};
DESCRIBE(RuleForm, rule, authenticity_token, version)

constexpr std::string_view example = R"({
  "name": "Pills",
  "if": [{"field": "text", "op": "contains_word", "values": ["cheap pills", "casino"]}],
  "then": [{"act": "report"}]
})";

struct Counts {
    std::int64_t posts = 0, hits = 0;
};
DESCRIBE(Counts, posts, hits)

void add_rehearsals(db::Read& db, View& view, RuleId id) {
    for (const auto& one : rules::rehearsals(db, id)) {
        auto& row = view.add("REHEARSAL").set("DAY", minute_of(one.created_at));
        row.set("VERSION", std::to_string(one.version));
        row.show_if(one.state == rules::RehearsalState::running, "RUNNING");
        if (one.result.empty()) continue;
        auto counts = base::json::read<Counts>(one.result);
        row.add("RESULT").set("POSTS", std::to_string(counts.posts)).set("HITS", std::to_string(counts.hits));
    }
}

void add_hits(db::Read& db, View& view, const Member& who, RuleId id) {
    base::Range latest;
    latest.limit = 20;
    auto found = rules::hits(db, id, latest);
    std::vector<base::AccountId> authors;
    for (const auto& hit : found) authors.push_back(hit.account_id);
    auto names = handles(db, authors);
    view.show_if(found.empty(), "NO_HITS");
    for (const auto& hit : found) {
        auto& row =
            view.add("HIT").set("DAY", minute_of(hit.created_at)).set("HANDLE", names[hit.account_id]);
        for (const auto& part : base::json::read<std::vector<rules::Matched>>(hit.matched))
            row.add("PART").set("FIELD", part.field).set("VALUE", part.value);
        if (who.actor.may(accounts_part.any_of)) row.add("ACCOUNT").set("URL", account_page(hit.account_id));
        row.show_if(hit.acted, "ACTED").show_if(hit.refused, "REFUSED");
        row.show_if(hit.undone_at.has_value(), "UNDONE");
    }
}

http::Response rule_page(
    db::Read& db, const http::Request& request, const Member& who, RuleId id,
    const std::optional<std::string>& given = {}, std::string_view problem = {}
) {
    auto one = rules::rule(db, id);
    View view;
    auto& known = view.add("KNOWN");
    view.set("RULE", given.value_or(rules::laid_out(one.definition)))
        .set("VERSION", std::to_string(one.version));
    view.set("WHERE", path_of(id));
    known.set("NAME", one.name);
    for (const auto& mode : modes)
        known.add("CHOICE")
            .set("WORD", base::word(mode.mode))
            .say("MODE", mode.name)
            .say("MEANING", mode.meaning)
            .show_if(mode.mode == one.mode, "CHOSEN");
    known.show_if(one.tripped_at.has_value(), "TRIPPED");
    known.show_if(rules::plain(db, rules::read_definition(one.definition)).has_value(), "PLAIN");
    add_rehearsals(db, known, id);
    add_hits(db, known, who, id);
    return staff_page(db, request, who, &rules_part, "staff_rule", "A rule", problem, std::move(view));
}

http::Response new_page(
    db::Read& db, const http::Request& request, const Member& who, std::string_view given,
    std::string_view problem = {}
) {
    View view;
    view.set("RULE", given).set("VERSION", "").set("WHERE", rules_path);
    return staff_page(db, request, who, &rules_part, "staff_rule", "Write a rule", problem, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request, const ByRule& path) {
    auto who = member(db, request, rules_part.any_of);
    return who.answer() ? *who.answer() : rule_page(db, request, who, path.id);
}

http::Response look_new(db::Read& db, const http::Request& request) {
    auto who = member(db, request, rules_part.any_of);
    return who.answer() ? *who.answer() : new_page(db, request, who, example);
}

http::Response add(db::Write& db, const http::Request& request, const RuleForm& form) {
    auto who = member(db, request, rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    try {
        auto id = rules::add_rule(db, who.actor, rules::read_definition(form.rule));
        return done(path_of(id), "rule_saved");
    } catch (const base::Invalid& refused) {
        return new_page(db, request, who, form.rule, sentence_of(refused));
    }
}

http::Response change(db::Write& db, const http::Request& request, const ByRule& path, const RuleForm& form) {
    auto who = member(db, request, rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    rules::rule(db, path.id);
    try {
        rules::change_rule(db, who.actor, path.id, rules::read_definition(form.rule), form.version);
    } catch (const base::Invalid& refused) {
        return rule_page(db, request, who, path.id, form.rule, sentence_of(refused));
    }
    return done(path_of(path.id), "rule_saved");
}

struct ModeForm {
    Mode mode = Mode::watch;
};
DESCRIBE(ModeForm, mode)

http::Response set_mode(
    db::Write& db, const http::Request& request, const ByRule& path, const ModeForm& form
) {
    auto who = member(db, request, rules_part.any_of, path.authenticity_token);
    if (who.answer()) return *who.answer();
    try {
        rules::set_mode(db, who.actor, path.id, form.mode);
    } catch (const base::Invalid& refused) {
        return rule_page(db, request, who, path.id, {}, sentence_of(refused));
    }
    return done(path_of(path.id), "rule_saved");
}

http::Response rehearse(db::Write& db, const http::Request& request, const ByRule& form) {
    auto who = member(db, request, rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    constexpr std::int64_t a_week = 7;
    try {
        rules::begin_rehearsal(db, who.actor, form.id, a_week);
    } catch (const base::Invalid& refused) {
        return rule_page(db, request, who, form.id, {}, sentence_of(refused));
    }
    return done(path_of(form.id), "rehearsing");
}

http::Response undo(db::Write& db, const http::Request& request, const ByRule& form) {
    auto who = member(db, request, rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    constexpr std::int64_t a_day = 86'400;
    rules::rule(db, form.id);
    rules::undo_since(db, who.actor, form.id, db.now().plus_seconds(-a_day), false);
    return done(path_of(form.id), "undone");
}

http::Response remove(db::Write& db, const http::Request& request, const ByRule& form) {
    auto who = member(db, request, rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    rules::remove_rule(db, who.actor, form.id);
    return done(rules_path, "rule_removed");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list>     ("/settings/moderation/rules"),
    http::post<add>     ("/settings/moderation/rules"),
    http::get<look_new> ("/settings/moderation/rules/json"),
    http::get<look>     ("/settings/moderation/rules/:id"),
    http::post<change>  ("/settings/moderation/rules/:id"),
    http::post<set_mode>("/settings/moderation/rules/:id/mode"),
    http::post<rehearse>("/settings/moderation/rules/:id/rehearse"),
    http::post<undo>    ("/settings/moderation/rules/:id/undo"),
    http::post<remove>  ("/settings/moderation/rules/:id/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> rule_pages() { return table; }

}  // namespace pages

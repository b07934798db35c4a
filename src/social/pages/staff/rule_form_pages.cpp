// SPDX-License-Identifier: AGPL-3.0-or-later
// The common kinds of rules about posts, in plain fields. What says more is written as JSON (rule_pages.cpp).
#include "social/oauth/pages/page.hpp"
#include "social/pages/staff/sheet.hpp"
#include "social/rules/plain.hpp"

#include <algorithm>
#include <charconv>

namespace pages {
namespace {

using rules::PlainOrigin, rules::PlainRule, rules::RuleAct, rules::RuleId;

const std::string rules_path = address_of(rules_part);

std::string path_of(RuleId id) { return rules_path + "/" + std::to_string(id.value); }

struct ActName {
    RuleAct act;
    std::string_view name;
};
constexpr ActName act_names[] = {
    {RuleAct::report, "Report it to the team"},
    {RuleAct::hold, "Hold it until the team has looked at it"},
    {RuleAct::sensitive, "Mark its media as sensitive"},
    {RuleAct::unlist, "Leave it out of public lists"},
    {RuleAct::no_notify, "Notify nobody whom it names"},
    {RuleAct::notify, "Write to the team"},
};

// Numbers are texts here: an empty one says nothing.
struct RuleForm {
    std::string name, words, domains, hashtags, list, links, mentions, copies, copies_by, author_days,
        author_posts;
    PlainOrigin origin = PlainOrigin::anybody;
    std::vector<std::string> acts;
    std::string cw, refuse, label, authenticity_token;
    bool first_contact = false, everyone = false;
    std::optional<std::int64_t> version;
};
DESCRIBE(
    RuleForm, name, words, domains, hashtags, list, links, mentions, copies, copies_by, author_days,
    author_posts, origin, acts, cw, refuse, label, authenticity_token, first_contact, everyone, version
)

std::optional<std::int64_t> number_in(const std::string& text) {
    if (text.empty()) return {};
    std::int64_t out = 0;
    const auto* end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, out); read.ec != std::errc() || read.ptr != end)
        throw base::Invalid("This rule cannot be used: \"" + text + "\" is no number");
    return out;
}

PlainRule plain_of(const RuleForm& form) {
    return {
        form.name,
        form.words,
        form.domains,
        form.hashtags,
        form.list,
        number_in(form.links),
        number_in(form.mentions),
        number_in(form.copies),
        number_in(form.copies_by),
        number_in(form.author_days),
        number_in(form.author_posts),
        form.origin,
        form.first_contact,
        form.acts,
        form.cw,
        form.refuse,
        form.label,
        form.everyone
    };
}

std::string shown(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : std::string();
}

RuleForm form_of(const PlainRule& rule) {
    RuleForm out{
        rule.name,
        rule.words,
        rule.domains,
        rule.hashtags,
        rule.list,
        shown(rule.links),
        shown(rule.mentions),
        shown(rule.copies),
        shown(rule.copies_by),
        shown(rule.author_days),
        shown(rule.author_posts),
        rule.origin,
        rule.acts,
        rule.cw,
        rule.refuse,
        rule.label
    };
    out.first_contact = rule.first_contact;
    out.everyone = rule.everyone;
    return out;
}

Field area(std::string_view name, std::string_view label, const std::string& value) {
    return {Field::Kind::area, name, label, value, false, "One in each line; one of them is enough"};
}

Field number(std::string_view name, std::string_view label, const std::string& value) {
    return {Field::Kind::number, name, label, value};
}

Field lists(db::Read& db, const std::string& chosen) {
    Field out{Field::Kind::list, "list", "Or one of a list", chosen};
    out.options.push_back({"", "None"});
    for (const auto& one : rules::word_lists(db)) out.options.push_back({one.name, {}, one.name});
    return out;
}

Field origins(PlainOrigin chosen) {
    return {
        Field::Kind::radios,
        "origin",
        "Who wrote it",
        std::string(base::word(chosen)),
        false,
        {},
        {{"anybody", "Anybody"},
         {"here", "Somebody of this site"},
         {"elsewhere", "Somebody of another server"}}
    };
}

Field what_to_do(const std::vector<std::string>& chosen) {
    Field out{Field::Kind::boxes, "acts[]", "What is done then"};
    for (const auto& one : act_names) {
        const std::string act(base::word(one.act));
        out.options.push_back({act, one.name, {}, {}, std::ranges::find(chosen, act) != chosen.end()});
    }
    return out;
}

std::vector<Field> fields(db::Read& db, const RuleForm& given) {
    using Kind = Field::Kind;
    return {
        {Kind::line, "name", "Name", given.name, true},
        area("words", "Words and phrases", given.words),
        area("domains", "Domains that links lead to", given.domains),
        area("hashtags", "Hashtags", given.hashtags),
        lists(db, given.list),
        number("links", "More links than", given.links),
        number("mentions", "More people named than", given.mentions),
        number("copies", "More posts of the last hour that say nearly the same than", given.copies),
        number("copies_by", "By more accounts than", given.copies_by),
        origins(given.origin),
        number("author_days", "The account is younger than so many days", given.author_days),
        number("author_posts", "The account has fewer posts than", given.author_posts),
        {Kind::box,
         "first_contact",
         "It names somebody here who never had to do with the author",
         given.first_contact ? "1" : ""},
        what_to_do(given.acts),
        {Kind::line, "cw", "Put this warning before it", given.cw},
        {Kind::line, "refuse", "Refuse it, and say why", given.refuse},
        {Kind::line, "label", "Note this of the author, for the team", given.label},
        {Kind::box, "everyone", "Also for the team, and for people who are trusted", given.everyone ? "1" : ""
        },
    };
}

http::Response form_page(
    db::Read& db, const http::Request& request, const Member& who, std::optional<RuleId> id,
    const RuleForm& given, std::string_view problem = {}
) {
    Panel panel;
    panel.hint =
        "All that is filled in has to hold. A new rule only watches: rehearse it before you let it act.";
    Form form{(id ? path_of(*id) : rules_path) + "/form", "Save", fields(db, given)};
    if (given.version) form.hidden.push_back({"version", std::to_string(*given.version)});
    panel.forms.push_back(std::move(form));
    panel.link = {id ? path_of(*id) : rules_path + "/json", "The rule, as JSON"};
    return sheet(db, request, who, rules_part, id ? "A rule" : "Write a rule", {panel}, problem);
}

http::Response look_new(db::Read& db, const http::Request& request) {
    auto who = member(db, request, rules_part.any_of);
    return who.answer() ? *who.answer() : form_page(db, request, who, {}, {});
}

http::Response look(db::Read& db, const http::Request& request, const One<RuleId>& path) {
    auto who = member(db, request, rules_part.any_of);
    if (who.answer()) return *who.answer();
    auto known = rules::rule(db, path.id);
    auto rule = rules::plain(db, rules::read_definition(known.definition));
    if (!rule) return oauth::redirect(path_of(path.id));
    auto given = form_of(*rule);
    given.version = known.version;
    return form_page(db, request, who, path.id, given);
}

http::Response add(db::Write& db, const http::Request& request, const RuleForm& form) {
    auto who = member(db, request, rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    try {
        auto id = rules::add_rule(db, who.actor, rules::definition_of(db, plain_of(form)));
        return done(path_of(id), "rule_saved");
    } catch (const base::Invalid& refused) {
        return form_page(db, request, who, {}, form, sentence_of(refused));
    }
}

struct ById {
    RuleId id;
};
DESCRIBE(ById, id)

http::Response change(db::Write& db, const http::Request& request, const ById& path, const RuleForm& form) {
    auto who = member(db, request, rules_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    rules::rule(db, path.id);
    try {
        rules::change_rule(db, who.actor, path.id, rules::definition_of(db, plain_of(form)), form.version);
    } catch (const base::Invalid& refused) {
        return form_page(db, request, who, path.id, form, sentence_of(refused));
    }
    return done(path_of(path.id), "rule_saved");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look_new>("/settings/moderation/rules/add"),
    http::post<add>    ("/settings/moderation/rules/form"),
    http::get<look>    ("/settings/moderation/rules/:id/form"),
    http::post<change> ("/settings/moderation/rules/:id/form"),
};
// clang-format on

}  // namespace

std::span<const http::Route> rule_form_pages() { return table; }

}  // namespace pages

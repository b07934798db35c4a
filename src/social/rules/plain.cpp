// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/plain.hpp"

#include "base/text/blank.hpp"

#include <algorithm>
#include <boost/json.hpp>

namespace rules {

namespace {

namespace json_ = boost::json;

json_::array lines_of(std::string_view text) {
    json_::array out;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (const auto value = base::text::trimmed(line); !value.empty()) out.emplace_back(value);
    }
    return out;
}

std::string in_lines(const std::vector<std::string>& values) {
    std::string out;
    for (const auto& value : values) out += value + "\n";
    return out;
}

// Each text area, its field and its operator, and the lists that may stand in for it.
struct Area {
    FieldId field;
    Op op;
    WordListKind kind;
    std::string PlainRule::* lines;
};
constexpr Area areas[] = {
    {FieldId::text, Op::contains_word, WordListKind::words, &PlainRule::words},
    {FieldId::link_domain, Op::in, WordListKind::domains, &PlainRule::domains},
    {FieldId::hashtag, Op::in, WordListKind::hashtags, &PlainRule::hashtags},
};

struct Bound {
    FieldId field;
    Op op;
    std::optional<std::int64_t> PlainRule::* number;
};
constexpr Bound bounds[] = {
    {FieldId::links, Op::more, &PlainRule::links},
    {FieldId::mentions, Op::more, &PlainRule::mentions},
    {FieldId::near_copies, Op::more, &PlainRule::copies},
    {FieldId::near_copies_authors, Op::more, &PlainRule::copies_by},
    {FieldId::author_age_days, Op::less, &PlainRule::author_days},
    {FieldId::author_posts, Op::less, &PlainRule::author_posts},
};

struct Worded {
    RuleAct act;
    std::string PlainRule::* text;
};
constexpr Worded worded[] = {
    {RuleAct::cw, &PlainRule::cw},
    {RuleAct::refuse, &PlainRule::refuse},
    {RuleAct::label, &PlainRule::label},
};

json_::object condition(FieldId id, Op op, json_::array values) {
    return {{"field", field(id).name}, {"op", word(op)}, {"values", std::move(values)}};
}

std::optional<WordListKind> kind_of(db::Read& db, const std::string& name) {
    for (const auto& one : word_lists(db))
        if (one.name == name) return one.kind;
    return {};
}

json_::array conditions_of(db::Read& db, const PlainRule& given) {
    json_::array out;
    std::optional<WordListKind> list;
    if (!given.list.empty() && !(list = kind_of(db, given.list)))
        throw base::Invalid("This rule cannot be used: there is no list \"" + given.list + "\"");
    for (const auto& area : areas) {
        auto values = lines_of(given.*area.lines);
        const bool listed = list == area.kind;
        if (values.empty() && !listed) continue;
        auto one = condition(area.field, area.op, std::move(values));
        if (listed) one["lists"] = json_::array{given.list};
        if (one["values"].get_array().empty()) one.erase("values");
        out.push_back(std::move(one));
    }
    for (const auto& bound : bounds)
        if (const auto& number = given.*bound.number)
            out.push_back(condition(bound.field, bound.op, {*number}));
    if (given.origin != PlainOrigin::anybody)
        out.push_back(condition(FieldId::author_local, Op::is, {given.origin == PlainOrigin::here}));
    if (given.first_contact) out.push_back(condition(FieldId::first_contact, Op::is, {true}));
    return out;
}

bool take(PlainRule& out, const Condition& one) {
    for (const auto& area : areas) {
        if (one.field != area.field || one.op != area.op || one.lists.size() > 1) continue;
        if (!one.lists.empty()) out.list = one.lists[0];
        out.*area.lines = in_lines(one.values);
        return true;
    }
    for (const auto& bound : bounds) {
        if (one.field != bound.field || one.op != bound.op) continue;
        out.*bound.number = one.number;
        return true;
    }
    if (one.op != Op::is) return false;
    if (one.field == FieldId::author_local)
        out.origin = one.number != 0 ? PlainOrigin::here : PlainOrigin::elsewhere;
    else if (one.field == FieldId::first_contact) out.first_contact = one.number != 0;
    else return false;
    return true;
}

// What the page offers no field for would be lost when it is saved.
bool take(PlainRule& out, const RuleAction& one) {
    using enum RuleAct;
    if (one.act == allow || one.act == limit_account || one.act == suspend_account) return false;
    for (const auto& of : worded)
        if (one.act == of.act) {
            out.*of.text = one.text;
            return true;
        }
    out.acts.emplace_back(base::word(one.act));
    return true;
}

}  // namespace

Definition definition_of(db::Read& db, const PlainRule& given) {
    if (base::text::is_blank(given.name)) throw base::Invalid("This rule cannot be used: it has no name");
    json_::array then;
    for (const auto& act : given.acts) then.push_back(json_::object{{"act", act}});
    for (const auto& of : worded)
        if (const auto& text = given.*of.text; !base::text::is_blank(text))
            then.push_back(json_::object{{"act", base::word(of.act)}, {"text", text}});
    json_::object out{{"name", given.name}, {"if", conditions_of(db, given)}, {"then", std::move(then)}};
    if (out["if"].get_array().empty())
        throw base::Invalid("This rule cannot be used: it would apply to every post");
    if (given.everyone) out["everyone"] = true;
    return read_definition(json_::serialize(out));
}

std::optional<PlainRule> plain(db::Read& db, const Definition& rule) {
    PlainRule out;
    out.name = rule.name;
    out.everyone = rule.everyone;
    for (const auto& one : rule.all_of)
        if (!take(out, one)) return {};
    for (const auto& one : rule.then)
        if (!take(out, one)) return {};
    try {
        // What is lost on the way there and back, the fields cannot say.
        if (json(definition_of(db, out)) == json(rule)) return out;
    } catch (const base::Invalid&) {
        // It names a list that is gone, or applies to every post.
    }
    return {};
}

}  // namespace rules

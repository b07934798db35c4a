// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json_read.hpp"
#include "base/text/blank.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/host.hpp"
#include "base/text/utf8.hpp"
#include "base/text/words.hpp"
#include "social/rules/likeness.hpp"
#include "social/rules/rule.hpp"
#include "social/rules/window.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace rules {

namespace {

namespace json_ = boost::json;

constexpr std::size_t longest_sample = 5000;
constexpr std::int64_t longest_hold_hours = 720;
constexpr std::size_t longest_label = 50;

[[noreturn]] void fault(const std::string& reason) {
    throw base::Invalid("This rule cannot be used: " + reason);
}

void expect_members(const json_::object& object, std::initializer_list<std::string_view> known) {
    for (const auto& member : object)
        if (std::ranges::find(known, std::string_view(member.key())) == known.end())
            fault("nothing is called \"" + std::string(member.key()) + "\" there");
}

const json_::object& object_in(const json_::value& value, const char* where) {
    if (!value.is_object()) fault(std::string(where) + " is an object");
    return value.get_object();
}

std::string text_in(const json_::object& object, std::string_view name, std::size_t longest) {
    const auto* value = object.if_contains(name);
    if (!value || value->is_null()) return {};
    if (!value->is_string()) fault(std::string(name) + " is a text");
    std::string out{std::string_view(value->get_string())};
    if (out.size() > longest) fault(std::string(name) + " is too long");
    return out;
}

bool flag_in(const json_::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    if (!value || value->is_null()) return false;
    if (!value->is_bool()) fault(std::string(name) + " is true or false");
    return value->get_bool();
}

std::int64_t number_of(const json_::value& value, std::string_view name) {
    if (value.is_int64()) return value.get_int64();
    if (value.is_string())
        if (auto text = std::string_view(value.get_string()); !text.empty()) {
            std::int64_t out = 0;
            auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
            if (error == std::errc() && end == text.data() + text.size()) return out;
        }
    fault(std::string(name) + " is a whole number");
}

Op op_of(const std::string& text) {
    for (auto op : {Op::is, Op::in, Op::not_, Op::less, Op::more, Op::contains_word, Op::near})
        if (text == word(op)) return op;
    fault("\"" + text + "\" is no operator");
}

bool allows(FieldType type, Op op) {
    switch (op) {
        case Op::contains_word:
        case Op::near: return type == FieldType::words;
        case Op::in: return type == FieldType::domains || type == FieldType::names;
        case Op::is: return type != FieldType::words;
        case Op::not_: return true;
        case Op::less:
        case Op::more: return type == FieldType::number;
    }
    return false;
}

// In the one spelling that posts are compared with.
std::string spelled(const Field& field, Op op, std::string value) {
    if (field.type == FieldType::domains) {
        auto domain = base::text::normalized_domain(value);
        if (!domain) fault("\"" + value + "\" is no domain");
        return *domain;
    }
    if (op == Op::near) {
        if (value.size() > longest_sample) fault("a value is too long");
        if (sketch(value).empty()) fault("what posts are compared with needs five words");
        return value;
    }
    if (field.type == FieldType::words) {
        if (value.size() > 200 || base::text::words(value).empty()) fault("\"" + value + "\" has no word");
        return value;
    }
    if (field.id == FieldId::hashtag) {
        if (value.starts_with('#')) value.erase(0, 1);
        value = base::text::normalise_hashtag(value);
        if (!base::text::valid_hashtag(value)) fault("\"" + value + "\" is no hashtag");
    }
    if (field.id == FieldId::author_handle) value = base::text::ascii_lowered(value);
    if (value.empty() || value.size() > 200) fault("a value is empty or too long");
    return value;
}

// Only what is looked up for all rules at once may be as long as a list.
void read_lists(const json_::object& from, const Field& field, Condition& out) {
    constexpr std::size_t most = 20;
    const auto* lists = from.if_contains("lists");
    if (!lists || lists->is_null()) return;
    if (field.cost != Cost::indexed || out.op == Op::near)
        fault("lists are for text, link.domain and hashtag, not for " + std::string(field.name));
    if (!lists->is_array() || lists->get_array().size() > most) fault("lists are a list of at most 20 names");
    for (const auto& name : lists->get_array()) {
        if (!name.is_string()) fault("lists are named by texts");
        out.lists.emplace_back(std::string_view(name.get_string()));
    }
}

void read_values(const json_::object& from, const Field& field, Condition& out) {
    const auto* values = from.if_contains("values");
    read_lists(from, field, out);
    if (!out.lists.empty() && !values) return;
    if (!values || !values->is_array() || values->get_array().empty())
        fault(std::string(field.name) + " needs values");
    const auto& all = values->get_array();
    if (field.type == FieldType::number || field.type == FieldType::flag) {
        if (all.size() != 1) fault(std::string(field.name) + " is compared with one value");
        if (field.type == FieldType::number) out.number = number_of(all[0], field.name);
        else if (all[0].is_bool()) out.number = all[0].get_bool() ? 1 : 0;
        else fault(std::string(field.name) + " is true or false");
        return;
    }
    if (all.size() > most_values) fault("too many values");
    for (const auto& value : all) {
        if (!value.is_string()) fault("the values of " + std::string(field.name) + " are texts");
        out.values.push_back(spelled(field, out.op, std::string(std::string_view(value.get_string()))));
    }
}

void read_minutes(const json_::object& from, const Field& field, Condition& out) {
    const auto* minutes = from.if_contains("minutes");
    if (field.cost != Cost::counts) {
        if (minutes) fault("minutes are for what is counted, not for " + std::string(field.name));
        return;
    }
    out.minutes = minutes ? number_of(*minutes, "minutes") : default_minutes;
    if (out.minutes < 1 || out.minutes > Window::longest_minutes) fault("minutes are between 1 and 1440");
}

std::vector<Condition> conditions_in(const json_::object& from, std::string_view name) {
    std::vector<Condition> out;
    const auto* found = from.if_contains(name);
    if (!found || found->is_null()) return out;
    if (!found->is_array()) fault(std::string(name) + " is a list");
    for (const auto& item : found->get_array()) {
        const auto& one = object_in(item, "a condition");
        expect_members(one, {"field", "op", "values", "lists", "minutes"});
        auto named = text_in(one, "field", 50);
        const auto* known = find_field(named);
        if (!known) fault("there is no field \"" + named + "\"");
        Condition condition;
        condition.field = known->id;
        condition.op = op_of(text_in(one, "op", 20));
        if (!allows(known->type, condition.op))
            fault(named + " knows " + std::string(operators(known->type)));
        read_values(one, *known, condition);
        read_minutes(one, *known, condition);
        out.push_back(std::move(condition));
    }
    if (out.size() > most_conditions) fault("too many conditions");
    return out;
}

bool needs_text(RuleAct act) { return act == RuleAct::cw || act == RuleAct::refuse || act == RuleAct::label; }

void read_holding(const json_::object& from, RuleAction& out) {
    const auto* hours = from.if_contains("hours");
    auto then = text_in(from, "then", 20);
    if (out.act != RuleAct::hold && (hours || !then.empty())) fault("hours and then are for hold");
    if (hours) out.hours = number_of(*hours, "hours");
    if (hours && (out.hours < 1 || out.hours > longest_hold_hours)) fault("hours are between 1 and 720");
    if (hours ? then != "release" && then != "drop" : !then.empty())
        fault("after hours, then is release or drop");
    out.drops = then == "drop";
}

std::vector<RuleAction> actions_in(const json_::object& from) {
    std::vector<RuleAction> out;
    const auto* found = from.if_contains("then");
    if (!found || !found->is_array() || found->get_array().empty()) fault("it does nothing");
    for (const auto& item : found->get_array()) {
        const auto& one = object_in(item, "an action");
        expect_members(one, {"act", "text", "hours", "then"});
        RuleAction action;
        auto named = text_in(one, "act", 50);
        bool known = false;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<RuleAct>>([&](auto e) {
            if (base::wire_name(e.name) != named) return;
            action.act = e.value;
            known = true;
        });
        if (!known) fault("there is no action \"" + named + "\"");
        if (std::ranges::find(out, action.act, &RuleAction::act) != out.end())
            fault("it does something twice");
        action.text = text_in(one, "text", 500);
        read_holding(one, action);
        if (needs_text(action.act) && base::text::is_blank(action.text)) fault(named + " needs a text");
        if (action.act == RuleAct::label && action.text.size() > longest_label) fault("a label is too long");
        out.push_back(std::move(action));
    }
    return out;
}

json_::value parsed(std::string_view text) {
    if (text.size() > largest_rule) fault("it is too long");
    try {
        return base::json::parse(text);
    } catch (const std::exception&) {
        fault("it is no JSON");
    }
}

json_::array written(const std::vector<Condition>& all) {
    json_::array out;
    for (const auto& one : all) {
        json_::array values;
        auto type = field(one.field).type;
        if (type == FieldType::number) values.emplace_back(one.number);
        else if (type == FieldType::flag) values.emplace_back(one.number != 0);
        for (const auto& value : one.values) values.emplace_back(value);
        json_::object item{
            {"field", field(one.field).name}, {"op", word(one.op)}, {"values", std::move(values)}
        };
        if (!one.lists.empty()) item["lists"] = json_::array(one.lists.begin(), one.lists.end());
        if (!one.lists.empty() && one.values.empty()) item.erase("values");
        if (one.minutes != 0) item["minutes"] = one.minutes;
        out.push_back(std::move(item));
    }
    return out;
}

bool is_plain(const json_::value& value) { return !value.is_object() && !value.is_array(); }

// A line for each member and condition; what is plain stands in one.
void lay_out(std::string& out, const json_::value& value, const std::string& indent) {
    const auto deeper = indent + "  ";
    const char* separator = "";
    if (value.is_object() && !value.get_object().empty()) {
        const auto& members = value.get_object();
        const bool in_lines = indent.empty();
        out += '{';
        for (const auto& [key, member] : members) {
            out += separator;
            out += in_lines ? "\n" + deeper : "";
            out += json_::serialize(json_::value(key)) + ": ";
            lay_out(out, member, deeper);
            separator = in_lines ? "," : ", ";
        }
        out += in_lines ? "\n}" : "}";
    } else if (value.is_array() && !std::ranges::all_of(value.get_array(), is_plain)) {
        out += '[';
        for (const auto& item : value.get_array()) {
            out += separator + ("\n" + deeper);
            lay_out(out, item, deeper);
            separator = ",";
        }
        out += "\n" + indent + "]";
    } else if (value.is_array()) {
        out += '[';
        for (const auto& item : value.get_array())
            out += separator + json_::serialize(item), separator = ", ";
        out += ']';
    } else out += json_::serialize(value);
}

}  // namespace

std::string laid_out(std::string_view definition) {
    std::string out;
    lay_out(out, parsed(definition), {});
    return out;
}

std::string_view word(Op op) {
    switch (op) {
        case Op::is: return "is";
        case Op::in: return "in";
        case Op::not_: return "not";
        case Op::less: return "<";
        case Op::more: return ">";
        case Op::contains_word: return "contains_word";
        case Op::near: return "near";
    }
    return {};
}

bool Definition::does(RuleAct act) const {
    return std::ranges::find(then, act, &RuleAction::act) != then.end();
}

bool Definition::has_to_be_rehearsed() const {
    return std::ranges::any_of(then, [](const RuleAction& action) {
        using enum RuleAct;
        return action.act != report && action.act != hold && action.act != allow && action.act != label &&
               action.act != notify;
    });
}

std::string spelled_value(FieldId id, std::string value) {
    const auto& known = field(id);
    return spelled(known, known.type == FieldType::words ? Op::contains_word : Op::is, std::move(value));
}

Definition read_definition(std::string_view text) {
    auto value = parsed(text);
    const auto& from = object_in(value, "a rule");
    expect_members(
        from,
        {"name", "subject", "order", "if", "unless", "then", "everyone", "private", "expires_at", "fuse"}
    );
    Definition out;
    out.name = text_in(from, "name", 100);
    if (base::text::is_blank(out.name)) fault("it has no name");
    if (auto subject = text_in(from, "subject", 20); !subject.empty() && subject != "post")
        fault("\"" + subject + "\" is no subject; there is post");
    if (const auto* order = from.if_contains("order")) out.order = number_of(*order, "order");
    out.all_of = conditions_in(from, "if");
    out.none_of = conditions_in(from, "unless");
    if (out.all_of.empty()) fault("it needs a condition under \"if\"");
    out.then = actions_in(from);
    out.everyone = flag_in(from, "everyone");
    out.not_public = flag_in(from, "private");
    if (auto expires = text_in(from, "expires_at", 40); !expires.empty()) {
        out.expires_at = base::parse_time(expires);
        if (!out.expires_at) fault("expires_at is a time");
    }
    if (const auto* fuse = from.if_contains("fuse")) out.fuse = number_of(*fuse, "fuse");
    if (out.fuse < 1 || out.fuse > 10'000) fault("fuse is between 1 and 10000");
    return out;
}

std::string json(const Definition& rule) {
    json_::array then;
    for (const auto& action : rule.then) {
        json_::object one{{"act", base::word(action.act)}};
        if (!action.text.empty()) one["text"] = action.text;
        if (action.hours != 0) one["hours"] = action.hours, one["then"] = action.drops ? "drop" : "release";
        then.push_back(std::move(one));
    }
    json_::object out{
        {"name", rule.name},
        {"subject", "post"},
        {"order", rule.order},
        {"if", written(rule.all_of)},
        {"unless", written(rule.none_of)},
        {"then", std::move(then)},
        {"everyone", rule.everyone},
        {"private", rule.not_public},
        {"expires_at", nullptr},
        {"fuse", rule.fuse}
    };
    if (rule.expires_at) out["expires_at"] = base::to_string(*rule.expires_at);
    return json_::serialize(out);
}

}  // namespace rules

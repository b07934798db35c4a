// SPDX-License-Identifier: AGPL-3.0-or-later
// entities.tsv as a validator: no field missing, none unknown, each of its type.
#include "contract/contract.hpp"

#include <boost/json.hpp>

#include <regex>

namespace contract {

namespace json = boost::json;

namespace {

struct Node {
    std::string type;                                                      // empty: an object of its children
    bool nullable = false, optional = false, many = false, blank = false;  // blank: may be ""
    std::map<std::string, Node> children;
};

// Fields that may be missing though their note does not say so, and fields beyond the table, each with its reason.
const std::set<std::string> may_be_missing{
    "MediaAttachment.meta.colors",          // covers of audio and video only
    "MediaAttachment.meta.original",        // other servers need not say how large a picture is,
    "MediaAttachment.meta.small",           // though where to look first
    "MediaAttachment.text_url",             // for files with a shortcode, which we do not have
    "Admin::Dimension.data[].unit",         // of room alone
    "Admin::Dimension.data[].human_value",  // of room and versions
    "Reaction.url",                         // custom emojis
    "Reaction.static_url",                  // custom emojis
    // A group has these under the conditions that Notification tells.
    "NotificationGroup.collection",
    "NotificationGroup.event",
    "NotificationGroup.fallback",
    "NotificationGroup.moderation_warning",
    "NotificationGroup.report",
    "NotificationGroup.status_id",
};
const std::set<std::string> may_be_added{
    "Status.local_only",  // of the fork glitch-soc (decisions 7)
    // Ours (docs/decisions/0055-who-may-answer.md).
    "Status.reply_policy",
    "Status.reply_state",
    "CredentialAccount.source.reply_policy",
    "ScheduledStatus.params.reply_policy",
    "StatusSource.content_type",  // as GoToSocial has it: who edits Markdown sends Markdown
};

bool optional_by(const std::string& note) {
    for (auto word : {"only ", "absent", "type ", "types ", "not documented"})
        if (note.find(word) != note.npos) return true;
    return false;
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
    std::vector<std::string> out;
    for (;;) {
        auto at = text.find(separator);
        out.emplace_back(text.substr(0, at));
        if (at == text.npos) return out;
        text.remove_prefix(at + separator.size());
    }
}

using Entities = std::map<std::string, Node>;

void add(Entities& all, const std::vector<std::string>& row) {
    const auto& entity = row[0];
    const auto& field = row[1];
    if (field.starts_with("(all ")) {
        auto name = field.substr(5, field.find(' ', 5) - 5);
        for (const auto& [child, node] : all[name].children) all[entity].children.insert({child, node});
        return;
    }
    const auto note = row.size() > 5 ? row[5] : std::string();
    auto first = field.substr(0, field.find_first_of(".["));
    if (note == first + " null when none") all[entity].children[first].nullable = true;
    Node* at = &all[entity];
    for (auto step : split(field, ".")) {
        bool many = step.ends_with("[]");
        if (many) step.resize(step.size() - 2);
        at = &at->children[step];
        at->many = at->many || many;
    }
    at->type = row[2];
    at->nullable = row[3] == "yes";
    at->blank = note.find("may be \"\"") != note.npos;
    at->optional = optional_by(note) || may_be_missing.contains(entity + "." + field);
}

// An object that the table does not name itself may be missing when all it holds may.
void settle(Node& node) {
    if (node.children.empty()) return;
    bool all_optional = true;
    for (auto& [name, child] : node.children) {
        settle(child);
        all_optional = all_optional && child.optional;
    }
    if (node.type.empty() && all_optional) node.optional = true;
}

const Entities& entities() {
    static const Entities all = [] {
        Entities out;
        for (const auto& row : table("entities.tsv"))
            if (row.size() > 3) add(out, row);
        for (auto& [name, node] : out) settle(node);
        return out;
    }();
    return all;
}

bool matches(std::string_view text, const char* pattern) {
    static std::map<const char*, std::regex> kept;
    auto [found, fresh] = kept.try_emplace(pattern, pattern, std::regex::optimize);
    return std::regex_match(text.begin(), text.end(), found->second);
}

constexpr const char* digits = "-?[0-9]+";  // the role of everyone is -99
constexpr const char* datetime = R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)";
constexpr const char* datetime_whole = R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)";
constexpr const char* date = R"(\d{4}-\d\d-\d\d)";
constexpr const char* url = R"((https?|wss?)://.+)";

class Validator {
public:
    std::vector<std::string> wrong;

    void value(const json::value& v, std::string type, const std::string& where) {
        for (auto tail : {" raw", " max 1"})
            if (type.ends_with(tail)) type.resize(type.size() - std::strlen(tail));
        auto brace = type.find('{');
        if (type.ends_with("[]") && (brace == type.npos || (brace == 0 && type.ends_with("}[]"))))
            return array(v, type.substr(0, type.size() - 2), where);
        if (type == "string[] domains" && v.is_null()) return;  // peers/search without a question
        if (type.starts_with("string[]")) return array(v, "string", where);
        if (auto entity = entities().find(type); entity != entities().end())
            return object(v, entity->second, type, where);
        if (type == "{}") {
            if (!v.is_object() || !v.get_object().empty()) refuse(where, "is not {}", v);
        } else if (type == "{type:bool}") {
            if (!v.is_object()) return refuse(where, "is no object", v);
            for (const auto& member : v.get_object())
                scalar(member.value(), "bool", where + "." + std::string(member.key()));
        } else if (type.starts_with("{")) {
            members(v, type.substr(1, type.rfind('}') - 1), where);
        } else if (type == "object") {
            if (!v.is_object()) refuse(where, "is no object", v);
        } else {
            scalar(v, type, where);
        }
    }

private:
    void refuse(const std::string& where, const std::string& what, const json::value& v) {
        wrong.push_back(where + " " + what + ": " + json::serialize(v).substr(0, 100));
    }

    void array(const json::value& v, const std::string& type, const std::string& where) {
        if (!v.is_array()) return refuse(where, "is no array", v);
        std::size_t i = 0;
        for (const auto& one : v.get_array()) value(one, type, where + "[" + std::to_string(i++) + "]");
    }

    void object(const json::value& v, const Node& node, const std::string& path, const std::string& where) {
        if (!v.is_object()) return refuse(where, "is no object", v);
        const auto& members = v.get_object();
        for (const auto& [name, child] : node.children) {
            auto place = where + "." + name;
            auto* member = members.if_contains(name);
            if (!member) {
                if (!child.optional) wrong.push_back(place + " is missing");
            } else if (member->is_null()) {
                if (!child.nullable && child.type != "null") wrong.push_back(place + " is null");
            } else if (path == "Tag" && name == "id" && *member == "") {
                // A tag that nobody has used yet.
            } else if (child.blank && member->is_string() && member->get_string().empty()) {
                continue;
            } else if (child.many) {
                if (!member->is_array()) refuse(place, "is no array", *member);
                else
                    for (const auto& one : member->get_array())
                        object(one, child, path + "." + name, place + "[]");
            } else if (!child.children.empty()) {
                object(*member, child, path + "." + name, place);
            } else {
                value(*member, child.type, place);
            }
        }
        for (const auto& member : members) {
            auto name = std::string(member.key());
            if (!node.children.contains(name) && !may_be_added.contains(path + "." + name))
                wrong.push_back(where + "." + name + " is not in the contract");
        }
    }

    // "{home?: Marker, count:int, width,height}"
    void members(const json::value& v, const std::string& list, const std::string& where) {
        if (!v.is_object()) return refuse(where, "is no object", v);
        if (auto colon = list.find(" or \"und\":"); colon != list.npos) {
            for (const auto& member : v.get_object())
                array(member.value(), "string", where + "." + std::string(member.key()));
            return;
        }
        if (list.find('{') != list.npos || list.find(';') != list.npos) return;
        for (auto entry : split(list, ",")) {
            while (entry.starts_with(' ')) entry.erase(0, 1);
            auto colon = entry.find(':');
            auto name = entry.substr(0, colon);
            auto type = colon == entry.npos ? std::string("any") : entry.substr(colon + 1);
            while (type.starts_with(' ')) type.erase(0, 1);
            bool optional = name.find('?') != name.npos, null = name.ends_with("?null");
            name = name.substr(0, name.find('?'));
            if (name.ends_with("[]")) name.resize(name.size() - 2);
            auto* member = v.get_object().if_contains(name);
            if (!member && !optional) wrong.push_back(where + "." + name + " is missing");
            if (member && !(null && member->is_null())) value(*member, type, where + "." + name);
        }
    }

    // The table is corrected by section 1 of admin.md: days of measures have no fraction.
    static bool is_day(std::string_view where) {
        return where.starts_with("Admin::Measure") && where.ends_with(".date");
    }

    void scalar(const json::value& v, const std::string& type, const std::string& where) {
        auto text = v.is_string() ? std::string_view(v.get_string()) : std::string_view();
        auto pattern = [&](const char* p) {
            if (!v.is_string() || !matches(text, p)) refuse(where, "is no " + type, v);
        };
        if (type == "id string" || type == "string int") pattern(digits);
        else if (type == "datetime") pattern(is_day(where) ? datetime_whole : datetime);
        else if (type == "datetime without fraction") pattern(datetime_whole);
        else if (type == "date") pattern(date);
        else if (type.starts_with("url")) pattern(url);
        else if (type.starts_with("string") || type == "html" || type.starts_with("template")) {
            if (!v.is_string()) refuse(where, "is no string", v);
        } else if (type == "bool") {
            if (!v.is_bool()) refuse(where, "is no bool", v);
        } else if (type.starts_with("int")) {
            if (!v.is_int64() && !v.is_uint64()) refuse(where, "is no integer", v);
        } else if (type.starts_with("enum{")) {
            auto words = split(type.substr(5, type.find('}') - 5), ",");
            if (!v.is_string() || std::ranges::find(words, text) == words.end())
                refuse(where, "is not in " + type, v);
        } else if (type.starts_with("enum")) {
            if (!v.is_string()) refuse(where, "is no word", v);
        } else if (type.starts_with("\"") || type.starts_with("[\"")) {
            if (json::serialize(v) != type) refuse(where, "is not " + type, v);
        }
    }
};

}  // namespace

std::vector<std::string> violations(std::string_view type, std::string_view body) {
    boost::system::error_code error;
    auto value = json::parse({body.data(), body.size()}, error);
    if (error) return {"the answer is not JSON"};
    Validator validator;
    validator.value(value, std::string(type), std::string(type));
    return std::move(validator.wrong);
}

}  // namespace contract

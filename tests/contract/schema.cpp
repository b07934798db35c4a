// SPDX-License-Identifier: AGPL-3.0-or-later
// The part of JSON Schema that the two descriptions use.
#include "contract/schema.hpp"

#include "contract/contract.hpp"
#include "http/route.hpp"
#include "server/api_pages.hpp"

#include <boost/json.hpp>

#include <fstream>
#include <regex>
#include <sstream>

namespace contract {

namespace json = boost::json;

namespace {

// Where the reference is known to be wrong (the README beside it, "Known errors"), or says of an optional member only
// in its prose when it is there.
const std::set<std::string> wrong_in_reference{
    "Application.scopes",  // lacks crypto
    "CredentialApplication.scopes",
    "Collection.description",  // null in entities.tsv
    "OEmbedResponse.title",    // no text has one; height is a number there and in the specification
    "OEmbedResponse.height",
    "ExtendedDescription.updated_at",  // null when nothing was ever written
    "WebPushSubscription.id",
    "WebPushSubscription.alerts",  // those that were asked for
    "NotificationGroup.most_recent_notification_id",
    "Instance.wrapstodon",
    "PreviewCard.published_at",
    "Announcement.statuses",
    "NotificationFallback.details",
    "Notification.type",  // lacks annual_report
    "NotificationGroup.type",
    "Status.content",  // not in the answer to a deletion, which holds the source instead
};

const std::set<std::string> answers_wrong_in_reference{
    "get /api/v1/filters",                // a list, not one filter
    "delete /api/v2/filters/statuses/*",  // {}
};

class Validator {
public:
    explicit Validator(const json::value& document) : document_(document) {}

    std::vector<std::string> wrong;

    void check(const json::value& value, const json::object& schema, const std::string& at) {
        if (auto* to = schema.if_contains("$ref")) {
            std::string_view way = to->as_string();
            auto name = std::string(way.substr(way.rfind('/') + 1));
            check(value, document_.at("components").at("schemas").at(name).as_object(), name);
        }
        for (auto word : {"oneOf", "anyOf"})
            if (auto* choices = schema.if_contains(word)) any(value, choices->as_array(), at);
        if (auto* parts = schema.if_contains("allOf"))
            for (const auto& part : parts->as_array()) check(value, part.as_object(), at);
        if (auto* type = schema.if_contains("type"); type && !is(value, *type))
            return refuse(at, "is not of type " + json::serialize(*type), value);
        if (auto* words = schema.if_contains("enum"); words && value.is_string())
            if (std::ranges::find(words->as_array(), value) == words->as_array().end())
                refuse(at, "is no word of the list", value);
        if (value.is_object()) members(value.get_object(), schema, at);
        if (auto* items = schema.if_contains("items"); items && value.is_array())
            for (const auto& one : value.get_array()) check(one, items->as_object(), at + "[]");
    }

private:
    void refuse(const std::string& at, const std::string& what, const json::value& value) {
        if (!wrong_in_reference.contains(at))
            wrong.push_back(at + " " + what + ": " + json::serialize(value).substr(0, 100));
    }

    void any(const json::value& value, const json::array& choices, const std::string& at) {
        std::vector<std::string> first;
        for (const auto& choice : choices) {
            Validator one(document_);
            one.check(value, choice.as_object(), at);
            if (one.wrong.empty()) return;
            if (first.empty()) first = std::move(one.wrong);
        }
        wrong.insert(wrong.end(), first.begin(), first.end());
    }

    void members(const json::object& value, const json::object& schema, const std::string& at) {
        if (auto* required = schema.if_contains("required"))
            for (const auto& name : required->as_array()) {
                auto place = at + "." + std::string(name.as_string());
                if (!value.contains(name.as_string()) && !wrong_in_reference.contains(place))
                    wrong.push_back(place + " is missing");
            }
        if (auto* most = schema.if_contains("maxProperties");
            most && value.size() > most->to_number<std::size_t>())
            refuse(at, "has members", value);
        auto* properties = schema.if_contains("properties");
        auto* others = schema.if_contains("additionalProperties");
        for (const auto& [name, member] : value) {
            auto place = at + "." + std::string(name);
            if (wrong_in_reference.contains(place)) continue;
            auto* described = properties ? properties->as_object().if_contains(name) : nullptr;
            if (described) check(member, described->as_object(), place);
            else if (others && others->is_object()) check(member, others->as_object(), place);
        }
    }

    static bool is(const json::value& value, const json::value& type) {
        if (type.is_array())
            return std::ranges::any_of(type.get_array(), [&](const auto& one) { return is(value, one); });
        std::string_view word = type.as_string();
        if (word == "null") return value.is_null();
        if (word == "string") return value.is_string();
        if (word == "boolean") return value.is_bool();
        if (word == "integer") return value.is_int64() || value.is_uint64();
        if (word == "number") return value.is_number();
        if (word == "array") return value.is_array();
        return word == "object" && value.is_object();
    }

    const json::value& document_;
};

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return out;
}

// "/api/v1/lists/{id}/accounts" and "/api/v1/lists/:list_id/accounts" -> "/api/v1/lists/*/accounts"
std::string shape(std::string_view path) {
    static const std::regex parameter("\\{[^}]*\\}|:[^/]+");
    return std::regex_replace(std::string(path), parameter, "*");
}

std::string operation_of(const http::Route& route) {
    return lower(to_string(route.method)) + " " + shape(route.path);
}

class Description {
public:
    explicit Description(std::string_view text) : document_(json::parse({text.data(), text.size()})) {
        for (const auto& [path, methods] : document_.at("paths").as_object())
            for (const auto& [method, operation] : methods.as_object())
                if (operation.is_object())
                    operations_[std::string(method) + " " + shape(path)] = &operation.get_object();
    }

    std::vector<std::string> against(const http::Route& route, std::string_view body) const {
        auto found = operations_.find(operation_of(route));
        if (found == operations_.end() || body.empty()) return {};
        auto* schema = schema_of(*found->second);
        if (!schema) return {};
        boost::system::error_code error;
        auto value = json::parse({body.data(), body.size()}, error);
        if (error) return {"the answer is not JSON"};
        Validator validator(document_);
        validator.check(value, *schema, "answer");
        return std::move(validator.wrong);
    }

private:
    static const json::object* schema_of(const json::object& operation) {
        auto* responses = operation.if_contains("responses");
        auto* done = responses ? responses->as_object().if_contains("200") : nullptr;
        auto* content = done ? done->as_object().if_contains("content") : nullptr;
        auto* as_json = content ? content->as_object().if_contains("application/json") : nullptr;
        auto* schema = as_json ? as_json->as_object().if_contains("schema") : nullptr;
        return schema ? &schema->as_object() : nullptr;
    }

    json::value document_;
    std::map<std::string, const json::object*> operations_;
};

std::string contents(const std::string& path) {
    std::ifstream in(path);
    return (std::ostringstream() << in.rdbuf()).str();
}

}  // namespace

std::vector<std::string> against_reference(const http::Route& route, std::string_view body) {
    static const auto text = contents(beside() + "/openapi.json");
    if (text.empty()) return {};
    static const Description reference(text);
    if (answers_wrong_in_reference.contains(operation_of(route))) return {};
    return reference.against(route, body);
}

std::vector<std::string> against_ours(const http::Route& route, std::string_view body) {
    static const Description ours(server::openapi());
    return ours.against(route, body);
}

std::vector<std::string> against_schema(
    std::string_view document, std::string_view schema, std::string_view body
) {
    auto read = [](std::string_view text) { return json::parse({text.data(), text.size()}); };
    auto whole = read(document);
    Validator validator(whole);
    validator.check(read(body), read(schema).as_object(), "answer");
    return std::move(validator.wrong);
}

}  // namespace contract

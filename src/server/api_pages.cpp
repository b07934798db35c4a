// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/api_pages.hpp"

#include "base/json_read.hpp"
#include "docs/docs.hpp"
#include "docs/openapi.hpp"
#include "server/tables.hpp"
#include "social/oauth/pages/page.hpp"

namespace server {

namespace {

base::json::Raw document(db::Read&) { return {openapi()}; }

std::string in_words(const boost::json::value& schema);

std::string choice_in_words(const boost::json::object& schema) {
    std::string out;
    for (const auto& one : schema.at("anyOf").as_array()) {
        auto words = in_words(one);
        if (words == "null") return out + ", or null";
        out += (out.empty() ? "" : " or ") + words;
    }
    return out;
}

std::string members_in_words(const boost::json::object& schema) {
    std::string out;
    if (auto* members = schema.if_contains("properties"))
        for (const auto& member : members->as_object())
            out += (out.empty() ? "" : ", ") + std::string(member.key());
    return out.empty() ? "{}" : "{" + out + "}";
}

// A schema in a few words: "list of Status", "one of list, followed, none".
std::string in_words(const boost::json::value& value) {
    const auto& schema = value.as_object();
    if (auto* to = schema.if_contains("$ref")) {
        std::string_view name = to->as_string();
        return std::string(name.substr(name.rfind('/') + 1));
    }
    if (schema.if_contains("anyOf")) return choice_in_words(schema);
    if (auto* words = schema.if_contains("enum")) {
        std::string out;
        for (const auto& word : words->as_array())
            out += (out.empty() ? "" : ", ") + std::string(word.as_string());
        return "one of " + out;
    }
    auto* type = schema.if_contains("type");
    if (!type) return "anything";
    if (*type == "array") return "list of " + in_words(schema.at("items"));
    if (*type == "object") return members_in_words(schema);
    auto* format = schema.if_contains("format");
    return std::string((format ? *format : *type).as_string());
}

std::string in_words(const std::string& schema) { return in_words(base::json::parse(schema)); }

instance::View page_of(const std::vector<Operation>& all) {
    instance::View view;
    std::map<std::string, std::vector<const Operation*>> groups;
    for (const auto& operation : all) groups[operation.group].push_back(&operation);
    for (const auto& [name, members] : groups) {
        auto& group = view.add("GROUP").set("NAME", name);
        for (const auto* operation : members) {
            auto& shown = group.add("ENDPOINT");
            shown.set("METHOD", to_string(operation->route->method)).set("PATH", operation->route->path);
            shown.set("AUTH", word_of(operation->route->auth)).set("SCOPE", operation->route->scope);
            shown.set("ANSWER", in_words(operation->answer));
            shown.show_if(!operation->route->scope.empty(), "SCOPED");
            if (operation->parameters.empty()) continue;
            auto& table = shown.add("PARAMETERS");
            for (const auto& p : operation->parameters) {
                auto& row = table.add("PARAMETER").set("NAME", p.name).set("TYPE", in_words(p.schema));
                row.show_if(p.required, "REQUIRED");
            }
        }
    }
    return view;
}

http::Response page(db::Read& db, const http::Request& request) {
    base::json::Components components;
    return oauth::show(
        db.site(),
        oauth::visitor(db, request),
        {"api", "API"},
        page_of(operations(components, sorted_routes()))
    );
}

constexpr http::Route table[] = {
    http::get<document>("/api/openapi.json").cached(http::Caching::always).always_open(),
    http::get<page>("/api"),
};

}  // namespace

const std::string& openapi() {
    static const std::string made = openapi_document(sorted_routes(), entities());
    return made;
}

std::span<const http::Route> api_pages() { return table; }

}  // namespace server

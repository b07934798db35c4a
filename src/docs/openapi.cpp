// SPDX-License-Identifier: AGPL-3.0-or-later
#include "docs/openapi.hpp"

#include "base/site.hpp"
#include "http/scopes.hpp"

#include <algorithm>

namespace server {

namespace {

struct Error {
    std::string error;
    base::json::Omit<std::string> error_description;
    base::json::Omit<base::json::Raw> details;
};
DESCRIBE(Error, error, error_description, details)

using base::json::Raw;
using Members = std::map<std::string, Raw>;

Raw raw(const auto& value) { return {base::json::to_string(value)}; }

// "/api/v1/lists/:id" becomes "/api/v1/lists/{id}"
std::string templated(std::string_view path) {
    std::string out;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] != ':') {
            out += path[i];
            continue;
        }
        auto end = std::min(path.find('/', i), path.size());
        out += '{' + std::string(path.substr(i + 1, end - i - 1)) + '}';
        i = end - 1;
    }
    return out;
}

std::string group_of(std::string_view path) {
    if (path.starts_with("/oauth")) return "oauth";
    path.remove_prefix(std::min<std::size_t>(path.size(), 5));
    if (path.starts_with("v")) path.remove_prefix(std::min(path.find('/') + 1, path.size()));
    return std::string(path.substr(0, path.find('/')));
}

bool is_list(const http::Parameter& p) { return p.schema.starts_with(R"({"type":"array")"); }

struct Placed {
    std::string name;
    std::string_view in;
    bool required = false;
    Raw schema;
};
DESCRIBE(Placed, name, in, required, schema)

std::vector<Placed> placed(const Operation& operation) {
    bool query =
        operation.route->method == http::Method::get || operation.route->method == http::Method::delete_;
    std::vector<Placed> out;
    for (const auto& p : operation.parameters) {
        if (operation.in_path(p)) out.push_back({p.name, "path", true, {p.schema}});
        else if (query) out.push_back({is_list(p) ? p.name + "[]" : p.name, "query", p.required, {p.schema}});
    }
    return out;
}

std::optional<Raw> body(const Operation& operation) {
    if (operation.route->method == http::Method::get || operation.route->method == http::Method::delete_)
        return {};
    base::json::ObjectSchema object;
    bool any = false, files = false;
    for (const auto& p : operation.parameters) {
        if (operation.in_path(p)) continue;
        object.add(p.name, p.schema, p.required);
        any = true;
        files = files || p.schema.find("\"binary\"") != p.schema.npos;
    }
    if (!any) return {};
    Raw schema{R"({"schema":)" + object.text() + "}"};
    Members content{{"multipart/form-data", schema}};
    if (!files) content.insert({{"application/json", schema}, {"application/x-www-form-urlencoded", schema}});
    return Raw{R"({"content":)" + base::json::to_string(content) + "}"};
}

Raw failure(std::string_view sentence) {
    return {
        R"({"description":)" + base::json::to_string(sentence) +
        R"(,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}})"
    };
}

Members answers(const Operation& operation) {
    const auto& route = *operation.route;
    Members out;
    out["200"] = {
        R"({"description":"Done","content":{"application/json":{"schema":)" + operation.answer + "}}}"
    };
    bool asks_login = route.auth == http::Auth::user || route.auth == http::Auth::token;
    if (route.auth != http::Auth::none) out["401"] = failure("The token is unknown or was revoked");
    if (asks_login) out["403"] = failure("Outside the token's scopes, or not allowed");
    if (route.path.find(':') != route.path.npos) out["404"] = failure("There is none, or it is not for you");
    if (!operation.parameters.empty()) out["422"] = failure("A value is missing or cannot be used");
    out["429"] = failure("Too many requests; X-RateLimit-Reset says until when");
    out["503"] = failure("Too busy; Retry-After says when to come back");
    return out;
}

std::vector<Raw> security(const http::Route& route) {
    std::vector<Raw> out;
    if (route.auth == http::Auth::none) return out;
    if (route.auth == http::Auth::optional) out.push_back({"{}"});
    auto scope = route.scope.empty() ? "" : base::json::to_string(std::string(route.scope));
    out.push_back({R"({"token":[)" + scope + "]}"});
    return out;
}

struct Described {
    std::string operationId;
    std::vector<std::string> tags;
    base::json::Omit<bool> deprecated;
    std::vector<Placed> parameters;
    base::json::Omit<Raw> requestBody;
    Members responses;
    std::vector<Raw> security;
};
DESCRIBE(Described, operationId, tags, deprecated, parameters, requestBody, responses, security)

// "GET /api/v1/lists/:id" becomes "get_v1_lists_id"
std::string id_of(const http::Route& route) {
    std::string out(to_string(route.method));
    std::ranges::transform(out, out.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    std::string_view path = route.path;
    if (path.starts_with("/api")) path.remove_prefix(4);
    for (char c : path)
        if (c == '/' || c == '.' || c == '-') out += '_';
        else if (c != ':') out += c;
    return out;
}

Described described(const Operation& operation) {
    Described out;
    out.operationId = id_of(*operation.route);
    out.tags = {operation.group};
    out.parameters = placed(operation);
    out.requestBody = body(operation);
    out.responses = answers(operation);
    out.security = security(*operation.route);
    return out;
}

Raw token_scheme() {
    std::map<std::string, std::string> scopes;
    for (auto word : http::scope_words()) scopes[std::string(word)] = "";
    return {
        R"({"type":"oauth2","flows":{"authorizationCode":{"authorizationUrl":"/oauth/authorize","tokenUrl":"/oauth/token","scopes":)" +
        base::json::to_string(scopes) + "}}}"
    };
}

}  // namespace

std::string openapi_document(
    std::span<const http::Route* const> routes, std::span<const base::json::Describe> entities
) {
    base::json::Components components;
    base::json::component<Error>(components);
    for (auto describe : entities) describe(components);
    std::map<std::string, Members> paths;
    for (const auto& operation : operations(components, routes)) {
        std::string method(to_string(operation.route->method));
        std::ranges::transform(method, method.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        paths[templated(operation.route->path)][method] = raw(described(operation));
    }
    Members schemas;
    for (const auto& [name, schema] : components.all()) schemas[name] = {schema};
    Members info{
        {"title", raw("Dunlin")},
        {"version", raw(base::Site{}.version)},
        {"description", raw("The client API. Lists are paged by the Link header of their answers.")},
        {"license", {R"({"name":"AGPL-3.0-or-later","identifier":"AGPL-3.0-or-later"})"}},
    };
    Members out{
        {"openapi", raw("3.1.0")},
        {"info", raw(info)},
        {"paths", raw(paths)},
        {"components",
         raw(Members{{"schemas", raw(schemas)}, {"securitySchemes", raw(Members{{"token", token_scheme()}})}})
        },
    };
    return base::json::to_string(out);
}

bool Operation::in_path(const http::Parameter& p) const {
    auto at = route->path.find(":" + p.name);
    if (at == std::string_view::npos) return false;
    auto end = at + 1 + p.name.size();
    return end == route->path.size() || route->path[end] == '/';
}

std::vector<Operation> operations(
    base::json::Components& components, std::span<const http::Route* const> routes
) {
    std::vector<Operation> out;
    for (const auto* route : routes) {
        bool page =
            route->path.starts_with("/oauth") && route->scope.empty() && route->auth == http::Auth::none;
        if (!route->path.starts_with("/api/") && (page || !route->path.starts_with("/oauth"))) continue;
        http::Documented documented{components, {}, "{}"};
        if (route->document) route->document(documented);
        if (!route->answers.empty()) documented.answer = base::json::reference(route->answers);
        out.push_back(
            {route, group_of(route->path), std::move(documented.parameters), std::move(documented.answer)}
        );
    }
    return out;
}

}  // namespace server

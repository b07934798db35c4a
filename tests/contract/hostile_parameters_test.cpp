// SPDX-License-Identifier: AGPL-3.0-or-later
// Values of every wrong type for every parameter of every route: any refusal will do, a 5xx will not (World looks).
#include "http/document.hpp"
#include "http/router.hpp"
#include "world.hpp"

#include <boost/json.hpp>
#include <set>

namespace {

struct HostileParameters : OnEachWorld {};
ON_EACH_DATABASE(HostileParameters);

// How a parameter and all that is inside it are spelled in a form: x, x[], x[a], x[][a], x[0][a].
void spell(const std::string& name, const boost::json::value& schema, std::vector<std::string>& out) {
    out.push_back(name);
    auto* object = schema.if_object();
    if (!object) return;
    if (auto* items = object->if_contains("items")) {
        out.push_back(name + "[]");
        std::vector<std::string> inner;
        spell("", *items, inner);
        for (const auto& one : inner)
            if (!one.empty()) out.insert(out.end(), {name + "[]" + one, name + "[0]" + one});
    }
    if (auto* members = object->if_contains("properties"))
        for (const auto& [member, its] : members->as_object())
            spell(name + "[" + std::string(member) + "]", its, out);
}

// What the route says it takes, and names that it does not know.
std::vector<std::string> names(const http::Route& route) {
    base::json::Components components;
    http::Documented documented{components, {}, {}};
    if (route.document) route.document(documented);
    std::vector<std::string> out{"unheard_of", "unheard_of[]", "id[]"};
    for (const auto& parameter : documented.parameters)
        spell(parameter.name, boost::json::parse(parameter.schema), out);
    return out;
}

bool turns_pages(const std::string& name) {
    return name == "max_id" || name == "since_id" || name == "min_id" || name == "limit" || name == "offset";
}

const std::vector<std::string>& values() {
    static const std::vector<std::string> all{
        "",
        " ",
        "0",
        "-1",
        "1e309",
        "NaN",
        "true",
        "null",
        "undefined",
        "2026-01-01T00:00:00Z",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
        "99999999999999999999999999999999",
        std::string("a\0b", 3),
        "\xff\xfe",
        "\xed\xa0\x80",
        "'; DROP TABLE accounts; --",
        "%",
        "[]",
        "{}",
        "<script>",
        "\r\nX: y",
    };
    return all;
}

void ask(
    const Person& who, const http::Route& route, const std::string& id, const std::string& name,
    const std::string& value
) {
    std::string path(route.path);
    if (auto at = path.find(":id"); at != path.npos) path.replace(at, 3, id);
    if (route.method == http::Method::get) who.get(path, {{name, value}});
    else who.send(route.method, path, form_encoded({{name, value}}), "application/x-www-form-urlencoded");
}

std::string id_for(const http::Route& route, const Person& who, const std::string& status) {
    return route.path.find("/statuses") != route.path.npos && !route.path.starts_with("/api/v1/accounts")
               ? status
               : who.id;
}

TEST_P(HostileParameters, in_forms_and_queries_never_break_anything) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto status = bob.status("hello");
    std::size_t turn = 0;
    for (const auto* route : w.router().routes()) {
        if (!route->path.starts_with("/api/")) continue;
        SCOPED_TRACE(std::string(route->path));
        auto id = id_for(*route, bob, status);
        for (const auto& name : names(*route))
            for (std::size_t i = 0; i < values().size(); ++i, ++turn)
                // Pages are turned by the same code everywhere: there every third value will do.
                if (!turns_pages(name) || turn % 3 == 0) ask(alice, *route, id, name, values()[i]);
    }
}

TEST_P(HostileParameters, of_every_json_type_never_break_anything) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto status = bob.status("hello");
    const std::string big(100'000, 'x');
    const std::vector<std::string> types{
        "null",
        "true",
        "0",
        "1.5",
        "1e400",
        "12345678901234567890123",
        "\"\"",
        "\"x\"",
        "[]",
        "[[]]",
        "[null]",
        "[1,\"a\",{}]",
        "{}",
        "{\"0\":{\"a\":1}}",
        "{\"a\":[{\"b\":null}]}",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"" + big + "\"",
    };
    for (const auto* route : w.router().routes()) {
        if (!route->path.starts_with("/api/") || route->method == http::Method::get) continue;
        SCOPED_TRACE(std::string(route->path));
        std::string path(route->path);
        if (auto at = path.find(":id"); at != path.npos) path.replace(at, 3, id_for(*route, bob, status));
        std::set<std::string> whole;
        for (const auto& name : names(*route)) whole.insert(name.substr(0, name.find('[')));
        for (const auto& name : whole)
            for (const auto& type : types)
                alice.send(route->method, path, "{\"" + name + "\":" + type + "}", "application/json");
        for (auto body : {"", "{", "[]", "null", "\"x\"", "{\"a\":1}{", "\xff", "[[[[[[[[[["})
            alice.send(route->method, path, body, "application/json");
    }
}

TEST_P(HostileParameters, that_are_huge_never_break_anything) {
    auto alice = w.local("alice"), app = w.app();
    const std::string big(100'000, 'a'), zalgo = [] {
        std::string out = "a";
        for (int i = 0; i < 200'000; ++i) out += "\xcc\x81";
        return out;
    }();
    auto gets = [&](const std::string& path, const std::vector<std::string>& parameters) {
        for (const auto& name : parameters)
            for (const auto& value : {big, zalgo}) alice.get(path, {{name, value}});
    };
    auto sends = [&](http::Method method,
                     const Person& who,
                     const std::string& path,
                     const std::vector<std::string>& parameters) {
        for (const auto& name : parameters)
            for (const auto& value : {big, zalgo})
                who.send(method, path, form_encoded({{name, value}}), "application/x-www-form-urlencoded");
    };
    using http::Method;
    gets("/api/v1/accounts/search", {"q", "limit", "offset"});
    gets("/api/v1/accounts/lookup", {"acct"});
    gets("/api/v1/accounts/" + alice.id + "/statuses", {"tagged", "max_id", "pinned"});
    gets("/api/v1/timelines/tag/a", {"any[]", "all[]", "none[]", "limit"});
    gets("/api/v1/notifications", {"types[]", "exclude_types[]", "account_id"});
    gets("/api/v1/accounts/relationships", {"id", "id[]"});
    gets("/api/v1/markers", {"timeline[]"});
    sends(
        Method::post,
        alice,
        "/api/v1/statuses",
        {"status", "spoiler_text", "language", "content_type", "visibility", "media_ids[]", "in_reply_to_id"}
    );
    sends(
        Method::patch,
        alice,
        "/api/v1/accounts/update_credentials",
        {"note",
         "display_name",
         "source[language]",
         "attribution_domains[]",
         "fields_attributes[0][name]",
         "fields_attributes[0][value]"}
    );
    sends(Method::post, alice, "/api/v1/markers", {"home[last_read_id]"});
    sends(
        Method::post,
        app,
        "/api/v1/accounts",
        {"username", "email", "password", "reason", "locale", "time_zone", "date_of_birth"}
    );
    sends(Method::post, w.anonymous(), "/api/v1/apps", {"client_name", "redirect_uris", "scopes", "website"});
    for (const auto* route : w.router().routes()) {
        if (!route->path.starts_with("/api/")) continue;
        SCOPED_TRACE(std::string(route->path));
        ask(alice, *route, big, "id", big);
    }
    // Nor is anything kept that others would have to read.
    EXPECT_LT(alice.get("/api/v1/accounts/verify_credentials").body.size(), 50'000u);
    EXPECT_LT(alice.get("/api/v1/accounts/" + alice.id + "/statuses").body.size(), 50'000u);
}

TEST_P(HostileParameters, in_multipart_bodies_never_break_anything) {
    auto alice = w.local("alice");
    auto part = [](const std::string& name, const std::string& value) {
        return "--X\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    };
    for (const auto* route : w.router().routes()) {
        if (!route->path.starts_with("/api/") || route->method == http::Method::get) continue;
        SCOPED_TRACE(std::string(route->path));
        std::string path(route->path);
        if (auto at = path.find(":id"); at != path.npos) path.replace(at, 3, alice.id);
        for (const auto& body :
             {part("file", "undefined") + "--X--\r\n",
              part("avatar", "") + "--X--\r\n",
              part("fields_attributes", "") + "--X--\r\n",
              part("status", "a"),
              std::string("--X"),
              std::string("\0", 1)})
            alice.send(route->method, path, body, "multipart/form-data; boundary=X");
        alice.send(route->method, path, "x", "multipart/form-data");
    }
}

}  // namespace

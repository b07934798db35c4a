// SPDX-License-Identifier: AGPL-3.0-or-later
// Values of every wrong type for every parameter of every route: any refusal will do, a 5xx will not (World looks).
#include "http/router.hpp"
#include "world.hpp"

namespace {

struct HostileParameters : OnEachWorld {};
ON_EACH_DATABASE(HostileParameters);

// Names that the routes know; the tables add those of endpoints we may serve later.
const std::vector<std::string>& names() {
    static const std::vector<std::string> all{
        "id",
        "id[]",
        "max_id",
        "since_id",
        "min_id",
        "limit",
        "offset",
        "q",
        "acct",
        "following",
        "resolve",
        "with_suspended",
        "reblogs",
        "notify",
        "languages",
        "languages[]",
        "notifications",
        "duration",
        "only_media",
        "exclude_replies",
        "exclude_reblogs",
        "pinned",
        "tagged",
        "local",
        "remote",
        "any",
        "all[]",
        "none",
        "timeline",
        "timeline[]",
        "home",
        "home[last_read_id]",
        "types",
        "types[]",
        "exclude_types[]",
        "account_id",
        "status",
        "spoiler_text",
        "sensitive",
        "visibility",
        "language",
        "media_ids",
        "media_ids[]",
        "in_reply_to_id",
        "content_type",
        "quote_approval_policy",
        "allowed_mentions[]",
        "poll",
        "poll[options][]",
        "poll[expires_in]",
        "choices",
        "choices[]",
        "media_attributes",
        "media_attributes[][id]",
        "media_attributes[0][focus]",
        "local_only",
        "scheduled_at",
        "delete_media",
        "display_name",
        "note",
        "avatar",
        "header",
        "locked",
        "bot",
        "source",
        "source[privacy]",
        "source[language]",
        "fields_attributes",
        "fields_attributes[0][name]",
        "fields_attributes[][value]",
        "attribution_domains",
        "file",
        "focus",
        "description",
        "thumbnail",
        "username",
        "email",
        "password",
        "agreement",
        "locale",
        "reason",
        "time_zone",
        "date_of_birth",
        "client_name",
        "redirect_uris",
        "scopes",
        "website",
    };
    return all;
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
    for (const auto* route : w.router().routes()) {
        if (!route->path.starts_with("/api/")) continue;
        SCOPED_TRACE(std::string(route->path));
        auto id = id_for(*route, bob, status);
        for (std::size_t i = 0; i < names().size(); ++i)
            ask(alice, *route, id, names()[i], values()[i % values().size()]);
        for (const auto& value : values()) {
            ask(alice, *route, id, "max_id", value);
            ask(alice, *route, id, "limit", value);
            ask(alice, *route, id, "status", value);
        }
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
        for (std::size_t i = 0; i < names().size(); ++i) {
            auto name = names()[i].substr(0, names()[i].find('['));
            alice.send(
                route->method, path, "{\"" + name + "\":" + types[i % types.size()] + "}", "application/json"
            );
            alice.send(
                route->method,
                path,
                "{\"" + name + "\":" + types[(i + 7) % types.size()] + "}",
                "application/json"
            );
        }
        for (auto body : {"", "{", "[]", "null", "\"x\"", "{\"a\":1}{", "\xff", "[[[[[[[[[["})
            alice.send(route->method, path, body, "application/json");
    }
}

TEST_P(HostileParameters, that_are_huge_never_break_anything) {
    auto alice = w.local("alice"), app = w.app();
    const std::string big(100'000, 'a'), zalgo = [] {
        std::string out = "a";
        for (int i = 0; i < 20'000; ++i) out += "\xcc\x81";
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

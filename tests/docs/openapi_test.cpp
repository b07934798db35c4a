// SPDX-License-Identifier: AGPL-3.0-or-later
// The description of the API is whole: what is served is in it, and what it refers to is there.
#include "server/api_pages.hpp"

#include "base/json_read.hpp"
#include "server/tables.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace {

namespace json = boost::json;

const json::object& description() {
    static const json::value value = base::json::parse(server::openapi());
    return value.as_object();
}

void gather_references(const json::value& value, std::set<std::string>& out) {
    if (value.is_array()) {
        for (const auto& one : value.get_array()) gather_references(one, out);
    } else if (value.is_object()) {
        for (const auto& [name, member] : value.get_object()) {
            if (name == "$ref") out.emplace(member.as_string());
            else gather_references(member, out);
        }
    }
}

TEST(OpenApi, describes_every_endpoint_of_the_api) {
    const auto& paths = description().at("paths").as_object();
    std::size_t described = 0, served = 0;
    for (const auto& [path, methods] : paths)
        if (path.starts_with("/api/")) described += methods.as_object().size();
    for (const auto* route : server::sorted_routes()) served += route->path.starts_with("/api/") ? 1u : 0u;
    EXPECT_EQ(described, served);
    EXPECT_GT(described, 60u);
}

TEST(OpenApi, refers_only_to_what_it_holds) {
    std::set<std::string> references;
    gather_references(description(), references);
    const auto& schemas = description().at("components").at("schemas").as_object();
    for (const auto& reference : references)
        EXPECT_TRUE(schemas.contains(reference.substr(reference.rfind('/') + 1))) << reference;
    EXPECT_FALSE(references.empty());
}

TEST(OpenApi, says_what_every_endpoint_answers_that_answers_something) {
    // Empty answers, and what other services write.
    const std::set<std::string> without{"/api/openapi.json", "/api/v1/donation_campaigns"};
    for (const auto& [path, methods] : description().at("paths").as_object())
        for (const auto& [method, operation] : methods.as_object()) {
            const auto& schema =
                operation.at("responses").at("200").at("content").at("application/json").at("schema");
            bool empty = (path.find("collections/") != path.npos && method != "get" && method != "patch") ||
                         path == "/api/web/push_subscriptions/{token}";
            if (path.starts_with("/api/") && !without.contains(path) && !empty)
                EXPECT_NE(json::serialize(schema), "{}") << method << " " << path;
        }
}

TEST(OpenApi, names_each_operation_and_each_of_its_parameters_once) {
    std::set<std::string> operations;
    for (const auto& [path, methods] : description().at("paths").as_object())
        for (const auto& [method, operation] : methods.as_object()) {
            EXPECT_TRUE(operations.emplace(operation.at("operationId").as_string()).second) << path;
            std::set<std::string> names;
            for (const auto& p : operation.at("parameters").as_array())
                EXPECT_TRUE(names.emplace(p.at("name").as_string()).second) << path << " " << p;
        }
}

TEST(OpenApi, tells_what_a_form_tells) {
    const auto& paths = description().at("paths").as_object();
    const auto& lookup = paths.at("/api/v1/accounts/{id}/following").at("get");
    bool found = false;
    for (const auto& p : lookup.at("parameters").as_array())
        if (p.at("name") == "limit") {
            found = true;
            EXPECT_EQ(json::serialize(p.at("schema")), R"({"type":"integer","default":40,"maximum":80})");
        }
    EXPECT_TRUE(found);
    EXPECT_EQ(json::serialize(lookup.at("security")), R"([{},{"token":["read:accounts"]}])");
}

}  // namespace

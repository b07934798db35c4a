// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers against JSON Schemas: of the reference's openapi.json, and of the description that Dunlin gives of itself.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace http {
struct Route;
}

namespace contract {

// What a successful answer has against each of the two descriptions, one sentence each.
// Without openapi.json (contract::beside) nothing is wrong; Contract.description_of_the_reference_is_there says so.
std::vector<std::string> against_reference(const http::Route&, std::string_view body);
std::vector<std::string> against_ours(const http::Route&, std::string_view body);

// The same for texts of JSON; `$ref` leads into `document`.
std::vector<std::string> against_schema(
    std::string_view document, std::string_view schema, std::string_view body
);

}  // namespace contract

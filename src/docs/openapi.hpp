// SPDX-License-Identifier: AGPL-3.0-or-later
// The OpenAPI 3.1 description of the API, generated from the route tables and the types of their functions:
// served at /api/openapi.json, readable at /api, printed by `dunlin openapi`.
#pragma once
#include "http/document.hpp"
#include "http/route.hpp"

#include <span>
#include <string>

namespace server {

// An endpoint, as described by its types.
struct Operation {
    const http::Route* route;
    std::string group;  // the subject, from the path: "accounts"
    std::vector<http::Parameter> parameters;
    std::string answer;  // a JSON Schema

    bool in_path(const http::Parameter&) const;
};

// In the order of the routes, /api and /oauth only.
std::vector<Operation> operations(base::json::Components&, std::span<const http::Route* const>);
// As JSON. `entities`: those that no route returns as a struct.
std::string openapi_document(
    std::span<const http::Route* const>, std::span<const base::json::Describe> entities
);

}  // namespace server

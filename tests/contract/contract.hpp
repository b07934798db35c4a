// SPDX-License-Identifier: AGPL-3.0-or-later
// The tables of this folder as tests read them: which endpoints there are, and what their answers look like.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace http {
struct Route;
}

namespace contract {

struct Endpoint {
    std::string group, method, path, auth, scopes, status, returns;
};

// Where openapi.json of the reference and behaviours.md stand, which are not part of this repository: beside the
// checkout, or where DUNLIN_API_TABLES says. What comments mean by their sections is in docs/glossary.md.
std::string beside();

// The endpoint that a route serves, whatever its parameters are called; null when the tables have none.
const Endpoint* find(const http::Route&);
const std::vector<Endpoint>& endpoints();

// What is wrong with a successful answer, one sentence each. Empty when the tables say nothing about it.
std::vector<std::string> violations(const http::Route&, std::string_view body);
// The same for JSON of which the type is known ("Status", "Account[]").
std::vector<std::string> violations(std::string_view type, std::string_view body);

// Lines of a table, without its first, split at tabs.
std::vector<std::vector<std::string>> table(const std::string& file);

}  // namespace contract

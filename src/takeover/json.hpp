// SPDX-License-Identifier: AGPL-3.0-or-later
// What a jsonb column holds, where nobody promises that a member is what it is called: who asks for a text gets one, or none.
#pragma once
#include "base/time.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takeover {

using Json = boost::json::value;
using JsonObject = boost::json::object;

// Nothing: it is no JSON, nested too deeply, or no object.
std::optional<JsonObject> object_of(std::string_view json);

std::string text(const JsonObject&, std::string_view name);
bool flag(const JsonObject&, std::string_view name);
std::optional<std::int64_t> number(const JsonObject&, std::string_view name);
std::optional<base::Time> time(const JsonObject&, std::string_view name);
const JsonObject* part(const JsonObject&, std::string_view name);
// One alone counts as a list of one.
std::vector<const Json*> list(const JsonObject&, std::string_view name);
std::vector<std::string> texts(const JsonObject&, std::string_view name);
// An address, or the id of an object.
std::string reference(const JsonObject&, std::string_view name);

}  // namespace takeover

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/schema.hpp"

#include <algorithm>

namespace base::json {

namespace {

// A schema's name must not contain colons.
std::string key_of(std::string_view type) {
    std::string out(type);
    for (auto at = out.find("::"); at != out.npos; at = out.find("::")) out.replace(at, 2, "_");
    return out;
}

}  // namespace

const std::string& Components::name_of(
    const void* type, std::string_view whole_name, std::string_view short_name
) {
    if (auto known = names_.find(type); known != names_.end()) return known->second;
    auto taken = [&](const std::string& name) {
        return std::ranges::any_of(names_, [&](const auto& one) { return one.second == name; });
    };
    auto qualified = std::string(whole_name.substr(0, whole_name.find(':'))) + "_" + std::string(short_name);
    auto name = key_of(short_name);
    for (int n = 1; taken(name); ++n) name = n == 1 ? qualified : qualified + std::to_string(n);
    return names_.emplace(type, std::move(name)).first->second;
}

std::string reference(std::string_view type) {
    if (type.empty()) return "{}";
    if (auto bar = type.find('|'); bar != type.npos)
        return R"({"anyOf":[)" + reference(type.substr(0, bar)) + "," + reference(type.substr(bar + 1)) +
               "]}";
    if (type.ends_with('?')) return nullable(reference(type.substr(0, type.size() - 1)));
    if (type.ends_with("[]"))
        return R"({"type":"array","items":)" + reference(type.substr(0, type.size() - 2)) + "}";
    for (auto plain : {"string", "boolean", "integer", "number", "object"})
        if (type == plain) return R"({"type":")" + std::string(type) + "\"}";
    return R"({"$ref":"#/components/schemas/)" + key_of(type) + "\"}";
}

std::string nullable(const std::string& schema) {
    return schema == "{}" ? schema : R"({"anyOf":[)" + schema + R"(,{"type":"null"}]})";
}

std::string words_schema(const std::vector<std::string_view>& words) {
    return R"({"type":"string","enum":)" + to_string(words) + "}";
}

void ObjectSchema::add(std::string_view name, const std::string& schema, bool required) {
    auto key = to_string(std::string(name));
    if (!properties_.empty()) properties_ += ',';
    properties_ += key + ':' + schema;
    if (!required) return;
    if (!required_.empty()) required_ += ',';
    required_ += key;
}

std::string ObjectSchema::text() const {
    auto text = R"({"type":"object","properties":{)" + properties_ + "}";
    if (!required_.empty()) text += R"(,"required":[)" + required_ + "]";
    return text + "}";
}

}  // namespace base::json

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/json.hpp"

#include "base/json_read.hpp"

namespace takeover {

std::optional<JsonObject> object_of(std::string_view json) {
    try {
        auto parsed = base::json::parse(json);
        if (auto* object = parsed.if_object()) return std::move(*object);
    } catch (const std::exception&) {
        return std::nullopt;
    }
    return std::nullopt;
}

std::string text(const JsonObject& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value && value->is_string() ? std::string(std::string_view(value->get_string())) : "";
}

bool flag(const JsonObject& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value && value->is_bool() && value->get_bool();
}

std::optional<std::int64_t> number(const JsonObject& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    if (!value || !value->is_int64()) return std::nullopt;
    return value->get_int64();
}

std::optional<base::Time> time(const JsonObject& from, std::string_view name) {
    return base::parse_time(text(from, name));
}

const JsonObject* part(const JsonObject& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value ? value->if_object() : nullptr;
}

std::vector<const Json*> list(const JsonObject& from, std::string_view name) {
    std::vector<const Json*> out;
    const auto* value = from.if_contains(name);
    if (!value || value->is_null()) return out;
    const auto* items = value->if_array();
    if (!items) return {value};
    for (const auto& item : *items) out.push_back(&item);
    return out;
}

std::vector<std::string> texts(const JsonObject& from, std::string_view name) {
    std::vector<std::string> out;
    for (const auto* item : list(from, name))
        if (item->is_string()) out.emplace_back(std::string_view(item->get_string()));
    return out;
}

std::string reference(const JsonObject& from, std::string_view name) {
    const auto* object = part(from, name);
    return object ? text(*object, "id") : text(from, name);
}

}  // namespace takeover

// SPDX-License-Identifier: AGPL-3.0-or-later
// JSON Schema, as used by OpenAPI 3.1, for the types that json.hpp writes, from the same member lists. A
// described struct becomes a component named after the type, or after its `static constexpr std::string_view
// entity`. `static constexpr base::json::RawMember raw_members[]` declares what its members of type Raw
// contain.
#pragma once
#include "base/json.hpp"

namespace base::json {

struct RawMember {
    std::string_view name, type;  // "account", "Account"; see reference()
};

// Schemas by name.
class Components {
public:
    // The name of a type's component: its own, or with its namespace if another type already has that name.
    // `type` is an address unique to the type, because types in two files may have the same full name.
    const std::string& name_of(const void* type, std::string_view whole_name, std::string_view short_name);
    // Reserves the name; true if its schema has not been made yet.
    bool claim(const std::string& name) { return schemas_.emplace(name, std::string()).second; }
    void put(const std::string& name, std::string schema) { schemas_[name] = std::move(schema); }
    const std::map<std::string, std::string>& all() const { return schemas_; }

private:
    std::map<std::string, std::string> schemas_;
    std::map<const void*, std::string> names_;
};

// "Status", "Status[]", "Status?", "Status|ScheduledStatus"; "" means any type.
std::string reference(std::string_view type);
std::string nullable(const std::string& schema);
std::string words_schema(const std::vector<std::string_view>&);

// Registers the schema of an entity that no route returns as a struct; listed in server/entities.cpp.
using Describe = void (*)(Components&);

// An object under construction.
class ObjectSchema {
public:
    void add(std::string_view name, const std::string& schema, bool required);
    std::string text() const;

private:
    std::string properties_, required_;
};

// "social::(anonymous namespace)::Thing"
template <class T>
constexpr std::string_view whole_name() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("T = ") + 4);
    return text.substr(0, text.find_first_of(";]"));
}

template <class T>
constexpr char address_of_type = 0;

template <class T>
constexpr std::string_view short_name() {
    if constexpr (requires { T::entity; }) {
        return T::entity;
    } else {
        auto text = whole_name<T>();
        auto at = text.rfind("::");
        return at == text.npos ? text : text.substr(at + 2);
    }
}

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_omit = false;
template <class T>
constexpr bool is_omit<Omit<T>> = true;
template <class T>
constexpr bool is_spread = false;
template <class T>
constexpr bool is_spread<Spread<T>> = true;
template <class T>
constexpr bool is_vector = false;
template <class T>
constexpr bool is_vector<std::vector<T>> = true;
template <class T>
constexpr bool is_map = false;
template <class T>
constexpr bool is_map<std::map<std::string, T>> = true;
template <class>
constexpr bool has_no_schema = false;

template <DescribedEnum E>
std::string words_of() {
    std::vector<std::string_view> words;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto e) {
        words.push_back(wire_name(e.name));
    });
    return words_schema(words);
}

template <Described T>
std::string component(Components&);

template <class T>
std::string schema(Components& all) {
    if constexpr (std::convertible_to<T, std::string_view>) return R"({"type":"string"})";
    else if constexpr (std::same_as<T, bool>) return R"({"type":"boolean"})";
    else if constexpr (std::integral<T>) return R"({"type":"integer"})";
    else if constexpr (std::floating_point<T>) return R"({"type":"number"})";
    else if constexpr (is_id<T>) return R"({"type":"string"})";
    else if constexpr (std::same_as<T, Time> || std::same_as<T, WholeSeconds>)
        return R"({"type":"string","format":"date-time"})";
    else if constexpr (std::same_as<T, Date>) return R"({"type":"string","format":"date"})";
    else if constexpr (DescribedEnum<T>) return words_of<T>();
    else if constexpr (is_optional<T>) return nullable(schema<typename T::value_type>(all));
    else if constexpr (is_vector<T>)
        return R"({"type":"array","items":)" + schema<typename T::value_type>(all) + "}";
    else if constexpr (is_map<T>)
        return R"({"type":"object","additionalProperties":)" + schema<typename T::mapped_type>(all) + "}";
    else if constexpr (std::same_as<T, Raw>) return "{}";
    else if constexpr (Described<T>) return component<T>(all);
    else static_assert(has_no_schema<T>, "base::json::schema has no rule for a member of this type");
}

template <Described T>
void add_members(ObjectSchema& object, Components& all) {
    for_each_member<T>([&](auto member) {
        using Member = std::remove_cvref_t<decltype(std::declval<T>().*member.pointer)>;
        auto name = wire_name(member.name);
        if constexpr (is_omit<Member>) {
            object.add(name, schema<typename decltype(Member::value)::value_type>(all), false);
        } else if constexpr (is_spread<Member>) {
            add_members<decltype(Member::value)>(object, all);
        } else if constexpr (std::same_as<Member, SpreadRaw>) {
            // Declared by the struct that fills it in.
        } else if constexpr (requires { T::raw_members; }) {
            for (const auto& raw : T::raw_members)
                if (raw.name == name) return object.add(name, reference(raw.type), true);
            object.add(name, schema<Member>(all), true);
        } else {
            object.add(name, schema<Member>(all), true);
        }
    });
}

template <Described T>
std::string component(Components& all) {
    const auto& name = all.name_of(&address_of_type<T>, whole_name<T>(), short_name<T>());
    if (all.claim(name)) {
        ObjectSchema object;
        add_members<T>(object, all);
        all.put(name, object.text());
    }
    return reference(name);
}

}  // namespace base::json

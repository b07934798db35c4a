// SPDX-License-Identifier: AGPL-3.0-or-later
// What a route takes and returns, derived from the types of its functions; computed only for documentation.
#pragma once
#include "base/schema.hpp"
#include "http/form.hpp"
#include "http/message.hpp"
#include "http/page.hpp"

namespace http {

struct Parameter {
    std::string name, schema;  // a JSON Schema
    bool required = false;
};

struct Documented {
    base::json::Components& components;
    std::vector<Parameter> parameters;
    std::string answer;  // a JSON Schema; "{}" when the types do not determine it
};

namespace document {

std::string with_default(std::string schema, const std::string& value);
std::string page_size(int usual, int most);

template <class T>
std::string form_schema(base::json::Components& all) {
    if constexpr (form::is_a<T, std::optional>) return form_schema<typename T::value_type>(all);
    else if constexpr (form::is_a<T, Required> || form::is_a<T, Param>)
        return form_schema<decltype(T::value)>(all);
    else if constexpr (form::is_limit<T>) return page_size(T{}.value, T::max);
    else if constexpr (std::same_as<T, TextOrNull>) return base::json::schema<std::string>(all);
    else if constexpr (std::same_as<T, ValidTime>) return base::json::schema<base::Time>(all);
    else if constexpr (std::same_as<T, Upload>) return R"({"type":"string","format":"binary"})";
    else if constexpr (form::is_a<T, std::vector>)
        return R"({"type":"array","items":)" + form_schema<typename T::value_type>(all) + "}";
    else if constexpr (form::is_a<T, std::map>)
        return R"({"type":"object","additionalProperties":)" + form_schema<typename T::mapped_type>(all) +
               "}";
    else if constexpr (base::Described<T>) {
        base::json::ObjectSchema object;
        base::for_each_member<T>([&](auto member) {
            using Member = std::remove_cvref_t<decltype(std::declval<T>().*member.pointer)>;
            object
                .add(base::wire_name(member.name), form_schema<Member>(all), form::is_a<Member, Required> || form::is_a<Member, Param>);
        });
        return object.text();
    } else return base::json::schema<T>(all);
}

template <base::Described Form>
void add_form(Documented& out) {
    const Form usual{};
    base::for_each_member<Form>([&](auto member) {
        using Member = std::remove_cvref_t<decltype(usual.*member.pointer)>;
        auto name = std::string(base::wire_name(member.name));
        if (std::ranges::find(out.parameters, name, &Parameter::name) != out.parameters.end()) return;
        constexpr bool required = form::is_a<Member, Required> || form::is_a<Member, Param>;
        auto schema = form_schema<Member>(out.components);
        if constexpr (std::same_as<Member, bool> || base::DescribedEnum<Member> ||
                      (std::integral<Member> && !base::is_id<Member>))
            schema = with_default(std::move(schema), base::json::to_string(usual.*member.pointer));
        out.parameters.push_back({std::move(name), std::move(schema), required});
    });
}

template <class T>
std::string answer_schema(base::json::Components& all) {
    if constexpr (std::is_void_v<T>) return R"({"type":"object","maxProperties":0})";
    else if constexpr (std::same_as<T, RawPage> || std::same_as<T, Response>) return "{}";
    else if constexpr (requires(T page) {
                           page.items;
                           page.cursors;
                       })
        return base::json::schema<decltype(T::items)>(all);
    else if constexpr (requires(T answer) {
                           answer.status;
                           answer.value;
                       })
        return answer_schema<decltype(T::value)>(all);
    else return base::json::schema<T>(all);
}

}  // namespace document
}  // namespace http

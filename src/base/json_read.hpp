// SPDX-License-Identifier: AGPL-3.0-or-later
// Reads back what base/json.hpp wrote: described structs of ids, numbers, texts, times and lists, as stored
// in job rows and columns. For our own data only; untrusted input is read by http/ and ap/.
#pragma once
#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/time.hpp"

#include <boost/json/value.hpp>
#include <charconv>
#include <string>

namespace base::json {

boost::json::value parse(std::string_view text);  // throws std::runtime_error

template <class T>
void read_value(const boost::json::value& from, T& out) {
    if constexpr (Described<T>) {
        const auto& object = from.as_object();
        for_each_member<T>([&](auto member) {
            if (auto* value = object.if_contains(wire_name(member.name)))
                read_value(*value, out.*member.pointer);
        });
    } else if constexpr (is_id<T>) {
        auto text = std::string_view(from.as_string());
        std::from_chars(text.data(), text.data() + text.size(), out.value);
    } else if constexpr (std::same_as<T, std::string>) {
        out = std::string_view(from.as_string());
    } else if constexpr (std::same_as<T, bool>) {
        out = from.as_bool();
    } else if constexpr (std::integral<T>) {
        out = from.to_number<T>();
    } else if constexpr (std::floating_point<T>) {
        out = from.to_number<T>();
    } else if constexpr (std::same_as<T, Time>) {
        out = parse_time(std::string_view(from.as_string())).value();
    } else if constexpr (DescribedEnum<T>) {
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto e) {
            if (base::wire_name(e.name) == std::string_view(from.as_string())) out = e.value;
        });
    } else if constexpr (requires {
                             typename T::value_type;
                             out.emplace_back();
                         }) {
        for (const auto& item : from.as_array()) read_value(item, out.emplace_back());
    } else {  // std::optional
        if (from.is_null()) out.reset();
        else read_value(from, out.emplace());
    }
}

template <class T>
T read(std::string_view text) {
    T out{};
    read_value(parse(text), out);
    return out;
}

}  // namespace base::json

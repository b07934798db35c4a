// SPDX-License-Identifier: AGPL-3.0-or-later
// Fills a described struct from the parameters of a request. The member's name is the parameter's name, its
// type is the rule, so the struct documents the endpoint. Unknown parameters are ignored. A trailing
// underscore avoids a C++ keyword (`register_` is `register`), in members and enumerators.
//
//   Required<T>             absent or blank: 422 "Validation failed: Spoiler text can't be blank"
//   Param<T>                absent or blank: 400 "param is missing or the value is empty or invalid: name"
//   std::optional<T>        absent: nullopt
//   T x = default           absent: the default
//   std::string             empty is a value
//   bool                    empty is not given; false 0 f F FALSE off OFF are false, all else is true
//   numbers                 empty is not given; leading digits count, garbage is 0, too large saturates
//   Limit<Default, Max>     a page size: a number, absolute value, at most Max; 0 is allowed
//   base::Id                in the form itself a path parameter: strictly decimal, else NotFound;
//                           inside another type it is lenient like a number
//   described enum          one of its enumerators, else 422 "... is not included in the list"
//   base::Time, base::Date  ISO 8601, else 422 "Invalid date supplied"
//   TextOrNull              as std::string, but null in JSON is an empty text instead of not given
//   ValidTime               also the formats of body/written_time.hpp, else 422 "Record invalid"
//   Upload                  a file, also as a data: URI; any other text is not given
//   std::vector<scalar>     x[]=1&x[]=2, x[0]=1, x=1&x=2, JSON; empty items are kept only in lists of strings
//   std::vector<described>  x[][a]=1&x[][b]=2, x[0][a]=1, JSON
//   std::map<std::string, scalar>   x[key]=1
//   described               x[member]=1; optional<described> is given if anything inside it is
//
// An optional<vector> is given, and empty, for `x[]=` and for [] in JSON.
#pragma once
#include "base/describe.hpp"
#include "base/errors.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/time.hpp"
#include "http/body/params.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace http {

template <class T>
struct Required {
    T value{};
    const T& operator*() const { return value; }
    const T* operator->() const { return &value; }
};

template <class T>
struct Param {
    T value{};
    const T& operator*() const { return value; }
    const T* operator->() const { return &value; }
};

template <int Default, int Max>
struct Limit {
    static_assert(0 <= Default && Default <= Max);
    static constexpr int max = Max;
    int value = Default;
    int operator*() const { return value; }
};

struct TextOrNull {
    std::string value;
};

struct ValidTime {
    base::Time value{};
};

// The non-template parts, in form.cpp.
namespace form {

bool is_true(std::string_view);
std::int64_t integer(std::string_view);
double number(std::string_view);
std::optional<std::int64_t> path_id(const std::string*);  // strictly decimal
base::Time time(std::string_view);
base::Time valid_time(std::string_view text);
bool is_blank(std::string_view);
// Null if not given; throws Invalid for a broken data: URI.
const Upload* file(const Params&, std::string_view name);
[[noreturn]] void throw_blank(std::string_view name);
[[noreturn]] void throw_missing(std::string_view name);
[[noreturn]] void throw_not_in_list(std::string_view name);
[[noreturn]] void throw_invalid(std::string_view name);

// A status id that cannot exist is treated like that of a hidden status.
template <class Id>
[[noreturn]] void throw_no_record() {
    if constexpr (std::same_as<Id, base::StatusId>) throw base::NoSuchStatus();
    else throw base::NotFound();
}

template <class T, template <class...> class Of>
constexpr bool is_a = false;
template <class... A, template <class...> class Of>
constexpr bool is_a<Of<A...>, Of> = true;
template <class>
constexpr bool is_limit = false;
template <int Default, int Max>
constexpr bool is_limit<Limit<Default, Max>> = true;
template <class>
constexpr bool no_rule = false;

template <std::integral N>
N saturated(std::int64_t n) {
    if (std::in_range<N>(n)) return static_cast<N>(n);
    return n < 0 ? std::numeric_limits<N>::min() : std::numeric_limits<N>::max();
}

template <class E>
E enumerator(std::string_view name, std::string_view text) {
    std::optional<E> found;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto e) {
        if (base::json::wire_name(e.name) == text) found = e.value;
    });
    if (!found) throw_not_in_list(name);
    return *found;
}

// One value from its text.
template <class T>
T parsed(std::string_view name, std::string_view text) {
    if constexpr (std::same_as<T, std::string>) return std::string(text);
    else if constexpr (std::same_as<T, bool>) return is_true(text);
    else if constexpr (std::integral<T>) return saturated<T>(integer(text));
    else if constexpr (std::floating_point<T>) return static_cast<T>(number(text));
    else if constexpr (base::is_id<T>) return {integer(text)};
    else if constexpr (is_limit<T>) {
        auto n = std::clamp<std::int64_t>(integer(text), -T::max, T::max);
        return {static_cast<int>(n < 0 ? -n : n)};
    } else if constexpr (base::DescribedEnum<T>) return enumerator<T>(name, text);
    else if constexpr (std::same_as<T, base::Time>) return time(text);
    else if constexpr (std::same_as<T, base::Date>) return {time(text).midnight().ms};
    else if constexpr (std::same_as<T, ValidTime>) return {valid_time(text)};
    else static_assert(no_rule<T>, "http::read_form has no rule for a parameter of this type");
}

// For most types an empty text counts as not given.
template <class T>
bool says_nothing(std::string_view text) {
    return !std::same_as<T, std::string> && text.empty();
}

template <class T>
bool blank(const T& value) {
    if constexpr (std::same_as<T, std::string>) return is_blank(value);
    else if constexpr (is_a<T, std::vector>) return value.empty();
    else return false;
}

template <base::Described T>
void read_members(const Params&, T& out);

// Returns whether the parameter was given. If not, `out` is unchanged.
template <class T>
bool read(const Params& params, std::string_view name, T& out) {
    if constexpr (is_a<T, std::optional>) {
        using Value = typename T::value_type;
        if (base::Described<Value> && !params.has_inside(name)) return false;
        Value value{};
        if (!read(params, name, value)) return false;
        out = std::move(value);
        return true;
    } else if constexpr (is_a<T, Required> || is_a<T, Param>) {
        std::optional<decltype(out.value)> given;
        if (!read(params, name, given) || blank(*given))
            is_a<T, Param> ? throw_missing(name) : throw_blank(name);
        out.value = std::move(*given);
        return true;
    } else if constexpr (base::Described<T>) {
        auto inside = params.inside(name);
        read_members(inside, out);
        return !inside.empty();
    } else if constexpr (std::same_as<T, TextOrNull>) {
        return read(params, name, out.value) || params.has_null(name);
    } else if constexpr (std::same_as<T, Upload>) {
        auto upload = file(params, name);
        if (upload) out = *upload;
        return upload;
    } else if constexpr (is_a<T, std::vector>) {
        using Item = typename T::value_type;
        bool given = params.has_inside(name);
        T items;
        if constexpr (base::Described<Item>) {
            for (const auto& item : params.items(name)) read_members(item, items.emplace_back());
        } else {
            auto texts = params.list(name);
            given = given || !texts.empty();
            for (auto text : texts)
                if (!says_nothing<Item>(text)) items.push_back(parsed<Item>(name, text));
        }
        if (given) out = std::move(items);
        return given;
    } else if constexpr (is_a<T, std::map>) {
        using Item = typename T::mapped_type;
        if (!params.has_inside(name)) return false;
        auto inside = params.inside(name);
        out.clear();
        for (const auto& entry : inside.entries())
            if (!entry.upload && !entry.nothing && !says_nothing<Item>(entry.value) &&
                entry.name.find('[') == entry.name.npos)
                out.insert_or_assign(entry.name, parsed<Item>(name, entry.value));
        return true;
    } else {
        auto text = params.find(name);
        if (!text || says_nothing<T>(*text)) return false;
        out = parsed<T>(name, *text);
        return true;
    }
}

template <base::Described T>
void read_members(const Params& params, T& out) {
    base::for_each_member<T>([&](auto member) {
        read(params, base::json::wire_name(member.name), out.*member.pointer);
    });
}

}  // namespace form

// Throws base::Invalid, base::BadRequest or base::NotFound, as described above.
template <base::Described Form>
Form read_form(const Params& params) {
    Form out{};
    base::for_each_member<Form>([&](auto member) {
        auto name = base::json::wire_name(member.name);
        auto& value = out.*member.pointer;
        if constexpr (base::is_id<std::remove_reference_t<decltype(value)>>) {
            auto id = form::path_id(params.find(name));
            if (!id) form::throw_no_record<std::remove_reference_t<decltype(value)>>();
            value.value = *id;
        } else {
            form::read(params, name, value);
        }
    });
    return out;
}

}  // namespace http

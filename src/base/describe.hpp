// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists the public members of a plain struct once. The JSON writer, the form reader and the row reader all
// use this list. Does not compile if the list lacks a member.
#pragma once
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <string_view>
#include <type_traits>

// clang-format off
#define DESCRIBE(Type, ...)                                                                              \
    BOOST_DESCRIBE_STRUCT(Type, (), (__VA_ARGS__))                                                       \
    /* As many names as members, or this does not compile: the list lacks a member. */                   \
    static_assert(sizeof([]([[maybe_unused]] Type& whole_) {                                             \
        __VA_OPT__([[maybe_unused]] auto& [__VA_ARGS__] = whole_;)                                       \
    }) > 0);                                                                                             \
    static_assert(sizeof(#__VA_ARGS__) > 1 || std::is_empty_v<Type>, #Type " has members");
// clang-format on

namespace base {

template <class T>
concept Described = boost::describe::has_describe_members<T>::value;

template <class E>
concept DescribedEnum = boost::describe::has_describe_enumerators<E>::value;

template <class T>
using members = boost::describe::describe_members<T, boost::describe::mod_public>;

template <Described T, class F>
constexpr void for_each_member(F&& f) {
    boost::mp11::mp_for_each<members<T>>(f);
}

// The wire name of a member or an enumerator: without the trailing underscore that avoids a C++ keyword.
constexpr std::string_view wire_name(std::string_view name) {
    if (name.ends_with('_')) name.remove_suffix(1);
    return name;
}

template <DescribedEnum E>
std::string_view word(E e) {
    return wire_name(boost::describe::enum_to_string(e, ""));
}

}  // namespace base

// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists the public members of a plain struct once. The JSON writer, the form reader and the row reader all
// walk that one list. Fails to compile when a member was added to the struct and not to the list.
#pragma once
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <boost/pfr/tuple_size.hpp>
#include <string_view>

// clang-format off
#define DESCRIBE(Type, ...)                                                                              \
    BOOST_DESCRIBE_STRUCT(Type, (), (__VA_ARGS__))                                                       \
    static_assert(::base::lists_every_member<Type>, #Type " has a member that DESCRIBE does not list");
// clang-format on

namespace base {

template <class T>
concept Described = boost::describe::has_describe_members<T>::value;

template <class E>
concept DescribedEnum = boost::describe::has_describe_enumerators<E>::value;

template <class T>
using members = boost::describe::describe_members<T, boost::describe::mod_public>;

template <class T>
constexpr bool lists_every_member = boost::mp11::mp_size<members<T>>::value == boost::pfr::tuple_size_v<T>;

template <Described T, class F>
constexpr void for_each_member(F&& f) {
    boost::mp11::mp_for_each<members<T>>(f);
}

// The wire name of a member or an enumerator: a trailing underscore only dodges a C++ keyword.
constexpr std::string_view wire_name(std::string_view name) {
    if (name.ends_with('_')) name.remove_suffix(1);
    return name;
}

template <DescribedEnum E>
std::string_view word(E e) {
    return wire_name(boost::describe::enum_to_string(e, ""));
}

}  // namespace base

// SPDX-License-Identifier: AGPL-3.0-or-later
// Writes described structs directly into a string of JSON. Defines the wire forms of times, dates and ids; an
// empty optional is null, an empty Omit is left out.
#pragma once
#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

#include <charconv>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace base::json {

// JSON that was produced elsewhere, written unchanged.
struct Raw {
    std::string text;
};

// A member that is left out, instead of null, when it has no value.
template <class T>
struct Omit {
    std::optional<T> value;
    Omit() = default;
    Omit(T v) : value(std::move(v)) {}
    Omit(std::optional<T> v) : value(std::move(v)) {}
};

// A member that is replaced by its own members: a CredentialAccount is an Account with more members.
template <class T>
struct Spread {
    T value;
};

// Members already serialized as JSON, without braces, that replace this member.
struct SpreadRaw {
    std::string members;
};

void write(std::string& out, std::string_view s);
inline void write(std::string& out, const std::string& s) { write(out, std::string_view(s)); }
inline void write(std::string& out, const char* s) { write(out, std::string_view(s)); }
inline void write(std::string& out, const Raw& raw) { out += raw.text; }
void write(std::string& out, Time);
void write(std::string& out, Date);
void write(std::string& out, WholeSeconds);
void write(std::string& out, double);

inline void write(std::string& out, std::same_as<bool> auto b) { out += b ? "true" : "false"; }
inline void write(std::string& out, std::integral auto n)
    requires(!std::same_as<decltype(n), bool>)
{
    char digits[24];
    auto end = std::to_chars(digits, digits + sizeof digits, n).ptr;
    out.append(digits, end);
}
template <class Tag>
void write(std::string& out, Id<Tag> id) {
    out += '"';
    write(out, id.value);
    out += '"';
}
template <DescribedEnum E>
void write(std::string& out, E e) {
    write(out, base::word(e));
}
template <class T>
void write(std::string& out, const std::optional<T>& v);
template <class T>
void write(std::string& out, const std::vector<T>& v);
template <class T>
void write(std::string& out, const std::map<std::string, T>& v);
template <Described T>
void write(std::string& out, const T& v);

template <class T>
void write(std::string& out, const std::optional<T>& v) {
    if (v) write(out, *v);
    else out += "null";
}
template <class T>
void write(std::string& out, const std::vector<T>& v) {
    out += '[';
    const char* separator = "";
    for (const auto& item : v) {
        out += separator;
        write(out, item);
        separator = ",";
    }
    out += ']';
}
template <class T>
void write(std::string& out, const std::map<std::string, T>& v) {
    out += '{';
    const char* separator = "";
    for (const auto& [key, item] : v) {
        out += separator;
        write(out, key);
        out += ':';
        write(out, item);
        separator = ",";
    }
    out += '}';
}

using base::wire_name;

template <class T>
void write_member(std::string& out, const char*& separator, std::string_view name, const T& v) {
    out += separator;
    separator = ",";
    out += '"';
    out += wire_name(name);
    out += "\":";
    write(out, v);
}
template <Described T>
void write_members(std::string& out, const char*& separator, const T& v);
template <class T>
void write_member(std::string& out, const char*& separator, std::string_view name, const Omit<T>& v) {
    if (v.value) write_member(out, separator, name, *v.value);
}
template <class T>
void write_member(std::string& out, const char*& separator, std::string_view, const Spread<T>& v) {
    write_members(out, separator, v.value);
}
inline void write_member(std::string& out, const char*& separator, std::string_view, const SpreadRaw& v) {
    if (v.members.empty()) return;
    out += separator;
    separator = ",";
    out += v.members;
}
template <Described T>
void write_members(std::string& out, const char*& separator, const T& v) {
    for_each_member<T>([&](auto member) { write_member(out, separator, member.name, v.*member.pointer); });
}
template <Described T>
void write(std::string& out, const T& v) {
    const char* separator = "";
    out += '{';
    write_members(out, separator, v);
    out += '}';
}

template <class T>
std::string to_string(const T& v) {
    std::string out;
    write(out, v);
    return out;
}

}  // namespace base::json

// SPDX-License-Identifier: AGPL-3.0-or-later
// Dictionaries of structured header fields (RFC 8941), as RFC 9421 and RFC 9530 use them. A repeated key or
// parameter makes the field unreadable: the RFC takes the last one, but an attacker may rely on others taking
// the first.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ap::fields {

struct Bytes {
    std::string value;
};
struct Token {
    std::string value;
};
struct Decimal {
    std::string digits;
};
using BareItem = std::variant<bool, std::int64_t, Decimal, std::string, Token, Bytes>;

struct Parameters {
    std::vector<std::pair<std::string, BareItem>> all;

    const BareItem* find(std::string_view key) const;
    // The value, if present and of this type.
    template <class T>
    const T* get(std::string_view key) const {
        const auto* item = find(key);
        return item ? std::get_if<T>(item) : nullptr;
    }
};

struct Item {
    BareItem value = true;
    Parameters parameters;
};

struct Member {
    std::string key;
    bool is_list = false;  // an inner list: `items` and `item.parameters`
    Item item;
    std::vector<Item> items;
    std::string text;  // of the value with its parameters, as written
};

// Empty when it is no dictionary, or larger than any reasonable header.
std::optional<std::vector<Member>> read_dictionary(std::string_view field);

std::string string_item(std::string_view ascii);  // as a String: "…"

}  // namespace ap::fields

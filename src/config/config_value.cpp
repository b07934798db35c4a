// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/config_table.hpp"

#include "base/json.hpp"
#include "base/text/csv.hpp"

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace server {

namespace {

template <class>
constexpr bool is_text = false;
template <>
constexpr bool is_text<std::string> = true;

template <class F>
auto visit_value(const Config& config, const Option& option, F&& f) {
    return std::visit([&](auto member) { return f(config.*member); }, option.member);
}

template <class F>
void visit_value(Config& config, const Option& option, F&& f) {
    std::visit([&](auto member) { f(config.*member); }, option.member);
}

template <class E>
Words words_of() {
    Words words;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto e) {
        words.push_back(e.name);
    });
    return words;
}

template <class E>
std::string choices() {
    const auto words = words_of<E>();
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
        text += words[i];
    }
    return text;
}

[[noreturn]] void refuse(const std::string& wanted, const std::string& given) {
    throw ConfigError("must be " + wanted + ", not \"" + given + "\"");
}

int number(const std::string& text, const Option& option) {
    int value = 0;
    auto end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc{} || read.ptr != end || value < option.least || value > option.most)
        refuse("a " + kind_of(option), text);
    return value;
}

bool yes(const std::string& text) {
    for (auto word : {"true", "yes", "on", "1"})
        if (text == word) return true;
    for (auto word : {"false", "no", "off", "0"})
        if (text == word) return false;
    refuse("true or false", text);
}

template <class E>
E choice(const std::string& text) {
    std::optional<E> found;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto e) {
        if (text == e.name) found = e.value;
    });
    if (!found) refuse(choices<E>(), text);
    return *found;
}

}  // namespace

bool is_switch(const Option& option) { return std::holds_alternative<bool Config::*>(option.member); }
bool is_list(const Option& option) { return std::holds_alternative<Words Config::*>(option.member); }

Words choices_of(const Option& option) {
    return visit_value(Config{}, option, [](const auto& value) -> Words {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_enum_v<T>) return words_of<T>();
        else return {};
    });
}

std::string kind_of(const Option& option) {
    return visit_value(Config{}, option, [&](const auto& value) -> std::string {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Words>) return "list";
        else if constexpr (is_text<T>) return "text";
        else if constexpr (std::is_same_v<T, bool>) return "true or false";
        else if constexpr (std::is_enum_v<T>) return choices<T>();
        else
            return "whole number from " + std::to_string(option.least) + " to " + std::to_string(option.most);
    });
}

std::string value_of(const Config& config, const Option& option) {
    return visit_value(config, option, [](const auto& value) -> std::string {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (is_text<T>) return value;
        else if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
        else if constexpr (std::is_enum_v<T>) return boost::describe::enum_to_string(value, "");
        else if constexpr (std::is_same_v<T, int>) return std::to_string(value);
        else {
            std::string joined;
            for (const auto& word : value) joined += (joined.empty() ? "" : ", ") + word;
            return joined;
        }
    });
}

std::string json_of(const Config& config, const Option& option) {
    return visit_value(config, option, [](const auto& value) { return base::json::to_string(value); });
}

void set_value(Config& config, const Option& option, const Words& given) {
    visit_value(config, option, [&](auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Words>) {
            value.clear();
            for (const auto& text : given)
                for (auto& word : base::text::listed(text)) value.push_back(std::move(word));
        } else {
            if (given.size() != 1) throw ConfigError("takes one value");
            const auto& text = given.front();
            if constexpr (is_text<T>) value = text;
            else if constexpr (std::is_same_v<T, bool>) value = yes(text);
            else if constexpr (std::is_enum_v<T>) value = choice<T>(text);
            else value = number(text, option);
        }
    });
}

}  // namespace server

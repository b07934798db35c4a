// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/webhooks/webhook.hpp"

#include "base/json_read.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <optional>

namespace moderation {

namespace {

namespace json = boost::json;

// What stands from a "{{" on: the path, and where the text goes on.
struct Place {
    std::string_view path;
    std::size_t end = 0;
};

bool is_path(std::string_view path) {
    auto of_path = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '.';
    };
    return !path.empty() && path.front() != '.' && path.back() != '.' && std::ranges::all_of(path, of_path) &&
           path.find("..") == path.npos;
}

std::optional<Place> place_at(std::string_view text, std::size_t open) {
    auto close = text.find("}}", open);
    if (close == text.npos) return std::nullopt;
    auto path = text.substr(open + 2, close - open - 2);
    path.remove_prefix(std::min(path.find_first_not_of(' '), path.size()));
    path = path.substr(0, path.find_last_not_of(' ') + 1);
    return is_path(path) ? std::optional(Place{path, close + 2}) : std::nullopt;
}

const json::value* step(const json::value& from, std::string_view name) {
    if (auto* object = from.if_object()) return object->if_contains(name);
    auto* array = from.if_array();
    std::size_t index = 0;
    auto read = std::from_chars(name.data(), name.data() + name.size(), index);
    bool whole = read.ec == std::errc() && read.ptr == name.data() + name.size();
    return array && whole && index < array->size() ? &(*array)[index] : nullptr;
}

std::string value_at(const json::value& root, std::string_view path) {
    const json::value* at = &root;
    while (at && !path.empty()) {
        auto dot = std::min(path.find('.'), path.size());
        at = step(*at, path.substr(0, dot));
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    if (!at) return "null";
    auto text = json::serialize(*at);
    return at->is_string() ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

bool is_webhook_template(std::string_view text) {
    for (std::size_t at = 0; (at = text.find("{{", at)) != text.npos;) {
        auto place = place_at(text, at);
        if (!place) return false;
        at = place->end;
    }
    return true;
}

std::string filled_template(std::string_view text, std::string_view body) {
    auto root = base::json::parse(body);
    std::string out;
    std::size_t at = 0;
    for (std::size_t open = 0; (open = text.find("{{", at)) != text.npos;) {
        auto place = place_at(text, open);
        if (!place) break;
        out += text.substr(at, open - at);
        out += value_at(root, place->path);
        at = place->end;
    }
    return out.append(text.substr(at));
}

}  // namespace moderation

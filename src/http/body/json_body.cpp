// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/read_params.hpp"

#include "base/errors.hpp"

#include <boost/json.hpp>

#include <charconv>
#include <cmath>
#include <string>

namespace http {

namespace {

namespace json = boost::json;

std::string text(double number) {
    if (!std::isfinite(number)) return "";
    char digits[400];  // written out, 1.7e308 takes 309 digits, the smallest double 326
    return {digits, std::to_chars(digits, std::end(digits), number, std::chars_format::fixed).ptr};
}

void flatten(const json::value& value, std::string& path, Params& into);

void flatten(const json::array& array, std::string& path, Params& into) {
    auto before = into.size();
    auto end = path.size();
    std::size_t index = 0;
    for (const auto& item : array) {
        path += '[';
        if (item.is_structured()) path += std::to_string(index);
        path += ']';
        flatten(item, path, into);
        path.resize(end);
        ++index;
    }
    if (into.size() == before) into.add_empty_list(path);
}

void flatten(const json::object& object, std::string& path, Params& into) {
    auto end = path.size();
    for (const auto& [key, item] : object) {
        std::string_view name(key.data(), key.size());
        if (end == 0) path = name;
        else ((path += '[') += name) += ']';
        flatten(item, path, into);
        path.resize(end);
    }
}

void flatten(const json::value& value, std::string& path, Params& into) {
    switch (value.kind()) {
        case json::kind::null:
            if (path.find('[') == path.npos) into.add_null(path);
            break;
        case json::kind::bool_: into.add(path, value.get_bool() ? "true" : "false"); break;
        case json::kind::int64: into.add(path, std::to_string(value.get_int64())); break;
        case json::kind::uint64: into.add(path, std::to_string(value.get_uint64())); break;
        case json::kind::double_: into.add(path, text(value.get_double())); break;
        case json::kind::string: into.add(path, std::string(value.get_string())); break;
        case json::kind::array: flatten(value.get_array(), path, into); break;
        case json::kind::object: flatten(value.get_object(), path, into); break;
    }
}

}  // namespace

void read_json(std::string_view body, Params& into) {
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    unsigned char stack[4096];
    json::monotonic_resource memory(stack, sizeof stack);
    json::parse_options options;
    options.max_depth = 32;
    options.allow_invalid_utf8 = true;  // Params cleans it
    json::error_code error;
    auto document = json::parse({body.data(), body.size()}, error, &memory, options);
    if (error) throw base::BadRequest("Error occurred while parsing request parameters");
    std::string path;
    if (document.is_object()) flatten(document.get_object(), path, into);
}

}  // namespace http

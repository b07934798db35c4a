// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signature_cases.hpp"

#include <boost/json.hpp>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cases {

namespace json = boost::json;

std::vector<Outcome> judge(const json::object& file) {
    if (is_http(file)) return judge_http(file);
    throw std::runtime_error("this is no file of signatures");
}

std::string text(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

base::Time time_in(const json::object& object, base::Time otherwise) {
    return base::parse_time(text(object, "now")).value_or(otherwise);
}

std::string folder() {
    if (const auto* given = std::getenv("DUNLIN_FEDERATION_VECTORS")) return given;
    return std::string(DUNLIN_SOURCE_DIR) + "/../shared/federation/vectors";
}

json::object read_file(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::stringstream content;
    content << in.rdbuf();
    return json::parse(content.str()).as_object();
}

}  // namespace cases

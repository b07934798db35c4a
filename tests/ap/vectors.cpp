// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/vectors.hpp"

#include <boost/json/parse.hpp>
#include <fstream>
#include <sstream>

namespace vectors {

std::string folder() { return std::string(DUNLIN_SOURCE_DIR) + "/tests/vectors"; }

std::string documents() {
    auto* given = std::getenv("DUNLIN_FEDERATION_VECTORS");
    auto vectors = given ? given : std::string(DUNLIN_SOURCE_DIR) + "/../shared/federation/vectors";
    return vectors + "/fixtures";
}

std::string text(const std::string& file) {
    std::ifstream in(folder() + "/" + file, std::ios::binary);
    if (!in) throw std::runtime_error("no " + folder() + "/" + file);
    std::ostringstream out;
    out << in.rdbuf();
    return std::move(out).str();
}

boost::json::value read(const std::string& file) {
    boost::json::parse_options options;
    options.max_depth = 256;
    return boost::json::parse(text(file), {}, options);
}

boost::json::array cases(const std::string& file) { return read(file).at("cases").as_array(); }

std::string string_of(const boost::json::value& value, std::string_view member) {
    auto* found = value.as_object().if_contains(member);
    return found && found->is_string() ? std::string(found->as_string()) : std::string();
}

}  // namespace vectors

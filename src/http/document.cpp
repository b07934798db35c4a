// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/document.hpp"

namespace http::document {

std::string with_default(std::string schema, const std::string& value) {
    if (value.empty() || value == "\"\"" || schema.size() < 3) return schema;
    schema.insert(schema.size() - 1, ",\"default\":" + value);
    return schema;
}

std::string page_size(int usual, int most) {
    return R"({"type":"integer","default":)" + std::to_string(usual) + R"(,"maximum":)" +
           std::to_string(most) + "}";
}

}  // namespace http::document

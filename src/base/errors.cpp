// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/errors.hpp"

namespace base {

namespace {

std::string humanised(std::string name) {
    for (char& c : name)
        if (c == '_') c = ' ';
    if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 32);
    return name;
}

std::string sentence(const std::vector<FieldError>& errors) {
    std::string text = "Validation failed: ";
    const char* separator = "";
    for (const auto& error : errors) {
        text += separator;
        if (error.field != "base")
            text += humanised(error.field) + " ";  // base: about the request as a whole
        text += error.description;
        separator = ", ";
    }
    return text;
}

}  // namespace

Invalid::Invalid(std::vector<FieldError> errors) : Error(sentence(errors)), fields(std::move(errors)) {}

}  // namespace base

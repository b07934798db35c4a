// SPDX-License-Identifier: AGPL-3.0-or-later
#include "docs/openapi.hpp"

namespace server {

namespace {

struct Error {
    std::string error;
    base::json::Omit<std::string> error_description;
    base::json::Omit<base::json::Raw> details;
};
DESCRIBE(Error, error, error_description, details)

}  // namespace

void add_entities(base::json::Components& all) {
    base::json::component<Error>(all);
    base::json::Enrolled::add_all(all);
}

}  // namespace server

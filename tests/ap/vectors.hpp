// SPDX-License-Identifier: AGPL-3.0-or-later
// The test data of federation stands beside the checkout: it is shared by several projects and not part of this one.
#pragma once
#include <boost/json/value.hpp>
#include <cstdlib>
#include <string>

namespace vectors {

std::string folder();  // DUNLIN_FEDERATION_VECTORS names another
bool available();
std::string text(const std::string& file);                                        // throws when it is missing
boost::json::value read(const std::string& file);                                 // parsed
boost::json::array cases(const std::string& file);                                // its member "cases"
std::string string_of(const boost::json::value& value, std::string_view member);  // empty when absent

}  // namespace vectors

#define NEEDS_VECTORS()                                                                                     \
    if (!vectors::available()) {                                                                            \
        if (std::getenv("CI")) FAIL() << "the vectors of " << vectors::folder() << " are missing";          \
        GTEST_SKIP() << "no vectors at " << vectors::folder() << " (DUNLIN_FEDERATION_VECTORS names them)"; \
    }

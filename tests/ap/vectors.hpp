// SPDX-License-Identifier: AGPL-3.0-or-later
// The test data of federation: vectors stand in tests/vectors, documents of other programs beside the checkout.
#pragma once
#include <boost/json/value.hpp>
#include <cstdlib>
#include <string>

namespace vectors {

std::string folder();
std::string text(const std::string& file);                                        // throws when it is missing
boost::json::value read(const std::string& file);                                 // parsed
boost::json::array cases(const std::string& file);                                // its member "cases"
std::string string_of(const boost::json::value& value, std::string_view member);  // empty when absent

// ActivityPub documents of other programs, whose licences differ, are not in this repository.
std::string documents();  // DUNLIN_FEDERATION_VECTORS names the folder above another

}  // namespace vectors

#define NEEDS_DOCUMENTS()                                                                               \
    if (!std::filesystem::exists(vectors::documents())) {                                               \
        if (std::getenv("CI")) FAIL() << "the documents of " << vectors::documents() << " are missing"; \
        GTEST_SKIP() << "no documents of other programs at " << vectors::documents()                    \
                     << " (DUNLIN_FEDERATION_VECTORS names the folder above)";                          \
    }

// SPDX-License-Identifier: AGPL-3.0-or-later
// The contexts compiled into the program.
#pragma once
#include <boost/json/value.hpp>
#include <string_view>

namespace ap::ld {

// The value of "@context" in the document at this address; nullptr when it is not one of ours.
const boost::json::value* bundled_context(std::string_view url);

}  // namespace ap::ld

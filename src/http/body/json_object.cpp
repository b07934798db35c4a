// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/json_object.hpp"

#include "base/errors.hpp"

#include <boost/json.hpp>

namespace http {

std::string object_in_body(const Request& request, std::string_view name) {
    boost::system::error_code error;
    auto body = boost::json::parse(request.body, error);
    auto* object = error ? nullptr : body.if_object();
    auto* found = object ? object->if_contains(name) : nullptr;
    if (!found || !found->is_object())
        throw base::BadRequest("param is missing or the value is empty or invalid: " + std::string(name));
    return boost::json::serialize(*found);
}

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// All failures on one page: what was thrown, which status it becomes and which body.
#pragma once
#include "base/errors.hpp"
#include "http/message.hpp"

#include <exception>
#include <string_view>

namespace http {

// A refusal whose body is not the usual one.
struct Refusal : base::Error {
    explicit Refusal(Response answer) : base::Error("refused"), response(std::move(answer)) {}
    Response response;
};

// The answer to what was thrown. Anything outside the closed set of base/errors.hpp is 500, and its cause goes
// to the log with the request's id and route.
Response failure(std::exception_ptr, const Request&, std::string_view route);

Response failure(int status, std::string_view sentence);

}  // namespace http

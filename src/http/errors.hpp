// SPDX-License-Identifier: AGPL-3.0-or-later
// All errors in one place: what was thrown, and the status and body it becomes.
#pragma once
#include "base/errors.hpp"
#include "http/message.hpp"

#include <exception>
#include <string_view>

namespace http {

// A refusal with a custom response.
struct Refusal : base::Error {
    explicit Refusal(Response answer) : base::Error("refused"), response(std::move(answer)) {}
    Response response;
};

// The response for an exception. Anything outside the closed set of base/errors.hpp becomes 500, and its
// cause is logged with the request's id and route.
Response failure(std::exception_ptr, const Request&, std::string_view route);

Response failure(int status, std::string_view sentence);

}  // namespace http

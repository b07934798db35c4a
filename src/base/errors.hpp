// SPDX-License-Identifier: AGPL-3.0-or-later
// The complete list of reasons to abort a request or a job. Each carries a sentence that is safe to show; any
// other exception is an internal error. http/errors.cpp maps them to status codes.
#pragma once
#include "base/time.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace base {

struct Error : std::runtime_error {
    using runtime_error::runtime_error;
};

// It does not exist, or this viewer may not know that it does.
struct NotFound : Error {
    NotFound() : Error("Record not found") {}
    using Error::Error;
};

// A status or poll that does not exist or is hidden; the API uses another message for these.
struct NoSuchStatus : NotFound {
    NoSuchStatus() : NotFound("Not Found") {}
};

struct Forbidden : Error {
    Forbidden() : Error("This action is not allowed") {}
    using Error::Error;
};

struct Unauthorized : Error {
    Unauthorized() : Error("The access token is invalid") {}
    using Error::Error;
};

// The request is too malformed for validation: 400.
struct BadRequest : Error {
    using Error::Error;
};

// One field that failed validation; `code` is the ERR_* word of the API.
struct FieldError {
    std::string field, code, description;
};

// The request was understood but refused: 422. With `fields` the response contains `details`.
struct Invalid : Error {
    using Error::Error;
    explicit Invalid(std::vector<FieldError> errors);
    std::vector<FieldError> fields;
    std::string more;  // further members of the body, as JSON that starts with a comma
};

struct Conflict : Error {
    using Error::Error;
};

struct Gone : Error {
    using Error::Error;
};

struct TooMany : Error {
    TooMany() : Error("Too many requests") {}
};

// Try again later: 503 with Retry-After.
struct Unavailable : Error {
    Unavailable() : Error("There was a temporary problem serving your request, please try again") {}
    using Error::Error;
};

}  // namespace base

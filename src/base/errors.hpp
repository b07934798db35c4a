// SPDX-License-Identifier: AGPL-3.0-or-later
// The closed set of reasons to stop a request or a job. Each carries a sentence that is safe to show; anything
// else that is thrown is an internal error. http/errors.cpp says which status each becomes.
#pragma once
#include "base/time.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace base {

struct Error : std::runtime_error {
    using runtime_error::runtime_error;
};

// Nothing there, or nothing this viewer may know of.
struct NotFound : Error {
    NotFound() : Error("Record not found") {}
    using Error::Error;
};

// A status or poll that is absent or hidden; the API words it differently from other look-ups.
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

// The request is malformed beyond what validation speaks of: 400.
struct BadRequest : Error {
    using Error::Error;
};

// One field that failed validation; `code` is the ERR_* word of the API.
struct FieldError {
    std::string field, code, description;
};

// The request was understood and refused: 422. With `fields` the answer carries `details`.
struct Invalid : Error {
    using Error::Error;
    explicit Invalid(std::vector<FieldError> errors);
    std::vector<FieldError> fields;
    std::string more;  // further members of the body, as JSON that begins with a comma
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

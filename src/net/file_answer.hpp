// SPDX-License-Identifier: AGPL-3.0-or-later
// Turns a response whose body is a file into a concrete one: opens and measures the file, and evaluates
// validators and ranges (RFC 9110, 13 and 14; at most one range, several get the whole file).
#pragma once
#include "http/message.hpp"
#include "net/fd.hpp"

#include <cstdint>
#include <string>

namespace net {

// The relevant headers of the request.
struct FileConditions {
    std::string range, if_none_match, if_modified_since;
};

struct FilePart {
    Fd file;
    std::uint64_t offset = 0, length = 0;
};

// Takes response.file and rewrites status and headers. If no file is to be sent (404, 304, 416, an empty
// file), the part is empty and the response's own body counts.
FilePart settle_file(http::Response&, const FileConditions&);

}  // namespace net

// SPDX-License-Identifier: AGPL-3.0-or-later
// A response whose body is a file, made concrete: opened, measured, its validators and ranges settled
// (RFC 9110, 13 and 14; one range at most, several are answered with the whole).
#pragma once
#include "http/message.hpp"
#include "net/fd.hpp"

#include <cstdint>
#include <string>

namespace net {

// The headers of the request that matter here.
struct FileConditions {
    std::string range, if_range, if_none_match, if_modified_since;
};

struct FilePart {
    Fd file;
    std::uint64_t offset = 0, length = 0;
};

// Takes response.file and rewrites status and headers. Without a file to send (404, 304, 416, an empty file)
// the part is empty and what counts is the response's own body.
FilePart settle_file(http::Response&, const FileConditions&);

}  // namespace net

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/read_params.hpp"

#include "base/text/utf8.hpp"
#include "http/body/urlencoded.hpp"

#include <string>

namespace http {

namespace {

std::string media_type(std::string_view content_type) {
    auto type = content_type.substr(0, content_type.find(';'));
    while (type.ends_with(' ') || type.ends_with('\t')) type.remove_suffix(1);
    return base::text::ascii_lowered(type);
}

}  // namespace

BodyKind body_kind(std::string_view content_type) {
    auto type = media_type(content_type);
    if (type == "application/json") return BodyKind::json;
    // Some clients send a form without a content type.
    if (type.empty() || type == "application/x-www-form-urlencoded") return BodyKind::urlencoded;
    if (type == "multipart/form-data") return BodyKind::multipart;
    return BodyKind::other;
}

Params read_query(const Request& request) {
    Params out;
    read_urlencoded(request.query(), out);
    return out;
}

void read_body(BodyKind kind, std::string_view body, Params& into) {
    if (kind == BodyKind::json) read_json(body, into);
    if (kind == BodyKind::urlencoded) read_urlencoded(body, into);
}

}  // namespace http

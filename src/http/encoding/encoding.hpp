// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers made smaller on the way (RFC 9110, 8.4): gzip and brotli.
#pragma once
#include "http/message.hpp"

namespace http {

class CompressedAnswers;

// Whether the client takes an answer in this form: "gzip", "br".
bool accepts_encoding(const Request&, std::string_view encoding);

// Whether an answer is worth it and may be: text, of a kilobyte or more, that holds no secret beside what was sent to us.
bool is_compressible(const Response&);
void vary_on_encoding(Response&);
// In the form that the client takes, if any.
void compress(Response&, const Request&, CompressedAnswers&);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// Common parts of both forms of HTTP signatures. For the files signature_*.cpp, and for white-box tests.
#pragma once
#include "ap/signatures/signature.hpp"

#include <cstdint>
#include <map>

namespace ap::parts {

SignatureReading refused(std::string sentence, int status = 401);

std::size_t count_header(const Headers&, std::string_view name);
// Trimmed; several lines of one name joined by ", ". Empty when there is none.
std::optional<std::string> header_value(const Headers&, std::string_view name);

// name=value, name="value", … as the draft and FEP-8fcf write them. Empty when a name is repeated.
using Fields = std::map<std::string, std::string, std::less<>>;
std::optional<Fields> read_fields(std::string_view);

std::string authority_of(std::string_view origin);  // lower case, without the scheme and its default port
// A Host that is not ours means that the request was signed for another server.
bool host_is_ours(const SignedRequest&);

bool has_body(std::string_view method);  // whether a digest must be signed, even of an empty body

// From seconds since 1970; empty when it is out of range.
std::optional<base::Time> time_of(std::int64_t seconds);
// Empty, or why a signature with this time is not accepted now.
std::string_view fault_of_time(base::Time from, std::optional<base::Time> expires, base::Time now);

SignatureReading read_draft(const SignedRequest&, base::Time now);
SignatureReading read_rfc9421(const SignedRequest&, base::Time now);

// draft-cavage-12, section 2.3; empty when a covered component is missing. `target` with or without its
// query.
struct DraftTimes {
    std::optional<std::int64_t> created, expires;
};
std::optional<std::string> draft_text(
    const SignedRequest&, const std::vector<std::string>& covered, std::string_view target, DraftTimes = {}
);

// RFC 9421, section 2.5: `parameters` is the text of @signature-params.
std::optional<std::string> signature_base(
    const SignedRequest&, const std::vector<std::string>& covered, std::string_view parameters
);

}  // namespace ap::parts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/errors.hpp"
#include "http/route.hpp"
#include "social/federation/documents/reader_api.hpp"
#include "social/insight/outside.hpp"

namespace insight {
namespace {

// If the requester's key cannot be fetched, the response says so, because that is a finding.
std::string why_unknown(const base::Ask& ask, db::Read& db, const http::Request& request) {
    if (request.header("Signature").empty()) return "This request must be signed";
    const auto who = federation::authenticate(
        ask,
        db,
        {http::to_string(request.method), request.target, db.site().public_url, request.headers, request.body}
    );
    return who.sentence.empty() ? "The signature is of nobody" : who.sentence;
}

std::vector<Finding> look(const base::Ask& ask, db::Read& db, const http::Request& request) {
    const auto who = federation::reader(ask, db, request);
    if (!who.known()) throw http::Refusal(http::failure(401, why_unknown(ask, db, request)));
    const auto& seen = ask(LookFromOutside{who.origin});
    if (seen.status != 200) throw http::Refusal(http::failure(seen.status, seen.refusal));
    return seen.found;
}

constexpr http::Route table[] = {http::get<look>("/api/dunlin/v1/outside").always_open()};

}  // namespace

std::span<const http::Route> outside_routes() { return table; }

}  // namespace insight

// SPDX-License-Identifier: AGPL-3.0-or-later
// What the forms of these pages have in common.
#pragma once
#include "server/web/plain/reading.hpp"

namespace server::plain {

struct Sent {
    std::string authenticity_token, return_to;
};
DESCRIBE(Sent, authenticity_token, return_to)

// Who sends a form of ours; or the answer instead: to sign in first, or that it is none of ours.
struct Sender {
    std::optional<http::Response> answer;
    std::optional<Reading> reading;
};
Sender sender(db::Read&, const base::Ask&, const http::Request&, const Sent&);
// Back to where the form stood.
http::Response back_to(const std::string& place);

}  // namespace server::plain

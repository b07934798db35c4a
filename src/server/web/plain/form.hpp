// SPDX-License-Identifier: AGPL-3.0-or-later
// Shared by the forms of these pages.
#pragma once
#include "server/web/plain/reading.hpp"

namespace server::plain {

struct Sent {
    std::string authenticity_token, return_to;
};
DESCRIBE(Sent, authenticity_token, return_to)

// The sender of one of our forms; or the response instead: to sign in first, or that the form is not ours.
struct Sender {
    std::optional<http::Response> answer;
    std::optional<Reading> reading;
};
Sender sender(db::Read&, const base::Ask&, const http::Request&, const Sent&);
// Redirects back to the form's page.
http::Response back_to(const std::string& place);

}  // namespace server::plain

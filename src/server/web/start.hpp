// SPDX-License-Identifier: AGPL-3.0-or-later
// What the client starts with: who is signed in, and the answers of the API that its first page needs, by the very
// functions that serve them.
#pragma once
#include "base/ask.hpp"
#include "social/oauth/pages/visitor.hpp"

#include <string>

namespace server {

// The account of this browser whose page it is: the one with this proof, or that of pages. Nobody when none is signed in.
struct Starting {
    oauth::Person person;
    std::string secret, proof;
};
std::optional<Starting> who_starts(db::Read&, const http::Request&, std::string_view proof = {});

// JSON; `page` is the path and the query of a page of the client.
std::string start_document(
    db::Read&, const base::Ask&, const http::Request&, const Starting&, std::string_view page
);

}  // namespace server

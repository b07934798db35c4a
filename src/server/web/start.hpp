// SPDX-License-Identifier: AGPL-3.0-or-later
// The client's initial data: who is signed in, and the API responses that its first page needs, from the same
// functions that serve them.
#pragma once
#include "base/ask.hpp"
#include "social/oauth/pages/visitor.hpp"

#include <string>

namespace server {

// The account of this browser that the page belongs to: the one with this proof, or the one used on pages.
// nullopt if none is signed in.
struct Starting {
    oauth::Person person;
    std::string secret, proof;
};
std::optional<Starting> who_starts(db::Read&, const http::Request&, std::string_view proof = {});

// As JSON; `page` is the path and query of a client page.
std::string start_document(
    db::Read&, const base::Ask&, const http::Request&, const Starting&, std::string_view page
);

}  // namespace server

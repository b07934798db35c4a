// SPDX-License-Identifier: AGPL-3.0-or-later
// The URLs of the web client. Where the server also has a page of its own, signed-in users get the client's.
#pragma once
#include "http/route.hpp"
#include "http/router.hpp"
#include "server/web/client.hpp"

#include <span>

namespace server {

// /web/shell, /web/start, the service worker, the manifest.
std::span<const http::Route> client_pages();
// Pages that only the client has; those who are not signed in are sent to sign in.
void add_client_routes(http::Router&);
// The client's page, if the request is from a browser of a signed-in user.
std::optional<http::Response> other_face(const http::Call&);

// The page that loads the client: its files and initial data.
struct Shell {
    Client::Language language;
    const ClientRoute* route = nullptr;
    std::string proof, start;  // empty: not signed in
};

http::Response shell(const base::Site&, const Shell&);

}  // namespace server

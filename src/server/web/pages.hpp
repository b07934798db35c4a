// SPDX-License-Identifier: AGPL-3.0-or-later
// The addresses of the web client. Where the server has a page of its own, too, who is signed in gets the client's.
#pragma once
#include "http/route.hpp"
#include "http/router.hpp"
#include "server/web/client.hpp"

#include <span>

namespace server {

// /web/shell, /web/start, the service worker, the manifest.
std::span<const http::Route> client_pages();
// What only the client shows: for those who are not signed in, the way to sign in.
void add_client_routes(http::Router&);
// The client's page, when somebody who is signed in asks for one by a browser.
std::optional<http::Response> other_face(const http::Call&);

// The page in which the client runs: its files, and what it starts with.
struct Shell {
    Client::Language language;
    const ClientRoute* route = nullptr;
    std::string proof, start;  // empty: of nobody
};

http::Response shell(const base::Site&, const Shell&);

}  // namespace server

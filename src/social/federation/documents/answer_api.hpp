// SPDX-License-Identifier: AGPL-3.0-or-later
// Responses with ActivityPub documents: what was requested, and the headers.
#pragma once
#include "base/uris.hpp"
#include "http/message.hpp"
#include "social/accounts/account.hpp"
#include "social/collections/collection.hpp"
#include "social/federation/documents/reader_api.hpp"

namespace http {
struct Route;
}

namespace federation {

// Whether this request wants ActivityPub at an address that also serves an HTML page.
bool wants_activity(const http::Request&);

http::Response activity(std::string document, const Reader&);
http::Response open_activity(std::string document);  // even to unsigned requests
// Redirects to the HTML page; with another Accept header the same address serves ActivityPub.
http::Response page_at(std::string address, int status);

// An actor and a status, at any of their addresses, which the HTML pages share.
http::Response actor_activity(const base::Ask&, db::Read&, const http::Request&);
http::Response status_activity(const base::Ask&, db::Read&, const http::Request&);

// A collection of a local account, at the address of its HTML page.
http::Response collection_activity(
    const base::Ask&, db::Read&, const http::Request&, collections::CollectionId
);

// If this server replaced another one: the id of the previous server's own actor, when the request asks for
// it or its key.
std::optional<std::string> former_server(db::Read&, const http::Request&);
// A redirect to a post's page from its address on the previous server.
std::optional<http::Response> from_former_page(db::Read&, const http::Request&);

// Fallback routes for addresses of the previous server.
std::vector<std::span<const http::Route>> former_routes();

// The object with this id is deleted: throws 410, with a Tombstone for requests that want ActivityPub.
[[noreturn]] void gone(const http::Request&, const std::string& id);

// The account that the address of a request names. Throws as gone() when it is deleted.
struct Asked {
    accounts::Account account;  // a local one
    base::uris::Ours what;
};
Asked asked_for(db::Read&, const http::Request&);        // throws NotFound
Asked asked_of_active(db::Read&, const http::Request&);  // also Forbidden when it is suspended

}  // namespace federation

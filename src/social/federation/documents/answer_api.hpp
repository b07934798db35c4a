// SPDX-License-Identifier: AGPL-3.0-or-later
// How documents of ActivityPub are answered: what was asked for, and the headers.
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

// Whether this request wants ActivityPub where there is a page for people, too.
bool wants_activity(const http::Request&);

http::Response activity(std::string document, const Reader&);
http::Response open_activity(std::string document);  // to everybody, whatever the site asks of readers
// To the page for people; asked for ActivityPub the same address answers otherwise.
http::Response page_at(std::string address, int status);

// An actor and a status, from whichever of their addresses; the pages for people share them.
http::Response actor_activity(const base::Ask&, db::Read&, const http::Request&);
http::Response status_activity(const base::Ask&, db::Read&, const http::Request&);

// A collection of one of ours, at the address that people are given.
http::Response collection_activity(
    const base::Ask&, db::Read&, const http::Request&, collections::CollectionId
);

// Where this server took another's place: the id that the server's own actor had before, when the request asks for it or its key.
std::optional<std::string> former_server(db::Read&, const http::Request&);
// Where the page of a post is now whose address is one of before.
std::optional<http::Response> from_former_page(db::Read&, const http::Request&);

// What answers where no route does: addresses of before.
std::vector<std::span<const http::Route>> former_routes();

// What had this id is deleted: 410, and to programs a Tombstone.
[[noreturn]] void gone(const http::Request&, const std::string& id);

// What the address of a request names. Throws as gone() when the account is deleted.
struct Asked {
    accounts::Account account;  // one of ours
    base::uris::Ours what;
};
Asked asked_for(db::Read&, const http::Request&);        // throws NotFound
Asked asked_of_active(db::Read&, const http::Request&);  // throws Forbidden, too, when the account is suspended

}  // namespace federation

// SPDX-License-Identifier: AGPL-3.0-or-later
// Handles, WebFinger responses and the way from a handle to an actor's id. Pure functions: the caller
// fetches.
#pragma once
#include "ap/document.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace ap {

struct Handle {
    std::string name;
    std::string domain;  // lower case, ASCII, possibly with a port
    std::string text() const { return name + "@" + domain; }
};

// "acct:alice@example.com", "@alice@example.com", "alice@example.com".
std::optional<Handle> parse_handle(std::string_view);
bool same_handle(const Handle&, const Handle&);  // ignoring case

std::string webfinger_url(const Handle&, bool plain_http = false);
std::string host_meta_url(std::string_view domain, bool plain_http = false);

struct Jrd {
    Handle subject;
    std::string self;     // the actor's id
    std::string profile;  // a page, "" if not given
    // URL templates where its users follow remote accounts and see remote objects (FEP-3b86 and its
    // predecessors), "" if not given.
    std::string follow, object, subscribe;
};
Reading<Jrd> read_jrd(std::string_view json);

// Where a user can follow an actor, or see another object, whose id is given percent-encoded; "" if there is
// no template.
std::string intent_url(const Jrd&, std::string_view encoded_id, bool is_actor);

// The lrdd template, with {uri} in it, from an XRD or its JSON form; "" if there is none.
std::string lrdd_template(std::string_view host_meta);

struct Answer {
    int status = 0;  // 0: no response
    std::string body;
};
struct Found {
    enum Outcome { found, gone, failed } outcome = failed;
    Handle handle;      // the one confirmed by its own domain
    std::string actor;  // its id
};
// Follows one redirect to another handle, whose domain must confirm it. Calls `get` at most three times.
Found look_up(
    const Handle&, const std::function<Answer(const std::string& url)>& get, bool plain_http = false
);

}  // namespace ap

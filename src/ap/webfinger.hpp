// SPDX-License-Identifier: AGPL-3.0-or-later
// Handles, WebFinger answers and the walk from a handle to an actor's id. All of it pure: who fetches is the caller.
#pragma once
#include "ap/document.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace ap {

struct Handle {
    std::string name;
    std::string domain;  // lower case, ASCII, perhaps with a port
    std::string text() const { return name + "@" + domain; }
};

// "acct:alice@example.com", "@alice@example.com", "alice@example.com".
std::optional<Handle> parse_handle(std::string_view);
bool same_handle(const Handle&, const Handle&);  // whatever their case

std::string webfinger_url(const Handle&, bool plain_http = false);
std::string host_meta_url(std::string_view domain, bool plain_http = false);

struct Jrd {
    Handle subject;
    std::string self;     // the actor's id
    std::string profile;  // a page, "" when not said
    // Templates of where its people follow and see what is elsewhere (FEP-3b86 and what was before it), "" when not said.
    std::string follow, object, subscribe;
};
Reading<Jrd> read_jrd(std::string_view json);

// Where a person is taken to follow an actor, or to see something else, whose id is given percent-encoded; "" when nothing
// says where.
std::string intent_url(const Jrd&, std::string_view encoded_id, bool is_actor);

// Where to ask instead, with {uri} in it, of an XRD or its JSON form; "" when it says nothing.
std::string lrdd_template(std::string_view host_meta);

struct Answer {
    int status = 0;  // 0: none came
    std::string body;
};
struct Found {
    enum Outcome { found, gone, failed } outcome = failed;
    Handle handle;      // the one that its own domain confirms
    std::string actor;  // its id
};
// Follows one redirect to another handle, which must confirm itself. `get` may be asked three times.
Found look_up(
    const Handle&, const std::function<Answer(const std::string& url)>& get, bool plain_http = false
);

}  // namespace ap

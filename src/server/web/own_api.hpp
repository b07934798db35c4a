// SPDX-License-Identifier: AGPL-3.0-or-later
// Internal API calls: what a user signed in on our pages reads and changes, through the same functions that
// serve the API. Each step runs where its route's step does (http/route.hpp).
#pragma once
#include "http/route.hpp"
#include "social/oauth/session.hpp"

#include <memory>
#include <string>

namespace server {

class OwnCall {
public:
    // The calling page must have checked the form's proof already. Throws NotFound for what the API does not
    // serve, and Forbidden for what the user may not do.
    OwnCall(const oauth::Known&, http::Method, std::string target, http::Params = {}, http::Headers = {});

    void prepare(db::Read&, const base::Ask&);
    void act(db::Write&);
    http::Response show(db::Read&, const base::Ask&);

    // The id that act created; for show, which may run on another copy.
    std::int64_t id() const;
    void use_id(std::int64_t id) { call_.params.set("id", std::to_string(id)); }
    bool created() const { return call_.created; }

private:
    const http::Route* route_;
    std::shared_ptr<const http::Request> request_;
    http::Call call_;
};

// The response to a GET. Throws the error it would be refused with.
http::Response own_answer(db::Read&, const base::Ask&, const oauth::Known&, const std::string& target);

}  // namespace server

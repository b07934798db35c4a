// SPDX-License-Identifier: AGPL-3.0-or-later
// The API from within: what somebody who is signed in on our pages is answered, and what they change, by the very functions
// that serve the API. Each step runs where that of its route does (http/route.hpp).
#pragma once
#include "http/route.hpp"
#include "social/oauth/session.hpp"

#include <memory>
#include <string>

namespace server {

class OwnCall {
public:
    // Of no form that is not named here: the page that makes the call has looked at its proof. Throws NotFound for what the API
    // does not serve, and Forbidden for what is not for them.
    OwnCall(const oauth::Known&, http::Method, std::string target, http::Params = {}, http::Headers = {});

    void prepare(db::Read&, const base::Ask&);
    void act(db::Write&);
    http::Response show(db::Read&, const base::Ask&);

    // What act made; for show, which may follow in another copy.
    std::int64_t id() const;
    void use_id(std::int64_t id) { call_.params.set("id", std::to_string(id)); }
    bool created() const { return call_.created; }

private:
    const http::Route* route_;
    std::shared_ptr<const http::Request> request_;
    http::Call call_;
};

// The answer to a GET. Throws what it would be refused with.
http::Response own_answer(db::Read&, const base::Ask&, const oauth::Known&, const std::string& target);

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// The way of one request through its route's steps. Private to dispatch.
#pragma once
#include "http/dispatch.hpp"

#include <chrono>

namespace http {

class Flow : public std::enable_shared_from_this<Flow> {
public:
    Flow(Dispatch& dispatch, const Match&, Request request, Pending reply);
    void start(std::vector<std::pair<std::string_view, std::string_view>> path_parameters);

private:
    void read_step();  // a reader: everything before the write, or the whole of a GET
    void reading(db::Read&);
    void admit(db::Read&);  // who asks, limits, scope, state
    void require_user(const Credentials&) const;
    void limit(db::Read&, const Credentials&);
    void ask_outside(base::Needs);
    void write_step();
    bool wrote_lately() const;
    void note_writer();
    void show_step();  // on a reader
    void show();
    void fail(std::exception_ptr);
    void finish(Response);

    Dispatch& dispatch_;
    const Route& route_;
    const Scopes& opening_;
    Request request_;
    Pending reply_;
    std::vector<std::pair<std::string, std::string>> path_parameters_;
    std::optional<std::string> path_id_;
    base::Ask ask_;
    int rounds_ = 0;
    bool admitted_ = false;
    bool token_given_ = false;
    std::string locale_;    // of the user who asks
    bool primary_ = false;  // reads what a replica may not have yet
    Standing standing_;
    Call call_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace http

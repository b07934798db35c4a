// SPDX-License-Identifier: AGPL-3.0-or-later
// The pipeline of one request: runs the steps of its route. Private to dispatch.
#pragma once
#include "base/deadline.hpp"
#include "http/body/multipart.hpp"
#include "http/body/read_params.hpp"
#include "http/dispatch.hpp"

#include <chrono>

namespace http {

class RequestPipeline : public Intake, public std::enable_shared_from_this<RequestPipeline> {
public:
    RequestPipeline(Dispatch& dispatch, Match, Request);
    void decide(PendingAdmission);  // decides from the head; serve() follows
    void start(Pending);            // for a request that is already complete
    void take(std::string piece, Done done) override;
    void serve(std::string body, Pending reply) override;

private:
    bool read_head();  // returns false if it failed
    // Continues once the head has told who is calling: at once, or on a reader.
    void look_at_head(void (RequestPipeline::*next)());
    void admitted();
    void open_multipart();
    void body_step();  // parses the body to parameters, without a session
    void parse();

    void read_step();  // on a reader: everything before the write, or a whole GET
    void reading(db::Read&);
    void admit(db::Read&);
    void keep_out(db::Read&) const;
    void use_own_ids(db::Read&);
    bool has_faces() const;
    bool makes_room() const;
    bool asks_who() const;
    bool closed() const;
    // Checks caller, limits, scope and state. Without `whole` the body's parameters are not known yet;
    // without a session the caller is not identified.
    void identify(db::Read*, bool whole);
    Credentials who_asks(db::Read*);
    void judge(const Credentials&);
    void require_user(const Credentials&) const;
    void limit(db::Read*, const Credentials&, RateLimitKey::Part);
    void ask_services(base::Needs);
    void write_step();
    db::Position seen_by_who_asks() const;
    bool may_be_behind() const;
    void note_writer();
    void show_step();  // on a reader
    void show();
    std::optional<Response> form_again(const std::exception_ptr&) const;
    Response failed(std::exception_ptr);
    void fail(std::exception_ptr);
    Response finished(Response);  // adds the common headers
    void finish(Response);
    void answer(Response);

    Dispatch& dispatch_;
    const Route& route_;
    const Scopes& accepted_scopes_;
    Request request_;
    bool known_sender_ = false;  // see Route::known_sender
    std::optional<PendingAdmission> decision_;
    std::optional<Pending> reply_;
    std::vector<std::pair<std::string, std::string>> path_parameters_;
    std::optional<std::string> path_id_;
    BodyKind body_kind_ = BodyKind::other;
    Params body_;
    std::optional<Multipart> multipart_;
    std::exception_ptr unreadable_;  // reported once the caller is known
    base::Ask ask_;
    int rounds_ = 0;
    bool limited_ = false;     // counted by its head
    bool identified_ = false;  // nothing in the body can change who is calling
    bool admitted_ = false;
    bool let_in_ = false;       // passed the checks that follow admission
    bool token_given_ = false;  // or a session
    bool session_given_ = false;
    std::string locale_;                    // of the user
    db::Position at_least_ = db::anything;  // the minimum position of a replica
    RateLimitStatus rate_limit_;
    Call call_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    base::Deadline until_;
};

}  // namespace http

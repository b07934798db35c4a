// SPDX-License-Identifier: AGPL-3.0-or-later
// Processes one request: finds the route, identifies the caller, checks limits and scope, reads body and
// parameters, and then runs the steps of the route, each on the thread that its signature requires. Contains
// no rules of the product.
#pragma once
#include "base/ask.hpp"
#include "db/engine.hpp"
#include "db/write_gate.hpp"
#include "http/application.hpp"
#include "http/encoding/encoding.hpp"
#include "http/limits.hpp"
#include "http/recent_writers.hpp"
#include "http/router.hpp"

#include <chrono>
#include <functional>
#include <unordered_set>

namespace http {

struct DispatchOptions {
    const base::Site* site = nullptr;
    std::function<base::Time()> clock;
    std::filesystem::path spool;  // where uploads are stored temporarily
    bool has_replica = false;     // reads may be stale, unless they state a minimum position
    // Called after each change of somebody: other nodes may serve their next read
    // (Dispatch::wrote_elsewhere).
    std::function<void(std::uint64_t who, db::Position)> wrote;
    // The time limit of a request, including questions, HTTP and SQL; afterwards the client is told to try
    // again (503).
    std::chrono::milliseconds request_time{60'000};
    // From oauth: what a bearer token stands for. Called in the request's own snapshot.
    std::function<Credentials(db::Read&, std::string_view token)> authenticate;
    // Where queries are waited for: announces the one that authenticate() will make (db::Read::expect).
    std::function<void(db::Read&, std::string_view token)> expect;
    // The same for a request that offers a session (http/session_scheme.hpp).
    std::function<Credentials(db::Read&, const Request&)> authenticate_session;
    // Staff routes, each with role bits of which one is required; 0: any user.
    std::unordered_map<const Route*, std::int64_t> staff_routes;
    // Routes that suspended or frozen users may also use.
    std::unordered_set<const Route*> open_to_suspended;
    // Whether this address is refused altogether.
    std::function<bool(db::Read&, std::string_view address)> barred;
    // From oauth: proof that this browser has signed in under this name before; empty if there is none.
    std::function<std::string(db::Read&, const Request&, std::string_view name)> known_browser;
    std::uint64_t most_body_bytes = 1 << 30;  // upper limit for all routes
    // Runs body parsing on its thread; returns false when too much is queued. Unset: bodies are parsed
    // immediately.
    std::function<bool(std::function<void()>)> bodies;
    // Runs slow work on a CPU thread; returns false when too much is queued.
    std::function<bool(std::function<void()>)> cpu;
    // Separate pools for slow types of questions, so that passwords need not wait behind them.
    std::unordered_map<std::type_index, std::function<bool(std::function<void()>)>> pools;
    // The answer to a type of question when too much is queued; without one the request is refused.
    std::unordered_map<std::type_index, std::any> when_full;
    // Types of questions that may exceed the request's time limit: asking one removes the deadline.
    std::unordered_set<std::type_index> unhurried;
    // The response for a viewer who is currently refused altogether (maintenance, say); nullopt lets them in.
    // Optional.
    std::function<
        std::optional<Response>(db::Read&, const Route&, const Request&, const std::optional<Viewer>&)>
        kept_out;
    // Routes that free space and so are served on a full disk, in addition to all with the method DELETE.
    std::unordered_set<const Route*> making_room;
    // Why changes are refused now, unless they free space; nullopt if they are made. Unset: always made.
    std::function<std::optional<db::ReadOnly>(bool makes_room)> read_only;
    // Shows an error as a page, for browsers outside the API. Unset: they get JSON too.
    std::function<Response(const Request&, int status)> error_page;
    // The response to a GET of a page instead of the route's own; nullopt: the route's own.
    std::function<std::optional<Response>(const Call&)> other_face;
    // Whether this server replaced another one; if so, these routes are tried when no other matches: "/*"
    // matches any path, "/*/inbox" those that end with /inbox.
    bool (*took_over)() = nullptr;
    std::vector<std::span<const Route>> otherwise{};
    // Whether the replaced server's API had non-numeric ids, which are then translated to ours.
    bool (*has_other_ids)() = nullptr;
    void (*use_own_ids)(db::Read&, Params&) = nullptr;
    // Whether the API answers to this Host header. Unset: to any.
    std::function<bool(std::string_view host)> is_own_host;
    // For metrics: the route, the status and the duration in seconds.
    std::function<void(const Route&, int status, double seconds)> finished;
};

class Dispatch : public Application {
public:
    Dispatch(const Router&, db::Engine&, Limiter&, const base::ExternalServices&, DispatchOptions);

    void admit(Request head, PendingAdmission) override;
    void serve(Request, Pending) override;
    bool may_stay_open(const Request&) const override;

    // Call before serving: all nodes of a site must compute the same keys for writers.
    void use_secret(std::string_view secret) { writers_.use_secret(secret); }
    void wrote_elsewhere(std::uint64_t who, db::Position position) {
        writers_.note(who, position, options_.clock());
    }

private:
    friend class RequestPipeline;
    // The error in a form that this client can read.
    Response readable(Response failure, const Request&) const;
    // Answers requests without a route: preflights and unknown paths.
    Response unrouted(const Request&) const;
    Match match_of(const Request&, std::string_view path) const;
    // Protects against DNS rebinding: refuses a foreign host name that was pointed at this server.
    bool misdirected(const Request&) const;
    Response no_such_host(const Request&) const;
    bool on_body_thread(std::function<void()>);

    const Router& router_;
    db::Engine& engine_;
    Limiter& limiter_;
    const base::ExternalServices& services_;
    DispatchOptions options_;
    RecentWriters writers_;
    CompressedAnswers compressed_;
};

}  // namespace http

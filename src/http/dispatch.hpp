// SPDX-License-Identifier: AGPL-3.0-or-later
// One request from bytes to bytes: route, who asks, limits, scope, the body, parameters, and then the steps of the
// route, each on the thread its signature asks for. No rule of the product is here.
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
    std::filesystem::path spool;  // where uploads wait
    bool has_replica = false;     // reads may be behind, unless they say what they have to see
    // Told after each change of somebody: other nodes may serve what they read next (Dispatch::wrote_elsewhere).
    std::function<void(std::uint64_t who, db::Position)> wrote;
    // From here to the answer, through questions, HTTP and SQL; who has none by then is told to try again (503).
    std::chrono::milliseconds request_time{60'000};
    // Of oauth: what a bearer token stands for. Looked up in the request's own snapshot.
    std::function<Credentials(db::Read&, std::string_view token)> authenticate;
    // Where questions are waited for: says which one authenticate() will ask (db::Read::expect).
    std::function<void(db::Read&, std::string_view token)> expect;
    // The same of a request that offers a session (http/session_scheme.hpp).
    std::function<Credentials(db::Read&, const Request&)> authenticate_session;
    // Whose session a page's form came with, whatever else it shows: for limits alone.
    std::function<std::optional<base::UserId>(db::Read&, const Request&)> user_of_page;
    // Routes for staff, each with the role bits of which one is needed; 0: any user.
    std::unordered_map<const Route*, std::int64_t> staff_routes;
    // Routes for those, too, whom staff has suspended or frozen.
    std::unordered_set<const Route*> open_to_suspended;
    // Whether this address is refused whatever it asks for.
    std::function<bool(db::Read&, std::string_view address)> barred;
    // Of oauth: what proves that this browser has signed in under this name before; empty if nothing does.
    std::function<std::string(db::Read&, const Request&, std::string_view name)> known_browser;
    std::uint64_t most_body_bytes = 1 << 30;  // whatever a route allows
    // Runs on the thread that takes bodies apart; false when too much waits already. Without it that is done at once.
    std::function<bool(std::function<void()>)> bodies;
    // Runs slow work on a CPU thread; false when too much waits already.
    std::function<bool(std::function<void()>)> cpu;
    // The same for questions of a kind that waits long, so that passwords need not wait behind it.
    std::unordered_map<std::type_index, std::function<bool(std::function<void()>)>> pools;
    // What is answered to questions of a kind when too much waits already; without it who asks is refused.
    std::unordered_map<std::type_index, std::any> when_full;
    // Questions that may take longer than a request otherwise does: who asks one has no deadline any more.
    std::unordered_set<std::type_index> unhurried;
    // Who is not let in at all for now, whoever they are: the answer instead. Without it everybody is.
    std::function<
        std::optional<Response>(db::Read&, const Route&, const Request&, const std::optional<Viewer>&)>
        kept_out;
    // Routes that make room, and so are served on a full disk, besides all that have the method DELETE.
    std::unordered_set<const Route*> making_room;
    // Why no change is made now, unless it makes room; nothing: it is. Without it they always are.
    std::function<std::optional<db::ReadOnly>(bool makes_room)> read_only;
    // A failure as a page, for browsers outside the API: its status says which. Without it they get JSON too.
    std::function<Response(const Request&, int status)> error_page;
    // What is answered to a GET of a page instead of what its route shows; nothing: that.
    std::function<std::optional<Response>(const Call&)> other_face;
    // Whether this server took the place of another; then these answer where no route does: of "/*" any path, of "/*/inbox" those
    // that end so.
    bool (*took_over)() = nullptr;
    std::vector<std::span<const Route>> otherwise{};
    // Whether that one's API had other ids than numbers, in whose place ours are put.
    bool (*has_other_ids)() = nullptr;
    void (*use_own_ids)(db::Read&, Params&) = nullptr;
    // Whether the API answers by this name (the header Host). Without it, by any.
    std::function<bool(std::string_view host)> is_own_host;
    // For metrics: the route, the status and how long it took in seconds.
    std::function<void(const Route&, int status, double seconds)> finished;
};

class Dispatch : public Application {
public:
    Dispatch(const Router&, db::Engine&, Limiter&, const base::ExternalServices&, DispatchOptions);

    void admit(Request head, PendingAdmission) override;
    void serve(Request, Pending) override;
    bool may_stay_open(const Request&) const override;

    // Before anything is served: the nodes of a site name those who write alike.
    void use_secret(std::string_view secret) { writers_.use_secret(secret); }
    void wrote_elsewhere(std::uint64_t who, db::Position position) {
        writers_.note(who, position, options_.clock());
    }

private:
    friend class RequestPipeline;
    // The failure as this client reads it.
    Response readable(Response failure, const Request&) const;
    // What needs no route: preflights, and paths that are not served.
    Response unrouted(const Request&) const;
    Match match_of(const Request&, std::string_view path) const;
    // A page elsewhere whose name was made to lead here is not let near what answers here (DNS rebinding).
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

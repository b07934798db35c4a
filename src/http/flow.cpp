// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/flow.hpp"

#include "base/errors.hpp"
#include "http/answer_headers.hpp"
#include "http/errors.hpp"
#include "http/read_params.hpp"
#include "http/translate.hpp"
#include "http/urlencoded.hpp"

#include <algorithm>

namespace http {

namespace {

std::string_view bearer(const Request& request, const Params& params) {
    auto header = request.header("Authorization");
    if (header.size() > 7 && (header.starts_with("Bearer ") || header.starts_with("bearer ")))
        return header.substr(7);
    if (auto* given = params.find("access_token")) return *given;
    if (auto* given = params.find("bearer_token")) return *given;
    return {};
}

// The replica does not know this token; the primary may.
struct MayBeBehind {};

bool is_family(Throttle t) {
    return t == Throttle::statuses_family || t == Throttle::follows_family || t == Throttle::reports_family;
}

}  // namespace

Flow::Flow(Dispatch& dispatch, const Match& match, Request request, Pending reply)
    : dispatch_(dispatch),
      route_(*match.route),
      opening_(match.opening),
      request_(std::move(request)),
      reply_(std::move(reply)) {}

void Flow::start(std::vector<std::pair<std::string_view, std::string_view>> path_parameters) {
    for (auto [name, value] : path_parameters) path_parameters_.emplace_back(name, percent_decoded(value));
    call_.ask = &ask_;
    call_.request = &request_;
    // What a change starts from may not be behind, nor what somebody reads who has just written.
    primary_ = route_.act || wrote_lately();
    read_step();
}

bool Flow::wrote_lately() const {
    if (!dispatch_.options_.has_replica) return false;
    try {
        auto query = read_query(request_);
        return dispatch_.writers_.wrote(request_, bearer(request_, query), dispatch_.options_.clock());
    } catch (const base::BadRequest&) {
        return false;  // is answered when the request is read
    }
}

void Flow::read_step() {
    if (!dispatch_.engine_.read([self = shared_from_this()](db::Read& db) { self->reading(db); }, primary_))
        fail(std::make_exception_ptr(base::Unavailable()));
}

void Flow::reading(db::Read& db) {
    try {
        if (!admitted_) admit(db);
        call_.read = &db;
        if (route_.prepare) call_.prepared = route_.prepare(call_);
        if (!route_.act) return finish(route_.show(call_));
    } catch (base::Needs& needs) {
        return ask_outside(std::move(needs));
    } catch (MayBeBehind) {
        primary_ = true;
        return read_step();
    } catch (...) {
        return fail(std::current_exception());
    }
    write_step();
}

void Flow::admit(db::Read& db) {
    call_.params = route_.raw_body ? read_query(request_) : read_params(request_, dispatch_.options_.spool);
    for (auto& [name, value] : path_parameters_) call_.params.set(name, value);
    if (auto* id = call_.params.find("id")) path_id_ = *id;
    Credentials who;
    bool closed = dispatch_.options_.site->restricted && route_.path.starts_with("/api/") &&
                  !route_.open_when_restricted && route_.auth != Auth::token;
    if (route_.auth != Auth::none || closed) {
        auto token = bearer(request_, call_.params);
        token_given_ = !token.empty();
        if (token_given_) who = dispatch_.options_.authenticate(db, token);
        bool behind = dispatch_.options_.has_replica && !primary_;
        if (token_given_ && behind && who.state == TokenState::unknown) throw MayBeBehind();
    }
    if (who.viewer) locale_ = who.viewer->locale;
    limit(db, who);
    if (closed && !who.viewer) throw base::Unauthorized("This method requires an authenticated user");
    if (who.state == TokenState::revoked) throw base::Unauthorized("The access token was revoked");
    if (who.suspended) throw base::Forbidden("Your login is currently disabled");
    if (route_.auth == Auth::user || route_.auth == Auth::token) {
        if (who.state != TokenState::live) throw base::Unauthorized();
    }
    if (who.state == TokenState::live) {
        if (opening_.any() && (opening_ & who.holder.scopes).none())
            throw base::Forbidden("This action is outside the authorized scopes");
        call_.holder = who.holder;
        if (route_.auth == Auth::user) require_user(who);
        if (who.viewer && (who.problem.empty() || route_.usable_by_unconfirmed)) call_.viewer = who.viewer;
    }
    if (is_family(route_.throttle)) {
        auto family =
            dispatch_.limiter_.family(route_.throttle, call_.viewer->account.value, db.now(), false);
        if (family.refused || family.remaining < standing_.remaining) standing_ = family;
        if (family.refused) throw base::TooMany();
    }
    admitted_ = true;
}

void Flow::require_user(const Credentials& who) const {
    if (!who.viewer) throw base::Invalid("This method requires an authenticated user");
    if (!who.problem.empty() && !route_.usable_by_unconfirmed) throw base::Forbidden(who.problem);
}

void Flow::limit(db::Read& db, const Credentials& who) {
    Caller caller;
    if (who.viewer) caller.user = who.viewer->user.value;
    caller.token = who.holder.token.value;
    caller.address = request_.remote_address;
    caller.paging = call_.params.find("max_id") || call_.params.find("min_id") ||
                    call_.params.find("since_id") || call_.params.find("page");
    if (!route_.throttled_by.empty())
        if (auto* name = call_.params.find(route_.throttled_by)) caller.name = *name;
    std::string known;
    if (route_.throttle == Throttle::login && !caller.name.empty() && dispatch_.options_.known_browser)
        caller.known = known = dispatch_.options_.known_browser(db, request_, caller.name);
    standing_ = dispatch_.limiter_.request(route_, caller, dispatch_.options_.clock());
    if (standing_.refused) throw base::TooMany();
}

void Flow::ask_outside(base::Needs needs) {
    if (++rounds_ > base::max_rounds) return fail(std::make_exception_ptr(base::Unavailable()));
    const auto& options = dispatch_.options_;
    auto own = options.pools.find(needs.type);
    const auto& pool = own == options.pools.end() ? options.crunch : own->second;
    auto work = [self = shared_from_this(), needs = std::make_shared<base::Needs>(std::move(needs))] {
        try {
            self->ask_.answer(*needs, self->dispatch_.outside_.answer(*needs));
        } catch (...) {
            return self->fail(std::current_exception());
        }
        self->read_step();
    };
    if (!pool(work)) fail(std::make_exception_ptr(base::Unavailable()));
}

void Flow::write_step() {
    auto change = [self = shared_from_this()](db::Write& db) {
        self->call_.write = &db;
        self->call_.created = true;
        // A change that lost against another one runs again, and the first run may have named a new id.
        if (self->path_id_) self->call_.params.set("id", *self->path_id_);
        self->route_.act(self->call_);
    };
    auto done = [self = shared_from_this()](std::exception_ptr error) {
        if (error) return self->fail(error);
        self->note_writer();
        if (is_family(self->route_.throttle) && self->call_.created) {
            auto family = self->dispatch_.limiter_.family(
                self->route_.throttle,
                self->call_.viewer->account.value,
                self->dispatch_.options_.clock(),
                true
            );
            if (family.remaining <= self->standing_.remaining) self->standing_ = family;
        }
        if (self->route_.shows_acted) self->show();
        else self->show_step();
    };
    // Paths are literals in the tables of routes: they end with a NUL and live as long as the program.
    if (!dispatch_.engine_.write(route_.path.data(), change, done))
        fail(std::make_exception_ptr(base::Unavailable()));
}

void Flow::note_writer() {
    if (!dispatch_.options_.has_replica) return;
    dispatch_.writers_.note(request_, bearer(request_, call_.params), dispatch_.options_.clock());
}

void Flow::show_step() {
    auto show = [self = shared_from_this()](db::Read& db) {
        self->call_.read = &db;
        self->show();
    };
    if (!dispatch_.engine_.read(show, true)) fail(std::make_exception_ptr(base::Unavailable()));
}

void Flow::show() {
    try {
        finish(route_.show(call_));
    } catch (...) {
        fail(std::current_exception());
    }
}

void Flow::fail(std::exception_ptr error) {
    auto response = dispatch_.readable(failure(error, request_, route_.path), request_);
    auto* lang = call_.params.find("lang");
    translate(response, answer_language(request_, lang ? *lang : "", locale_, *dispatch_.options_.site));
    finish(std::move(response));
}

void Flow::finish(Response response) {
    add_answer_headers(response, route_, request_, standing_, *dispatch_.options_.site, token_given_);
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun_;
    auto micros = std::to_string(1'000'000 + static_cast<std::int64_t>(took.count() * 1e6) % 1'000'000);
    micros[0] = '.';
    auto seconds = std::to_string(static_cast<std::int64_t>(took.count()));
    response.headers.emplace_back("X-Runtime", seconds + micros);
    if (dispatch_.options_.finished) dispatch_.options_.finished(route_, response.status, took.count());
    reply_.answer(std::move(response));
}

}  // namespace http

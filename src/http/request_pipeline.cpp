// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/request_pipeline.hpp"

#include "base/errors.hpp"
#include "db/engine.hpp"
#include "db/write_gate.hpp"
#include "http/answer_headers.hpp"
#include "http/body/read_params.hpp"
#include "http/body/urlencoded.hpp"
#include "http/encoding/encoding.hpp"
#include "http/errors.hpp"
#include "http/form_page.hpp"
#include "http/session_scheme.hpp"
#include "http/stream_route.hpp"
#include "http/translate.hpp"

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

// Identifies the caller: the token, or the proof of a session.
std::string_view credential(const Request& request, const Params& params) {
    return offers_session(request) ? request.header("Authorization") : bearer(request, params);
}

// The replica does not know this token, but the primary may.
struct MayBeBehind {};

// Whether a retry on the primary could help: the replica failed, or lags behind.
bool may_be_for_the_replica(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const MayBeBehind&) {
        return true;
    } catch (const db::Outage&) {
        return true;
    } catch (const base::NotFound&) {
        return true;
    } catch (...) {
        return false;
    }
}

// Limits that override the route's: without a token, and for bodies other than multipart, which stay in
// memory.
constexpr std::uint64_t most_of_stranger = 1 << 20, most_in_memory = 32 << 20;
// Longer bodies are parsed on a separate thread.
constexpr std::size_t parsed_at_once = 16 << 10;

base::Unauthorized ended_session() { return base::Unauthorized("The session has ended"); }

}  // namespace

RequestPipeline::RequestPipeline(Dispatch& dispatch, Match match, Request request)
    : dispatch_(dispatch),
      route_(*match.route),
      accepted_scopes_(match.accepted_scopes),
      request_(std::move(request)),
      until_(begun_ + dispatch.options_.request_time) {
    for (auto [name, value] : match.parameters) path_parameters_.emplace_back(name, percent_decoded(value));
    if (!route_.raw_body) body_kind_ = body_kind(request_.header("Content-Type"));
    call_.ask = &ask_;
    call_.request = &request_;
}

void RequestPipeline::decide(PendingAdmission decision) {
    decision_.emplace(std::move(decision));
    if (!read_head()) return;
    if (opens_stream(route_)) read_step();
    else look_at_head(&RequestPipeline::admitted);
}

void RequestPipeline::start(Pending reply) {
    reply_.emplace(std::move(reply));
    if (!read_head()) return;
    if (request_.body.empty()) return read_step();
    // No file is stored before the sender is known.
    if (body_kind_ == BodyKind::multipart) return look_at_head(&RequestPipeline::body_step);
    body_step();
}

bool RequestPipeline::read_head() {
    try {
        // Before any of a body is read, and regardless of the caller.
        if (route_.act && dispatch_.options_.read_only)
            if (auto refusal = dispatch_.options_.read_only(makes_room())) throw *std::move(refusal);
        call_.params = read_query(request_);
        // A change must start from current data, and somebody who has just written must see it.
        at_least_ = route_.act || opens_stream(route_) ? db::newest : seen_by_who_asks();
        if (route_.act) call_.params.keep_files_in(dispatch_.options_.spool);
        for (auto& [name, value] : path_parameters_) call_.params.set(name, value);
        if (auto* id = call_.params.find("id")) path_id_ = *id;
        return true;
    } catch (...) {
        fail(std::current_exception());
        return false;
    }
}

void RequestPipeline::look_at_head(void (RequestPipeline::*next)()) {
    auto look = [self = shared_from_this(), next](db::Read* db) {
        try {
            self->identify(db, false);
            if (db && self->route_.known_sender)
                self->known_sender_ = self->route_.known_sender(*db, self->request_);
            if (self->body_kind_ == BodyKind::multipart) self->open_multipart();
        } catch (...) {
            return self->fail(std::current_exception());
        }
        ((*self).*next)();
    };
    if (!route_.known_sender && (!asks_who() || credential(request_, call_.params).empty()))
        return look(nullptr);
    at_least_ = db::newest;  // a request with a body is nearly always a change
    const base::Within within(until_);
    if (!dispatch_.engine_.read([look](db::Read& db) { look(&db); }, at_least_))
        fail(std::make_exception_ptr(base::Unavailable()));
}

void RequestPipeline::admitted() {
    Admission admission;
    admission.intake = shared_from_this();
    admission.in_pieces = multipart_.has_value();
    admission.most_bytes = std::min(route_.body_bytes, dispatch_.options_.most_body_bytes);
    if (!call_.holder && !known_sender_) {
        admission.most_bytes = std::min(admission.most_bytes, most_of_stranger);
    } else if (!multipart_) {
        admission.purse = Purse::users;
        admission.most_bytes = std::min(admission.most_bytes, most_in_memory);
    } else {
        admission.purse = Purse::uploads;
    }
    auto decision = std::exchange(decision_, std::nullopt);
    decision->admit(std::move(admission));
}

void RequestPipeline::open_multipart() {
    const bool demands_token = route_.auth == Auth::user || route_.auth == Auth::token;
    const auto files = call_.holder || known_sender_ ? Multipart::Files::keep
                       : demands_token               ? Multipart::Files::refuse
                                                     : Multipart::Files::drop;
    multipart_.emplace(request_.header("Content-Type"), dispatch_.options_.spool, body_, files);
}

void RequestPipeline::take(std::string piece, Done done) {
    auto work = [self = shared_from_this(), piece = std::move(piece), done] {
        try {
            self->multipart_->feed(piece);
        } catch (...) {
            return done(self->failed(std::current_exception()));
        }
        done(std::nullopt);
    };
    if (!dispatch_.on_body_thread(std::move(work)))
        done(failed(std::make_exception_ptr(base::Unavailable())));
}

void RequestPipeline::serve(std::string body, Pending reply) {
    begun_ = std::chrono::steady_clock::now();
    until_ = begun_ + dispatch_.options_.request_time;  // receiving the body has its own time limit
    reply_.emplace(std::move(reply));
    request_.body = std::move(body);
    body_step();
}

void RequestPipeline::body_step() {
    auto work = [self = shared_from_this()] {
        self->parse();
        self->read_step();
    };
    const auto size = request_.body.size();
    const bool quick = body_kind_ == BodyKind::other || (multipart_ ? size == 0 : size <= parsed_at_once);
    if (quick) return work();
    if (!dispatch_.on_body_thread(std::move(work))) fail(std::make_exception_ptr(base::Unavailable()));
}

void RequestPipeline::parse() {
    try {
        if (!multipart_) read_body(body_kind_, request_.body, body_);
        else if (!request_.body.empty()) multipart_->feed(request_.body);
        if (multipart_) multipart_->finish();
        if (body_.empty()) return;
        body_.merge(std::move(call_.params));
        call_.params = std::move(body_);
        call_.params.keep_files_in(dispatch_.options_.spool);
        for (auto& [name, value] : path_parameters_) call_.params.set(name, value);
        if (auto* id = call_.params.find("id")) path_id_ = *id;
    } catch (...) {
        unreadable_ = std::current_exception();
    }
}

// Users see their own changes at once.
db::Position RequestPipeline::seen_by_who_asks() const {
    if (!dispatch_.options_.has_replica) return db::anything;
    return dispatch_.writers_.seen_by(
        request_, credential(request_, call_.params), dispatch_.options_.clock()
    );
}

bool RequestPipeline::may_be_behind() const {
    return dispatch_.options_.has_replica && at_least_ != db::newest;
}

void RequestPipeline::read_step() {
    const base::Within within(until_);
    if (!dispatch_.engine_.read([self = shared_from_this()](db::Read& db) { self->reading(db); }, at_least_))
        fail(std::make_exception_ptr(base::Unavailable()));
}

void RequestPipeline::reading(db::Read& db) {
    try {
        if (base::Within::over()) throw base::TimedOut();
        if (!admitted_) admit(db);
        if (!let_in_) {  // again if a replica failed in between
            use_own_ids(db);
            keep_out(db);
            let_in_ = true;
        }
        call_.read = &db;
        if (has_faces())
            if (auto face = dispatch_.options_.other_face(call_)) return finish(*std::move(face));
        if (route_.prepare) call_.prepared = route_.prepare(call_);
        if (!route_.act) return finish(route_.show(call_));
    } catch (base::Needs& needs) {
        return ask_services(std::move(needs));
    } catch (...) {
        if (!may_be_behind() || !may_be_for_the_replica(std::current_exception()))
            return fail(std::current_exception());
        at_least_ = db::newest;
        return read_step();
    }
    write_step();
}

void RequestPipeline::keep_out(db::Read& db) const {
    if (!dispatch_.options_.kept_out) return;
    if (auto answer = dispatch_.options_.kept_out(db, route_, request_, call_.viewer))
        throw Refusal(*std::move(answer));
}

void RequestPipeline::use_own_ids(db::Read& db) {
    const auto& options = dispatch_.options_;
    if (!options.has_other_ids || !options.has_other_ids() || !route_.path.starts_with("/api/")) return;
    options.use_own_ids(db, call_.params);
    if (path_id_) path_id_ = *call_.params.find("id");
}

bool RequestPipeline::has_faces() const {
    return dispatch_.options_.other_face && route_.method == Method::get && !route_.path.starts_with("/api/");
}

bool RequestPipeline::makes_room() const {
    return route_.method == Method::delete_ || dispatch_.options_.making_room.contains(&route_);
}

bool RequestPipeline::asks_who() const { return route_.auth != Auth::none || closed(); }

// Unauthenticated access is disabled for this route.
bool RequestPipeline::closed() const {
    return db::site_now(*dispatch_.options_.site).restricted && route_.path.starts_with("/api/") &&
           !route_.open_when_restricted && route_.auth != Auth::token;
}

void RequestPipeline::admit(db::Read& db) {
    const bool counted = limited_;
    if (!identified_) identify(&db, true);
    if (unreadable_) std::rethrow_exception(unreadable_);
    if (session_given_ && !bearer(request_, call_.params).empty()) throw ended_session();
    if (counted) limit(&db, {}, RateLimitKey::Part::name);
    if (is_family(route_.throttle) && call_.viewer) {
        auto family =
            dispatch_.limiter_.family(route_.throttle, call_.viewer->account.value, db.now(), false);
        if (family.refused || family.remaining < rate_limit_.remaining) rate_limit_ = family;
        if (family.refused) throw base::TooMany();
    }
    admitted_ = true;
}

Credentials RequestPipeline::who_asks(db::Read* db) {
    Credentials who;
    session_given_ = dispatch_.options_.authenticate_session && route_.path.starts_with("/api/") &&
                     offers_session(request_);
    auto token = session_given_ ? std::string_view{} : bearer(request_, call_.params);
    token_given_ = session_given_ || !token.empty();
    if (!db) return who;  // no credentials were given that could be checked
    // On a page, the page's own function checks the form's proof; this only determines whom the limits count.
    const bool of_form = !token_given_ && route_.act && route_.auth == Auth::optional &&
                         !route_.path.starts_with("/api/") && dispatch_.options_.authenticate_session;
    if (of_form) token_given_ = true;
    if (session_given_ || of_form) who = dispatch_.options_.authenticate_session(*db, request_);
    else if (token_given_) who = dispatch_.options_.authenticate(*db, token);
    if (token_given_ && may_be_behind() && who.state == TokenState::unknown) throw MayBeBehind();
    return who;
}

void RequestPipeline::identify(db::Read* db, bool whole) {
    if (db && asks_who() && dispatch_.options_.expect)
        if (const auto token = bearer(request_, call_.params); !token.empty())
            dispatch_.options_.expect(*db, token);
    if (db && dispatch_.options_.barred && dispatch_.options_.barred(*db, request_.remote_address))
        throw base::Forbidden();
    if (!limited_ && route_.screen) route_.screen(request_);
    Credentials who;
    if (asks_who()) who = who_asks(db);
    if (who.viewer) locale_ = who.viewer->locale;
    if (!limited_) limit(db, who, whole ? RateLimitKey::Part::all : RateLimitKey::Part::head);
    else if (who.state == TokenState::live) limit(db, who, RateLimitKey::Part::head);
    limited_ = true;
    // The token may be in the body instead.
    identified_ = whole || token_given_ || !asks_who() || body_kind_ == BodyKind::other;
    if (identified_) judge(who);
}

namespace {

constexpr const char* disabled = "Your login is currently disabled";

// Shut out by staff, and for no other reason.
bool is_shut_out(const Credentials& who) {
    return who.viewer && (who.suspended || !who.problem.empty()) &&
           (who.problem.empty() || who.problem == disabled);
}

}  // namespace

void RequestPipeline::judge(const Credentials& who) {
    if (session_given_ && who.state != TokenState::live) throw ended_session();
    if (closed() && !who.viewer) throw base::Unauthorized("This method requires an authenticated user");
    if (who.state == TokenState::revoked) throw base::Unauthorized("The access token was revoked");
    const bool for_shut_out = dispatch_.options_.open_to_suspended.contains(&route_) && is_shut_out(who);
    if (who.suspended && !for_shut_out) throw base::Forbidden(disabled);
    auto staff = dispatch_.options_.staff_routes.find(&route_);
    const bool for_staff = staff != dispatch_.options_.staff_routes.end();
    if (route_.auth == Auth::user || route_.auth == Auth::token) {
        if (who.state != TokenState::live && for_staff) throw base::Forbidden();
        if (who.state != TokenState::live) throw base::Unauthorized();
    }
    if (who.state != TokenState::live) return;
    if (accepted_scopes_.any() && (accepted_scopes_ & who.holder.scopes).none())
        throw base::Forbidden("This action is outside the authorized scopes");
    call_.holder = who.holder;
    if (for_staff && !who.viewer) throw base::Forbidden();
    if (route_.auth == Auth::user && !for_shut_out) require_user(who);
    if (for_staff && staff->second != 0 && (who.viewer->permissions & staff->second) == 0)
        throw base::Forbidden();
    if (who.viewer && (who.problem.empty() || route_.usable_by_unconfirmed || for_shut_out))
        call_.viewer = who.viewer;
}

void RequestPipeline::require_user(const Credentials& who) const {
    if (!who.viewer) throw base::Invalid("This method requires an authenticated user");
    if (!who.problem.empty() && !route_.usable_by_unconfirmed) throw base::Forbidden(who.problem);
}

void RequestPipeline::limit(db::Read* db, const Credentials& who, RateLimitKey::Part part) {
    RateLimitKey subject;
    subject.part = part;
    if (who.viewer) subject.user = who.viewer->user.value;
    else if (call_.viewer) subject.user = call_.viewer->user.value;
    subject.token = who.holder.token.value;
    subject.address = request_.remote_address;
    subject.paging = call_.params.find("max_id") || call_.params.find("min_id") ||
                     call_.params.find("since_id") || call_.params.find("page");
    if (!route_.throttled_by.empty())
        if (auto* name = call_.params.find(route_.throttled_by)) subject.name = *name;
    std::string known;
    const bool by_name = db && part != RateLimitKey::Part::head && !subject.name.empty();
    if (route_.throttle == Throttle::login && by_name && dispatch_.options_.known_browser)
        subject.known = known = dispatch_.options_.known_browser(*db, request_, subject.name);
    auto rate_limit = dispatch_.limiter_.request(route_, subject, dispatch_.options_.clock());
    const bool nearer = rate_limit.reset.ms != 0 && rate_limit.remaining < rate_limit_.remaining;
    if (!limited_ || rate_limit.refused || nearer) rate_limit_ = rate_limit;
    if (rate_limit_.refused) throw base::TooMany();
}

void RequestPipeline::ask_services(base::Needs needs) {
    if (++rounds_ > base::max_rounds) return fail(std::make_exception_ptr(base::Unavailable()));
    const auto& options = dispatch_.options_;
    if (options.unhurried.contains(needs.type)) until_ = base::no_deadline;
    auto own = options.pools.find(needs.type);
    const auto& pool = own == options.pools.end() ? options.cpu : own->second;
    auto asked = std::make_shared<base::Needs>(std::move(needs));
    auto work = [self = shared_from_this(), needs = asked] {
        const base::Within within(self->until_);
        try {
            if (base::Within::over()) throw base::TimedOut();
            self->ask_.answer(*needs, self->dispatch_.services_.answer(*needs));
        } catch (...) {
            return self->fail(std::current_exception());
        }
        self->read_step();
    };
    if (pool(work)) return;
    auto instead = options.when_full.find(asked->type);
    if (instead == options.when_full.end()) return fail(std::make_exception_ptr(base::Unavailable()));
    ask_.answer(*asked, instead->second);
    read_step();
}

void RequestPipeline::write_step() {
    auto change = [self = shared_from_this()](db::Write& db) {
        self->call_.write = &db;
        self->call_.created = true;
        // A change that conflicted runs again, and its first run may have set a new id.
        if (self->path_id_) self->call_.params.set("id", *self->path_id_);
        self->route_.act(self->call_);
    };
    auto done = [self = shared_from_this()](std::exception_ptr error) {
        if (error) return self->fail(error);
        self->note_writer();
        // The change is done, so do not report a timeout; leave some time to render the response.
        constexpr std::chrono::seconds to_show{10};
        self->until_ = std::max(self->until_, std::chrono::steady_clock::now() + to_show);
        if (is_family(self->route_.throttle) && self->call_.created && self->call_.viewer) {
            auto family = self->dispatch_.limiter_.family(
                self->route_.throttle,
                self->call_.viewer->account.value,
                self->dispatch_.options_.clock(),
                true
            );
            if (family.remaining <= self->rate_limit_.remaining) self->rate_limit_ = family;
        }
        if (self->route_.shows_acted) self->show();
        else self->show_step();
    };
    const base::Within within(until_);
    std::optional<db::MakingRoom> making_room;
    if (makes_room()) making_room.emplace();
    const auto write =
        route_.together && route_.together(call_.prepared) ? &db::Engine::write_together : &db::Engine::write;
    // Paths are string literals in the route tables: NUL-terminated and static.
    if (!(dispatch_.engine_.*write)(route_.path.data(), change, done))
        fail(std::make_exception_ptr(base::Unavailable()));
}

void RequestPipeline::note_writer() {
    if (!dispatch_.options_.has_replica) return;
    const auto position = dispatch_.engine_.position();
    const auto who = credential(request_, call_.params);
    dispatch_.writers_.note(request_, who, position, dispatch_.options_.clock());
    if (dispatch_.options_.wrote) dispatch_.options_.wrote(dispatch_.writers_.key(request_, who), position);
}

void RequestPipeline::show_step() {
    auto show = [self = shared_from_this()](db::Read& db) {
        self->call_.read = &db;
        self->show();
    };
    const base::Within within(until_);
    if (!dispatch_.engine_.read(show, db::newest)) fail(std::make_exception_ptr(base::Unavailable()));
}

void RequestPipeline::show() {
    try {
        finish(route_.show(call_));
    } catch (...) {
        fail(std::current_exception());
    }
}

// Shows the form again after a refusal, so that nothing typed is lost.
std::optional<Response> RequestPipeline::form_again(const std::exception_ptr& error) const {
    auto* form = std::any_cast<FormPage>(&call_.prepared);
    if (!form || !form->again) return std::nullopt;
    try {
        std::rethrow_exception(error);
    } catch (const base::Invalid& invalid) {
        return form->again(invalid.what());
    } catch (...) {
        return std::nullopt;
    }
}

Response RequestPipeline::failed(std::exception_ptr error) {
    if (auto again = form_again(error)) return finished(*std::move(again));
    auto response = dispatch_.readable(failure(error, request_, route_.path), request_);
    auto* lang = call_.params.find("lang");
    translate(
        response,
        answer_language(request_, lang ? *lang : "", locale_, db::site_now(*dispatch_.options_.site))
    );
    return finished(std::move(response));
}

void RequestPipeline::fail(std::exception_ptr error) { answer(failed(error)); }

void RequestPipeline::finish(Response response) {
    response = finished(std::move(response));
    auto* opened = std::any_cast<Opened>(&call_.prepared);
    if (!opened || !opened->stream || !decision_) return answer(std::move(response));
    Admission admission;
    admission.stream = std::move(opened->stream);
    admission.head = std::move(response);
    auto decision = std::exchange(decision_, std::nullopt);
    decision->admit(std::move(admission));
}

Response RequestPipeline::finished(Response response) {
    // The response of a change may be rendered on the writer thread, which everybody waits for; it is short,
    // so it is not compressed.
    const bool smaller = is_compressible(response) && !route_.shows_acted;
    add_answer_headers(
        response, route_, request_, rate_limit_, db::site_now(*dispatch_.options_.site), token_given_
    );
    if (smaller) {
        vary_on_encoding(response);
        compress(response, request_, dispatch_.compressed_);
    }
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun_;
    auto micros = std::to_string(1'000'000 + static_cast<std::int64_t>(took.count() * 1e6) % 1'000'000);
    micros[0] = '.';
    auto seconds = std::to_string(static_cast<std::int64_t>(took.count()));
    response.headers.emplace_back("X-Runtime", seconds + micros);
    if (dispatch_.options_.finished) dispatch_.options_.finished(route_, response.status, took.count());
    return response;
}

void RequestPipeline::answer(Response response) {
    if (!decision_) return reply_->answer(std::move(response));
    auto decision = std::exchange(decision_, std::nullopt);
    decision->refuse(std::move(response));
}

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/dispatch.hpp"

#include "db/engine.hpp"
#include "http/answer_headers.hpp"
#include "http/body/urlencoded.hpp"
#include "http/errors.hpp"
#include "http/request_pipeline.hpp"
#include "http/stream_route.hpp"
#include "http/translate.hpp"

namespace http {

namespace {

Response preflight(std::string_view path) {
    Response response;
    response.status = 204;
    response.content_type.clear();
    if (!cross_origin(path)) return response;
    response.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS");
    response.headers.emplace_back(
        "Access-Control-Allow-Headers", "*, Authorization, Content-Type, Idempotency-Key"
    );
    response.headers.emplace_back("Access-Control-Max-Age", "7200");
    response.common_headers = cors_headers(path);
    return response;
}

std::string lang_of(const Request& request) {
    for (auto& [name, value] : read_urlencoded(request.query()))
        if (name == "lang") return std::move(value);
    return {};
}

bool is_cursor(std::string_view name) {
    return name == "max_id" || name == "min_id" || name == "since_id" || name == "access_token" ||
           name == "bearer_token";
}

}  // namespace

void detail::add_link(Response& response, const Call& call, const base::Cursors& cursors) {
    if (!cursors.next && !cursors.prev) return;
    std::string base = call.read->site().public_url + std::string(call.request->path()) + "?";
    for (const auto& [name, value] : read_urlencoded(call.request->query()))
        if (!is_cursor(name)) base += percent_encoded(name) + "=" + percent_encoded(value) + "&";
    std::string link;
    if (cursors.next) link = "<" + base + "max_id=" + std::to_string(*cursors.next) + ">; rel=\"next\"";
    if (cursors.prev) {
        if (!link.empty()) link += ", ";
        link += "<" + base + (cursors.prev_since ? "since_id=" : "min_id=") + std::to_string(*cursors.prev) +
                ">; rel=\"prev\"";
    }
    response.headers.emplace_back("Link", std::move(link));
}

Dispatch::Dispatch(
    const Router& router, db::Engine& engine, Limiter& limiter, const base::ExternalServices& services,
    DispatchOptions options
)
    : router_(router),
      engine_(engine),
      limiter_(limiter),
      services_(services),
      options_(std::move(options)) {}

Response Dispatch::readable(Response failure, const Request& request) const {
    const bool bare = failure.content_type.starts_with("application/json");  // otherwise it is a page already
    bool page = bare && failure.status >= 400 && !request.path().starts_with("/api/") &&
                request.header("Accept").find("text/html") != std::string_view::npos;
    if (!page || !options_.error_page) return failure;
    auto response = options_.error_page(request, failure.status);
    for (auto& header : failure.headers) response.headers.push_back(std::move(header));
    return response;
}

Response Dispatch::unrouted(const Request& request) const {
    if (request.method == Method::options) return preflight(request.path());
    auto response = readable(failure(404, "Not Found"), request);
    translate(response, answer_language(request, lang_of(request), {}, db::site_now(*options_.site)));
    // Caches may store the 404, so it names the headers that it depends on.
    response.headers.emplace_back("Vary", "Accept, Accept-Language");
    response.common_headers =
        common_headers(request.path(), response.content_type.starts_with("application/json"));
    return response;
}

bool Dispatch::misdirected(const Request& request) const {
    auto host = request.header("Host");
    return options_.is_own_host && request.path().starts_with("/api/") && !host.empty() &&
           !options_.is_own_host(host);
}

Response Dispatch::no_such_host(const Request& request) const {
    auto response = failure(421, "This server is not called by this name");
    translate(response, answer_language(request, lang_of(request), {}, db::site_now(*options_.site)));
    response.headers.emplace_back("Cache-Control", "private, no-store");
    response.common_headers = common_headers(request.path(), true);
    return response;
}

namespace {

// On Hollo, the path of our profile page is also the id of an actor document.
bool is_of_actor(const Request& request, std::string_view path) {
    if (!path.starts_with("/@") && !path.starts_with("/%40")) return false;
    auto accept = request.header("Accept");
    return accept.find("application/activity+json") != accept.npos ||
           accept.find("application/ld+json") != accept.npos;
}

}  // namespace

// If this server replaced another one, unknown paths may be that server's.
Match Dispatch::match_of(const Request& request, std::string_view path) const {
    auto match = router_.find(request.method, path);
    if (!options_.took_over || !options_.took_over() || path.starts_with("/api/")) return match;
    if (match.route && !is_of_actor(request, path)) return match;
    auto method = request.method == Method::head ? Method::get : request.method;
    for (auto table : options_.otherwise)
        for (const auto& route : table)
            if (route.method == method && path.ends_with(route.path.substr(2)))
                return {&route, match.accepted_scopes, {}};
    return match;
}

bool Dispatch::on_body_thread(std::function<void()> work) {
    if (options_.bodies) return options_.bodies(std::move(work));
    work();
    return true;
}

void Dispatch::admit(Request head, PendingAdmission decision) {
    if (misdirected(head)) return decision.refuse(no_such_host(head));
    auto path = std::string(head.path());  // the matched views must outlive the move of the request
    auto match = match_of(head, path);
    if (!match.route) return decision.refuse(unrouted(head));
    std::make_shared<RequestPipeline>(*this, std::move(match), std::move(head))->decide(std::move(decision));
}

bool Dispatch::may_stay_open(const Request& request) const {
    auto match = router_.find(request.method, request.path());
    return match.route && opens_stream(*match.route);
}

void Dispatch::serve(Request request, Pending reply) {
    if (misdirected(request)) return reply.answer(no_such_host(request));
    auto path = std::string(request.path());  // as in admit()
    auto match = match_of(request, path);
    if (!match.route) return reply.answer(unrouted(request));
    std::make_shared<RequestPipeline>(*this, std::move(match), std::move(request))->start(std::move(reply));
}

}  // namespace http

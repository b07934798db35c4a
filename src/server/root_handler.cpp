// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/root_handler.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "http/errors.hpp"
#include "server/web/client.hpp"

#include <algorithm>

namespace server {

namespace {

http::Response text(std::string body, std::string type) {
    http::Response response;
    response.content_type = std::move(type);
    response.headers.emplace_back("Cache-Control", "private, no-store");
    response.headers.emplace_back("X-Content-Type-Options", "nosniff");
    response.body = std::move(body);
    return response;
}

http::Response arrival(const http::Request& request) {
    Arrival out{
        std::string(request.header("Host")),
        request.secure ? "https" : "http",
        request.remote_address,
        std::string(request.header("Upgrade"))
    };
    const auto forwarded = request.header("X-Forwarded-For");
    out.forwarded = !forwarded.empty();
    out.believed = forwarded.find(request.remote_address) != forwarded.npos;
    return text(base::json::to_string(out), "application/json; charset=utf-8");
}

bool take(std::string_view& path, std::string_view prefix) {
    if (!path.starts_with(prefix)) return false;
    path.remove_prefix(prefix.size());
    return true;
}

}  // namespace

namespace {

std::string origin_of_media(const Config& config) {
    if (config.s3_bucket.empty() || config.media_url.empty()) return {};
    const auto& url = config.media_url;
    if (url != "presigned") return url.substr(0, url.find('/', url.find("://") + 3));
    if (config.s3_path_style) return config.s3_endpoint;
    const auto host = config.s3_endpoint.find("://") + 3;
    return config.s3_endpoint.substr(0, host) + config.s3_bucket + "." + config.s3_endpoint.substr(host);
}

}  // namespace

RootHandler::RootHandler(const Config& config, Parts parts)
    : parts_(std::move(parts)),
      metrics_(config.metrics),
      near_(config.trusted_proxies),
      media_(config.media_path(), parts_.reading),
      media_origin_(origin_of_media(config)),
      web_(config.has_role("web")),
      streaming_(config.has_role("streaming")),
      secure_url_(
          !config.tls_listen.empty() && config.public_url.starts_with("https://") ? config.public_url : ""
      ) {}

namespace {

bool is_stream(std::string_view path) { return path.starts_with("/api/v1/streaming"); }

// An attachment's page is a number, and its player the number and a word; no media file has such a name.
bool names_attachment(std::string_view rest) {
    auto number = rest.substr(0, rest.find('/'));
    if (number.empty() || number.find_first_not_of("0123456789") != number.npos) return false;
    return rest == number || rest.substr(number.size()) == "/player";
}

// Where an authority requests a proof (RFC 8555, section 8.3).
constexpr std::string_view proofs = "/.well-known/acme-challenge/";

http::Response of_others() { return http::failure(421, "This server has other work"); }

}  // namespace

bool RootHandler::does(std::string_view path) const { return is_stream(path) ? streaming_ : web_; }

// Exempt are local addresses: a proxy that does not report the original scheme, and operators on the machine.
std::optional<http::Response> RootHandler::better_way(const http::Request& request) const {
    if (secure_url_.empty() || request.secure || !request.target.starts_with('/')) return std::nullopt;
    const auto address = net::Address::parse(request.remote_address);
    if (!address || near_.contains(*address)) return std::nullopt;
    auto response = text("", "text/plain; charset=utf-8");
    response.status = 308;
    response.headers.emplace_back("Location", secure_url_ + request.target);
    return response;
}

// The paths served here take no bodies.
void RootHandler::admit(http::Request head, http::PendingAdmission decision) {
    if (auto away = better_way(head)) return decision.refuse(*std::move(away));
    if (!does(head.path())) return decision.refuse(of_others());
    parts_.routes.admit(std::move(head), std::move(decision));
}

// Pages allow pictures only from here, and browsers block redirects to other origins, so the media origin is
// added to the policy.
http::Pending RootHandler::may_show_media(http::Pending reply) const {
    if (media_origin_.empty()) return reply;
    auto inner = std::make_shared<http::Pending>(std::move(reply));
    return http::Pending([inner, origin = " " + media_origin_](http::Response response) {
        for (auto& [name, value] : response.headers) {
            if (name != "Content-Security-Policy") continue;
            for (std::string_view source : {"img-src 'self'", "media-src 'self'"})
                if (auto at = value.find(source); at != std::string::npos)
                    value.insert(at + source.size(), origin);
        }
        inner->answer(std::move(response));
    });
}

void RootHandler::serve(http::Request request, http::Pending reply) {
    auto path = request.path();
    if (path == "/health" || path == "/livez") return reply.answer(text("OK", "text/plain; charset=utf-8"));
    if (path == "/readyz") return parts_.ready(std::move(reply));
    if (path == path_of_arrival) return reply.answer(arrival(request));
    if (path == "/metrics") return serve_metrics(request, std::move(reply));
    if (auto token = path; take(token, proofs)) {
        auto proof = parts_.proof(std::string(token));
        return reply.answer(
            proof ? text(*std::move(proof), "application/octet-stream") : http::failure(404, "Not Found")
        );
    }
    if (auto away = better_way(request)) return reply.answer(*std::move(away));
    if (!does(path)) return reply.answer(of_others());
    if (take(path, "/static/")) return reply.answer(static_.answer(request, path));
    if (auto file = path; take(file, "/web/") && file.find('/') != file.npos)
        return reply.answer(client().file(request, file));
    if (auto file = media_.kept_from_before(path); file)
        return media_.serve(request, *file, std::move(reply));
    if (auto file = path;
        take(file, "/media/") && !names_attachment(file) && !MediaFiles::may_be_of_before(file))
        return media_.serve(request, file, std::move(reply));
    parts_.routes.serve(std::move(request), may_show_media(std::move(reply)));
}

// Called for every request, so it looks up routes only for streaming paths.
bool RootHandler::may_stay_open(const http::Request& request) const {
    return is_stream(request.path()) && parts_.routes.may_stay_open(request);
}

bool RootHandler::may_see_metrics(const http::Request& request) const {
    if (metrics_ != Metrics::local) return metrics_ == Metrics::all;
    auto address = net::Address::parse(request.remote_address);
    return address && near_.contains(*address);
}

void RootHandler::serve_metrics(const http::Request& request, http::Pending reply) {
    if (!may_see_metrics(request)) return reply.answer(http::failure(404, "Not Found"));
    auto waiting = std::make_shared<http::Pending>(std::move(reply));
    auto answer = [this, waiting](std::optional<Sample::Stored> known) {
        auto sample = parts_.sample();
        sample.stored = known;
        waiting->answer(text(parts_.meter.page(sample), "text/plain; version=0.0.4; charset=utf-8"));
    };
    auto look = [answer](db::Read& db) {
        std::optional<Sample::Stored> known;
        try {
            known = stored_figures(db);
            known->builds = builds(db);
        } catch (const std::exception& e) {
            base::log_error("metrics cannot be read from the database", {{"cause", e.what()}});
        }
        answer(known);
    };
    if (!parts_.engine.read(look)) answer(std::nullopt);
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/ask.hpp"
#include "http/errors.hpp"
#include "http/session_scheme.hpp"
#include "http/stream_route.hpp"
#include "social/oauth/cookies.hpp"
#include "social/streaming/join.hpp"

namespace streaming {
namespace {

// The streaming host.

std::string_view authority(std::string_view url) {
    auto at = url.find("://");
    return at == url.npos ? url : url.substr(at + 3);
}

// The streaming host, if there is one and this request did not use it.
std::optional<std::string> elsewhere(const base::Site& site, const http::Request& request) {
    auto there = authority(site.streaming_url);
    if (there == authority(site.public_url) || request.header("Host") == there) return std::nullopt;
    bool secure = site.streaming_url.starts_with("wss://");
    return (secure ? "https://" : "http://") + std::string(there) + request.target;
}

http::Opened redirect(std::string target) {
    http::Response response;
    response.status = 301;
    response.headers.emplace_back("Location", std::move(target));
    return {nullptr, std::move(response)};
}

// Authentication.

std::string_view first_protocol(const http::Request& request) {
    auto offered = request.header("Sec-WebSocket-Protocol");
    auto first = offered.substr(0, offered.find(','));
    while (first.ends_with(' ')) first.remove_suffix(1);
    return first;
}

std::string_view token_of(const http::Request& request, const std::optional<std::string>& in_query) {
    auto header = request.header("Authorization");
    if (header.size() > 7 && (header.starts_with("Bearer ") || header.starts_with("bearer ")))
        return header.substr(7);
    return in_query ? std::string_view(*in_query) : std::string_view{};
}

// A browser can send the proof of its session with a WebSocket only as a protocol.
oauth::Known known(db::Read& db, const http::Request& request, std::string_view token, bool as_protocol) {
    constexpr std::string_view of_session = "session.";
    if (http::offers_session(request)) return oauth::session_credentials(db, request);
    if (token.empty()) throw missing_token;
    if (as_protocol && token.starts_with(of_session))
        return oauth::socket_credentials(db, request, token.substr(of_session.size()));
    return oauth::look_up(db, token);
}

Join joined(const oauth::Known& known) {
    bool lets_in =
        known.state == http::TokenState::live && known.viewer && known.problem.empty() && !known.suspended;
    if (!lets_in) throw invalid_token;
    const auto& viewer = *known.viewer;
    return {
        viewer.account,
        viewer.user,
        viewer.token,
        viewer.app,
        viewer.permissions,
        http::to_string(known.holder.scopes),
        false
    };
}

// WebSockets.

struct SocketForm {
    std::optional<std::string> access_token, stream, tag, list;
};
DESCRIBE(SocketForm, access_token, stream, tag, list)

http::Response refused_handshake(const NoChannel& why) {
    http::Response response;
    response.status = why.status;
    response.headers.emplace_back("X-Error-Message", why.text);
    return response;
}

http::Response accepted_handshake(const http::Request& request) {
    http::Response response;
    response.status = 101;
    if (auto protocol = first_protocol(request); !protocol.empty())
        response.headers.emplace_back("Sec-WebSocket-Protocol", protocol);
    return response;
}

// Errors of the first stream are sent like those of any other: in a frame.
void begin(db::Read& db, Listener& listener, const Wish& wish) {
    try {
        const auto& who = listener.who;
        auto wanted = channel(wish, who.viewer.account, who.scopes, "Unknown stream type");
        if (wanted.list && !owns_list(db, who.viewer.account, wanted.list)) throw foreign_list;
        listener.subscribe(wanted);
    } catch (const NoChannel& no) {
        listener.send(error_frame(no.text, no.status));
    }
}

http::Opened open_socket(
    db::Read& db, const base::Ask& ask, const http::Request& request, const SocketForm& form
) {
    if (auto target = elsewhere(db.site(), request)) return redirect(*std::move(target));
    if (http::websocket_key(request).empty()) throw base::NotFound("Not Found");
    try {
        auto token = token_of(request, form.access_token);
        bool as_protocol = token.empty();
        auto who = joined(known(db, request, as_protocol ? first_protocol(request) : token, as_protocol));
        who.websocket = true;
        auto listener = ask(who);
        if (form.stream) begin(db, *listener, {*form.stream, form.tag, form.list});
        return {listener, accepted_handshake(request)};
    } catch (const NoChannel& no) {
        throw http::Refusal(refused_handshake(no));
    }
}

// Server-sent events.

struct EventsForm {
    std::optional<std::string> access_token, tag, list;
    bool only_media = false;
};
DESCRIBE(EventsForm, access_token, tag, list, only_media)

http::Response begun_events() {
    http::Response response;
    response.content_type = "text/event-stream";
    response.headers.emplace_back("X-Accel-Buffering", "no");  // proxies must not gather events
    response.body = ":)\n";
    return response;
}

http::Opened open_events(
    db::Read& db, const base::Ask& ask, const http::Request& request, const EventsForm& form,
    std::string_view stream
) {
    try {
        auto target = elsewhere(db.site(), request);
        if (target && !db.site().restricted) return redirect(*std::move(target));
        auto who = joined(known(db, request, token_of(request, form.access_token), false));
        if (target) return redirect(*std::move(target));
        Wish wish{std::string(stream), form.tag, form.list};
        if (form.only_media && stream.starts_with("public")) wish.stream += ":media";
        auto scopes = http::parse_scopes(who.scopes).value_or(http::Scopes());
        auto wanted = channel(wish, who.account, scopes, "Unknown channel requested");
        if (wanted.list && !owns_list(db, who.account, wanted.list)) throw foreign_list;
        // Who asks for the head alone listens to nothing.
        if (request.method == http::Method::head) return {nullptr, begun_events()};
        auto listener = ask(who);
        listener->subscribe(wanted);
        return {listener, begun_events()};
    } catch (const NoChannel& no) {
        throw http::Refusal(http::failure(no.status, no.text));
    }
}

#define EVENTS(FUNCTION, STREAM)                                                                 \
    http::Opened FUNCTION(                                                                       \
        db::Read& db, const base::Ask& ask, const http::Request& request, const EventsForm& form \
    ) {                                                                                          \
        return open_events(db, ask, request, form, STREAM);                                      \
    }
EVENTS(user, "user")
EVENTS(user_notification, "user:notification")
EVENTS(everything, "public")
EVENTS(everything_local, "public:local")
EVENTS(everything_remote, "public:remote")
EVENTS(hashtag, "hashtag")
EVENTS(hashtag_local, "hashtag:local")
EVENTS(list, "list")
EVENTS(direct, "direct")
EVENTS(anything_else, "")
#undef EVENTS

http::Response health() {
    http::Response response;
    response.content_type = "text/plain; charset=utf-8";
    response.body = "OK";
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::stream<open_socket>       ("/api/v1/streaming",                   "read:statuses"),
    http::get<health>               ("/api/v1/streaming/health").always_open().answering("string"),
    http::stream<user>              ("/api/v1/streaming/user",              "read:statuses"),
    http::stream<user_notification> ("/api/v1/streaming/user/notification", "read:notifications"),
    http::stream<everything>        ("/api/v1/streaming/public",            "read:statuses"),
    http::stream<everything_local>  ("/api/v1/streaming/public/local",      "read:statuses"),
    http::stream<everything_remote> ("/api/v1/streaming/public/remote",     "read:statuses"),
    http::stream<hashtag>           ("/api/v1/streaming/hashtag",           "read:statuses"),
    http::stream<hashtag_local>     ("/api/v1/streaming/hashtag/local",     "read:statuses"),
    http::stream<list>              ("/api/v1/streaming/list",              "read:statuses"),
    http::stream<direct>            ("/api/v1/streaming/direct",            "read:statuses"),
    http::stream<anything_else>     ("/api/v1/streaming/:any",              ""),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace streaming

// SPDX-License-Identifier: AGPL-3.0-or-later
// An API endpoint, made from plain functions. A function's parameter types say what it needs and where it
// runs: db::Read& (a reader), db::Write& (the writer), Viewer (a logged-in user), std::optional<Viewer>
// (login is optional), TokenHolder (any token), const base::Ask& (slow external services; only with Read),
// http::Request (pages), a described form, and the result of the previous step.
//
//   http::get<show>          a reading function
//   http::post<act>          a change; responds with {} or what act returned
//   http::post<act, show>    a change, then the response is rendered from a fresh snapshot
//   http::post<prepare, act> and <prepare, act, show>   slow work without a lock comes first
//
// act may return an id: show gets it as the path parameter `id`.
#pragma once
#include "base/ask.hpp"
#include "base/json.hpp"
#include "db/session.hpp"
#include "http/document.hpp"
#include "http/form.hpp"
#include "http/message.hpp"
#include "http/page.hpp"
#include "http/viewer.hpp"

#include <any>
#include <concepts>

namespace http {

// Everything one request has gathered; functions receive parts of it by type.
struct Call {
    db::Read* read = nullptr;
    db::Write* write = nullptr;
    const base::Ask* ask = nullptr;
    const Request* request = nullptr;
    std::optional<Viewer> viewer;
    std::optional<TokenHolder> holder;
    Params params;
    std::any prepared, acted;
    bool created = true;  // false: act found an earlier request's result, which counts against no limit
};

// Returned by act if it may have found the result of an earlier request instead of creating something.
template <class Id>
struct Made {
    Id id;
    bool created = true;
};

// Described or raw results become JSON with status 200; this wrapper sets another status or more headers.
template <class T>
struct WithStatus {
    int status;
    T value;
    Headers headers = {};
};

enum class Auth { none, optional, token, user };
enum class Caching { never, if_anonymous, always };
// Separate limits in addition to the general ones (limits.tsv, rate.*).
enum class Throttle {
    none,
    media,
    sign_up,
    sign_up_form,
    app_registration,
    deletion,
    login,
    password_reset,
    confirmation,
    statuses_family,
    follows_family,
    reports_family,
};
constexpr bool is_family(Throttle t) {
    return t == Throttle::statuses_family || t == Throttle::follows_family || t == Throttle::reports_family;
}

struct Route {
    Method method;
    std::string_view path;
    std::string_view scope;
    Auth auth = Auth::none;
    Caching caching = Caching::never;
    Throttle throttle = Throttle::none;
    std::string_view throttled_by;
    std::uint64_t body_bytes = 1 << 20;
    void (*screen)(const Request& head) = nullptr;  // throws if the head shows that the body is not needed
    bool (*known_sender)(db::Read&, const Request& head) =
        nullptr;            // identifies the sender of a page's form with files or much text
    bool raw_body = false;  // the body is not a form: it stays unparsed in Request::body, whatever its size
    std::int64_t deprecated_since = 0;  // seconds since 1970, for a header; 0: not deprecated
    bool (*together)(const std::any& prepared) = nullptr;
    bool usable_by_unconfirmed = false;
    bool open_when_restricted =
        false;  // available to anonymous callers even when unauthenticated access is disabled
    std::any (*prepare)(const Call&) = nullptr;
    void (*act)(Call&) = nullptr;
    Response (*show)(const Call&) = nullptr;
    bool shows_acted = false;  // `show` needs no session: it returns the result of act
    void (*document)(Documented&) = nullptr;
    std::string_view answers;  // the entity, if the functions' types do not determine it: "Status[]"
    const char* name = "";     // for logs and metrics

    // Written out as copies, because clang 19 does not evaluate a member template here.
    constexpr Route cached(Caching c) const {
        Route r = *this;
        r.caching = c;
        return r;
    }
    // `by` names a parameter whose values are counted too: attempts on one name from many addresses.
    constexpr Route throttled(Throttle t, std::string_view by = {}) const {
        Route r = *this;
        r.throttle = t;
        r.throttled_by = by;
        return r;
    }
    constexpr Route body_limit(std::uint64_t n) const {
        Route r = *this;
        r.body_bytes = n;
        return r;
    }
    // A page's form with files or much text. `known` identifies the sender by the head, as such forms carry
    // no token; files are stored only for known senders.
    constexpr Route files_of(bool (*known)(db::Read&, const Request& head)) const {
        Route r = *this;
        r.known_sender = known;
        return r;
    }
    constexpr Route raw() const {
        Route r = *this;
        r.raw_body = true;
        return r;
    }
    constexpr Route screened(void (*f)(const Request& head)) const {
        Route r = *this;
        r.screen = f;
        return r;
    }
    // For very frequent requests: if `may` agrees, given the prepared value, the change uses
    // db::Engine::write_together.
    constexpr Route written_together(bool (*may)(const std::any& prepared)) const {
        Route r = *this;
        r.together = may;
        return r;
    }
    constexpr Route answering(std::string_view entity) const {
        Route r = *this;
        r.answers = entity;
        return r;
    }
    constexpr Route deprecated(std::int64_t since) const {
        Route r = *this;
        r.deprecated_since = since;
        return r;
    }
    constexpr Route for_unconfirmed() const {
        Route r = *this;
        r.usable_by_unconfirmed = true;
        return r;
    }
    constexpr Route always_open() const {
        Route r = *this;
        r.open_when_restricted = true;
        return r;
    }
};

namespace detail {

template <class T, class Prepared, class Acted>
decltype(auto) argument(const Call& call) {
    if constexpr (std::same_as<T, db::Read>) return *call.read;
    else if constexpr (std::same_as<T, db::Write>) return *call.write;
    else if constexpr (std::same_as<T, base::Ask>) return *call.ask;
    else if constexpr (std::same_as<T, Request>) return *call.request;
    else if constexpr (std::same_as<T, Viewer>) return *call.viewer;
    else if constexpr (std::same_as<T, std::optional<Viewer>>) return (call.viewer);
    else if constexpr (std::same_as<T, TokenHolder>) return *call.holder;
    else if constexpr (std::same_as<T, Prepared>) return *std::any_cast<Prepared>(&call.prepared);
    else if constexpr (std::same_as<T, Acted>) return *std::any_cast<Acted>(&call.acted);
    else if constexpr (base::Described<T>) return read_form<T>(call.params);
    else
        static_assert(
            db::no_rule<T>,
            "an endpoint takes a session, a viewer, Ask, a request, a described form and what was prepared "
            "or done"
        );
}

template <class F>
struct function;
template <class R, class... A>
struct function<R (*)(A...)> {
    using result = R;
    template <class T>
    static constexpr bool takes = (std::same_as<std::remove_cvref_t<A>, T> || ...);
    template <class Prepared, class Acted>
    static R call(R (*f)(A...), const Call& c) {
        return f(argument<std::remove_cvref_t<A>, Prepared, Acted>(c)...);
    }
};
template <auto F>
using f = function<decltype(F)>;
template <auto F>
concept Writes = f<F>::template takes<db::Write>;
template <auto F>
concept Reads = !Writes<F>;
template <auto F>
concept NoAskInWrite = !(f<F>::template takes<db::Write> && f<F>::template takes<base::Ask>);

template <class>
constexpr bool is_made = false;
template <class Id>
constexpr bool is_made<Made<Id>> = true;

template <class T>
Response reply(const T& value) {
    Response response;
    base::json::write(response.body, value);
    return response;
}
inline Response reply(Response response) { return response; }
inline Response reply(base::json::Raw raw) {
    Response response;
    response.body = std::move(raw.text);
    return response;
}
template <class T>
Response reply(const WithStatus<T>& value) {
    Response response = reply(value.value);
    response.status = value.status;
    response.headers = value.headers;
    return response;
}

void add_link(Response&, const Call&, const base::Cursors&);  // dispatch.cpp

template <auto F, class Prepared, class Acted>
Response show(const Call& call) {
    using R = typename f<F>::result;
    if constexpr (std::is_void_v<R>) {
        f<F>::template call<Prepared, Acted>(F, call);
        Response response;
        response.body = "{}";
        return response;
    } else {
        auto value = f<F>::template call<Prepared, Acted>(F, call);
        if constexpr (requires {
                          value.items;
                          value.cursors;
                      }) {
            auto response = reply(value.items);
            add_link(response, call, value.cursors);
            return response;
        } else if constexpr (std::same_as<R, RawPage>) {
            auto response = reply(base::json::Raw{std::move(value.body)});
            add_link(response, call, value.cursors);
            return response;
        } else {
            return reply(std::move(value));
        }
    }
}

template <auto F>
std::any prepare(const Call& call) {
    if constexpr (std::is_void_v<typename f<F>::result>)
        return f<F>::template call<void, void>(F, call), std::any{};
    else return f<F>::template call<void, void>(F, call);
}

template <auto F, class Prepared>
void act(Call& call) {
    using R = typename f<F>::result;
    if constexpr (std::is_void_v<R>) {
        f<F>::template call<Prepared, void>(F, call);
    } else {
        auto result = f<F>::template call<Prepared, void>(F, call);
        if constexpr (is_made<R>) {
            call.created = result.created;
            call.params.set("id", std::to_string(result.id.value));
        } else if constexpr (base::is_id<R>) {
            call.params.set("id", std::to_string(result.value));
        } else {
            call.acted = std::move(result);
        }
    }
}

// The response of a route without `show`: {} or what act returned.
template <class Acted>
Response show_acted(const Call& call) {
    if constexpr (std::is_void_v<Acted> || base::is_id<Acted> || is_made<Acted>) {
        Response response;
        response.body = "{}";
        return response;
    } else {
        return reply(*std::any_cast<Acted>(&call.acted));
    }
}

template <auto... F>
struct steps;
template <auto S>
    requires Reads<S>
struct steps<S> {
    static constexpr void set(Route& r) { r.show = &show<S, void, void>; }
};
template <auto A>
    requires Writes<A>
struct steps<A> {
    static constexpr void set(Route& r) {
        r.act = &act<A, void>;
        r.show = &show_acted<typename f<A>::result>;
        r.shows_acted = true;
    }
};
template <auto A, auto S>
    requires(Writes<A> && Reads<S>)
struct steps<A, S> {
    static constexpr void set(Route& r) {
        r.act = &act<A, void>;
        r.show = &show<S, void, typename f<A>::result>;
    }
};
template <auto P, auto A>
    requires(Reads<P> && Writes<A>)
struct steps<P, A> {
    static constexpr void set(Route& r) {
        r.prepare = &prepare<P>;
        r.act = &act<A, typename f<P>::result>;
        r.show = &show_acted<typename f<A>::result>;
        r.shows_acted = true;
    }
};
template <auto P, auto A, auto S>
    requires(Reads<P> && Writes<A> && Reads<S>)
struct steps<P, A, S> {
    static constexpr void set(Route& r) {
        r.prepare = &prepare<P>;
        r.act = &act<A, typename f<P>::result>;
        r.show = &show<S, typename f<P>::result, typename f<A>::result>;
    }
};

// A described argument is a form unless another step returned it.
template <class T, class... Made>
void document_argument(Documented& out) {
    if constexpr (base::Described<T> && !(std::same_as<T, Made> || ...)) document::add_form<T>(out);
}

template <class>
struct documented;
template <class R, class... A>
struct documented<R (*)(A...)> {
    template <class... Made>
    static void arguments(Documented& out) {
        (document_argument<std::remove_cvref_t<A>, Made...>(out), ...);
    }
};

template <class Answer>
void document_answer(Documented& out) {
    if constexpr (base::is_id<Answer> || is_made<Answer>)
        out.answer = document::answer_schema<void>(out.components);
    else out.answer = document::answer_schema<Answer>(out.components);
}

template <auto... F>
void document(Documented& out) {
    (documented<decltype(F)>::template arguments<typename f<F>::result...>(out), ...);
    using Last = boost::mp11::mp_back<boost::mp11::mp_list<typename f<F>::result...>>;
    document_answer<Last>(out);
}

template <auto... F>
constexpr Route route(Method method, std::string_view path, std::string_view scope) {
    static_assert((NoAskInWrite<F> && ...), "a function that takes Ask may not take db::Write");
    Route r{};
    r.method = method;
    r.path = path;
    r.scope = scope;
    if ((f<F>::template takes<Viewer> || ...)) r.auth = Auth::user;
    else if ((f<F>::template takes<TokenHolder> || ...)) r.auth = Auth::token;
    else if ((f<F>::template takes<std::optional<Viewer>> || ...)) r.auth = Auth::optional;
    steps<F...>::set(r);
    r.document = &document<F...>;
    return r;
}

}  // namespace detail

template <auto... F>
constexpr Route get(std::string_view path, std::string_view scope = {}) {
    return detail::route<F...>(Method::get, path, scope);
}
template <auto... F>
constexpr Route post(std::string_view path, std::string_view scope = {}) {
    return detail::route<F...>(Method::post, path, scope);
}
template <auto... F>
constexpr Route put(std::string_view path, std::string_view scope = {}) {
    return detail::route<F...>(Method::put, path, scope);
}
template <auto... F>
constexpr Route patch(std::string_view path, std::string_view scope = {}) {
    return detail::route<F...>(Method::patch, path, scope);
}
template <auto... F>
constexpr Route del(std::string_view path, std::string_view scope = {}) {
    return detail::route<F...>(Method::delete_, path, scope);
}

}  // namespace http

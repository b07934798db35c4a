// SPDX-License-Identifier: AGPL-3.0-or-later
// A line of the API whose answer stays open.
#pragma once
#include "http/route.hpp"
#include "http/stream.hpp"

namespace http {

// What a function answers that opens a stream: `answer` is the head, 101 for a WebSocket. Whoever asks for the head only
// gets that.
struct Opened {
    std::shared_ptr<Stream> stream;
    Response answer;
};

namespace detail {

Response opened_answer(const Call&);

template <auto Open>
void document_stream(Documented& out) {
    documented<decltype(Open)>::template arguments<>(out);
    out.answer = R"({"type":"string","description":"A WebSocket, or text/event-stream"})";
}

}  // namespace detail

// http::stream<open>, where `open` takes what a reading function takes and answers Opened. It finds out by itself who
// asks, for a browser may say so in none but the ways of WebSockets.
template <auto Open>
constexpr Route stream(std::string_view path, std::string_view scope) {
    static_assert(detail::Reads<Open>);
    Route r{};
    r.method = Method::get;
    r.path = path;
    r.scope = scope;
    r.open_when_restricted = true;
    r.prepare = &detail::prepare<Open>;
    r.show = &detail::opened_answer;
    r.document = &detail::document_stream<Open>;
    return r;
}

bool opens_stream(const Route&);

}  // namespace http

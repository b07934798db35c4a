// SPDX-License-Identifier: AGPL-3.0-or-later
// An API route whose response stays open.
#pragma once
#include "http/route.hpp"
#include "http/stream.hpp"

namespace http {

// Returned by a function that opens a stream: `answer` is the head, with status 101 for a WebSocket. A HEAD
// request gets only that.
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

// http::stream<open>, where `open` takes the same arguments as a reading function and returns Opened. It
// authenticates the caller itself, because browsers can pass credentials to a WebSocket only in special ways.
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

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/web/own_api.hpp"

#include "http/body/read_params.hpp"
#include "http/body/urlencoded.hpp"
#include "http/router.hpp"
#include "http/stream_route.hpp"
#include "server/tables.hpp"

#include <charconv>

namespace server {

namespace {

const http::Router& api() {
    static const http::Router router = [] {
        http::Router all;
        for (auto slice : routes()) all.add(slice);
        return all;
    }();
    return router;
}

}  // namespace

OwnCall::OwnCall(
    const oauth::Known& who, http::Method method, std::string target, http::Params more, http::Headers headers
) {
    http::Request request;
    request.method = method;
    request.target = std::move(target);
    request.headers = std::move(headers);
    request_ = std::make_shared<const http::Request>(std::move(request));
    auto match = api().find(method, request_->path());
    if (!match.route || !request_->path().starts_with("/api/") || opens_stream(*match.route))
        throw base::NotFound();
    if (match.accepted_scopes.any() && (match.accepted_scopes & who.holder.scopes).none())
        throw base::Forbidden();
    route_ = match.route;
    call_.request = request_.get();
    call_.viewer = who.viewer;
    call_.holder = who.holder;
    call_.params = std::move(more);
    call_.params.merge(http::read_query(*request_));
    for (auto [name, value] : match.parameters)
        call_.params.set(std::string(name), http::percent_decoded(value));
}

void OwnCall::prepare(db::Read& db, const base::Ask& ask) {
    call_.read = &db;
    call_.ask = &ask;
    if (route_->prepare) call_.prepared = route_->prepare(call_);
}

void OwnCall::act(db::Write& db) {
    call_.write = &db;
    call_.created = true;
    route_->act(call_);
}

http::Response OwnCall::show(db::Read& db, const base::Ask& ask) {
    call_.read = &db;
    call_.ask = &ask;
    return route_->show(call_);
}

std::int64_t OwnCall::id() const {
    std::int64_t out = 0;
    if (const auto* text = call_.params.find("id"))
        std::from_chars(text->data(), text->data() + text->size(), out);
    return out;
}

http::Response own_answer(
    db::Read& db, const base::Ask& ask, const oauth::Known& who, const std::string& target
) {
    OwnCall call(who, http::Method::get, target);
    call.prepare(db, ask);
    return call.show(db, ask);
}

}  // namespace server

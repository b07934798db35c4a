// SPDX-License-Identifier: AGPL-3.0-or-later
// The streams of a World: listeners use the real route.
#pragma once
#include "http/application.hpp"
#include "http/stream.hpp"
#include "social/streaming/hub.hpp"
#include "world.hpp"

struct Streams {
    std::shared_ptr<streaming::Hub> hub;
    std::function<http::Admission(http::Request)> admit;
    std::function<void(const std::function<void(db::Write&)>&)>
        change;  // as World::write, but streams are notified
};
Streams& streams_of(const World&);

// A client with an open stream.
class Ear {
public:
    // `query` as in "stream=user".
    Ear(World&, const Person&, const std::string& query = {});
    ~Ear();

    // Requests server-sent events.
    struct Events {
        std::string path;
    };
    Ear(World&, const Person&, const Events&);

    // What arrived since the last call: "update 12, delete 12"; with the id in the payload, if there is one.
    std::string heard();
    std::vector<std::string> raw();  // frames and chunks as sent
    std::optional<http::Close> closed() const;

    void say(const std::string& text);
    void listen(const std::string& stream, const Fields& more = {}) { order("subscribe", stream, more); }
    void leave(const std::string& stream, const Fields& more = {}) { order("unsubscribe", stream, more); }
    void hang_up();

private:
    struct Outlet;
    void order(const std::string& type, const std::string& stream, const Fields& more);
    void open(World&, const Person&, const std::string& target, http::Headers);

    std::shared_ptr<http::Stream> stream_;
    std::shared_ptr<Outlet> outlet_;
};

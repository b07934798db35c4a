// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/listener.hpp"

#include "social/streaming/hub.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace streaming {

bool Allowance::spend(std::chrono::steady_clock::time_point now) {
    const std::chrono::duration<double> passed = now - counted_;
    left_ = std::min(most, left_ + passed.count() * per_second);
    counted_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
}

Listener::Listener(std::weak_ptr<Hub> hub, Subscriber subscriber, bool as_websocket)
    : who(std::move(subscriber)), websocket(as_websocket), hub_(std::move(hub)) {}

Listener::~Listener() {
    if (auto hub = hub_.lock()) hub->leave(*this);
}

void Listener::opened(std::shared_ptr<http::Outlet> outlet) {
    base::Hold hold(lock_);
    outlet_ = std::move(outlet);
    for (auto& message : std::exchange(early_, {})) outlet_->send(std::move(message));
    if (ended_) outlet_->close(*ended_);
}

void Listener::closed() {
    if (auto hub = hub_.lock()) hub->leave(*this);
    base::Hold hold(lock_);
    outlet_ = nullptr;
    ended_ = http::Close::going_away;
}

void Listener::send(http::Bytes message) {
    constexpr std::size_t most_early = 64;
    base::Hold hold(lock_);
    if (outlet_) outlet_->send(std::move(message));
    else if (!ended_ && early_.size() < most_early) early_.push_back(std::move(message));
}

void Listener::close(http::Close why) {
    base::Hold hold(lock_);
    if (outlet_) outlet_->close(why);
    ended_ = why;
}

void Listener::tell(Message& message, const std::string& label) {
    send(websocket ? message.frame(label) : message.part());
}

void Listener::subscribe(const Channel& channel) {
    auto hub = hub_.lock();
    if (hub && !hub->seat(shared_from_this(), channel)) send(error_frame("Too many subscriptions", 400));
}

namespace {

struct Command {
    enum class Type { none, subscribe, unsubscribe } type = Type::none;
    Wish wish;
};

std::string text_of(const boost::json::value& value) {
    if (value.is_string()) return std::string(value.get_string());
    if (value.is_int64()) return std::to_string(value.get_int64());
    return {};
}

// Text that cannot be parsed is ignored.
Command command(const std::string& text) {
    boost::system::error_code error;
    auto read = boost::json::parse(text, error);
    if (error || !read.is_object()) return {};
    const auto& object = read.get_object();
    auto member = [&](const char* name) {
        auto* value = object.if_contains(name);
        return value ? std::optional(text_of(*value)) : std::nullopt;
    };
    auto type = member("type");
    Command out;
    if (type == "subscribe") out.type = Command::Type::subscribe;
    if (type == "unsubscribe") out.type = Command::Type::unsubscribe;
    out.wish = {member("stream").value_or(""), member("tag"), member("list")};
    return out;
}

constexpr const char* unknown_stream = "Unknown stream type";

}  // namespace

void Listener::received(std::string_view text) {
    constexpr std::size_t most_waiting = 64;
    {
        base::Hold hold(lock_);
        bool allowed = allowance_.spend(std::chrono::steady_clock::now());
        if (!allowed || waiting_.size() >= most_waiting) {
            if (outlet_) outlet_->close(http::Close::policy);
            return;
        }
        waiting_.emplace_back(text);
        if (asking_) return;
    }
    obey_waiting();
}

// One after the other, in the order of arrival.
void Listener::obey_waiting() {
    for (;;) {
        std::string next;
        {
            base::Hold hold(lock_);
            if (waiting_.empty() || ended_) {
                asking_ = false;
                return;
            }
            asking_ = true;
            next = std::move(waiting_.front());
            waiting_.erase(waiting_.begin());
            if (waiting_.empty()) waiting_ = {};  // frees the memory
        }
        if (!obey(next)) return;
    }
}

bool Listener::obey(const std::string& text) {
    auto [type, wish] = command(text);
    if (type == Command::Type::subscribe) return begin(wish);
    if (type == Command::Type::unsubscribe) end(wish);
    return true;
}

bool Listener::begin(const Wish& wish) {
    try {
        auto wanted = channel(wish, who.viewer.account, who.scopes, unknown_stream);
        auto hub = hub_.lock();
        if (!hub) return true;
        if (wanted.kind != Kind::list) {
            subscribe(wanted);
            return true;
        }
        auto find_out = [self = shared_from_this(), wanted](db::Read& db) {
            self->settle(wanted, owns_list(db, self->who.viewer.account, wanted.list));
        };
        if (hub->read(find_out)) return false;
        send(error_frame("There was a temporary problem serving your request, please try again", 503));
    } catch (const NoChannel& no) {
        send(error_frame(no.text, no.status));
    }
    return true;
}

void Listener::settle(const Channel& wanted, bool mine) {
    if (mine) subscribe(wanted);
    else send(error_frame(foreign_list.text, foreign_list.status));
    obey_waiting();
}

void Listener::end(const Wish& wish) {
    try {
        auto meant = channel(wish, who.viewer.account, who.scopes, unknown_stream);
        if (auto hub = hub_.lock()) hub->unseat(*this, meant);
    } catch (const NoChannel&) {
        send(error_frame("Error unsubscribing from channel", 0));
    }
}

}  // namespace streaming

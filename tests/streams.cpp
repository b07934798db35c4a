// SPDX-License-Identifier: AGPL-3.0-or-later
#include "streams.hpp"

#include "base/json.hpp"
#include "social/streaming/join.hpp"
#include "streams_stage.hpp"

#include <boost/json/parse.hpp>
#include <map>

namespace {

std::map<const World*, Streams>& all_streams() {
    static std::map<const World*, Streams> all;
    return all;
}

}  // namespace

Streams& streams_of(const World& world) { return all_streams().at(&world); }

void close_streams(const World& world) { all_streams().erase(&world); }

void open_streams(
    const World& world, stage::AtOnce& engine, base::ExternalServices& services,
    std::function<http::Dispatch&()> dispatch
) {
    auto hub =
        std::make_shared<streaming::Hub>([&](auto job) { return engine.read(std::move(job), db::newest); });
    streaming::answer_joining(services, hub);
    engine.announced = [hub](std::vector<db::Announcement> news) { hub->announced(std::move(news)); };
    auto admit = [dispatch](http::Request request) {
        std::optional<http::Admission> said;
        auto decide = [&](http::Admission admission) { said = std::move(admission); };
        dispatch().admit(std::move(request), http::PendingAdmission(decide));
        return said.value();
    };
    all_streams()[&world] = {hub, admit, [&engine](const auto& f) { engine.change(f); }};
}

struct Ear::Outlet : http::Outlet {
    void send(http::Bytes message) override { messages.push_back(*message); }
    void close(http::Close why) override {
        if (!ended) ended = why;
    }
    std::vector<std::string> messages;
    std::optional<http::Close> ended;
};

void Ear::open(World& w, const Person& person, const std::string& target, http::Headers headers) {
    http::Request request;
    request.target = target;
    request.headers = std::move(headers);
    request.headers.emplace_back("Authorization", "Bearer " + person.token);
    request.remote_address = "192.0.2.1";
    auto said = streams_of(w).admit(std::move(request));
    outlet_ = std::make_shared<Outlet>();
    stream_ = std::move(said.stream);
    if (!stream_) ADD_FAILURE() << target << ": " << (said.refusal ? said.refusal->body : "not opened");
    else stream_->opened(outlet_);
}

Ear::Ear(World& w, const Person& person, const std::string& query) {
    open(
        w,
        person,
        "/api/v1/streaming" + (query.empty() ? "" : "?" + query),
        {{"Upgrade", "websocket"},
         {"Connection", "keep-alive, Upgrade"},
         {"Sec-WebSocket-Version", "13"},
         {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}}
    );
}

Ear::Ear(World& w, const Person& person, const Events& events) {
    open(w, person, "/api/v1/streaming/" + events.path, {});
}

Ear::~Ear() { hang_up(); }

void Ear::hang_up() {
    if (stream_) stream_->closed();
    stream_ = nullptr;
}

std::vector<std::string> Ear::raw() { return std::exchange(outlet_->messages, {}); }
std::optional<http::Close> Ear::closed() const { return outlet_->ended; }

void Ear::say(const std::string& text) { stream_->received(text); }

void Ear::order(const std::string& type, const std::string& stream, const Fields& more) {
    boost::json::object text{{"type", type}, {"stream", stream}};
    for (const auto& [name, value] : more) text[name] = value;
    say(boost::json::serialize(text));
}

namespace {

std::string brief(const std::string& event, const std::string& payload) {
    auto read = payload.starts_with('{') ? boost::json::parse(payload) : boost::json::value();
    auto* id = read.is_object() ? read.as_object().if_contains("id") : nullptr;
    if (id && id->is_string()) return event + " " + std::string(id->as_string());
    return payload.empty() || payload.starts_with('{') ? event : event + " " + payload;
}

std::string brief(const std::string& message) {
    if (message.starts_with("event: ")) {
        auto end = message.find('\n');
        return brief(message.substr(7, end - 7), message.substr(end + 7, message.size() - end - 9));
    }
    auto frame = boost::json::parse(message).as_object();
    if (auto* error = frame.if_contains("error")) return "error: " + std::string(error->as_string());
    return brief(
        std::string(frame["event"].as_string()),
        frame.contains("payload") ? std::string(frame["payload"].as_string()) : ""
    );
}

}  // namespace

std::string Ear::heard() {
    std::string all;
    for (const auto& message : raw()) all += (all.empty() ? "" : ", ") + brief(message);
    return all;
}

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/client/valkey_broadcast.hpp"

#include "base/log.hpp"
#include "net/asio.hpp"

#include <hiredis/hiredis.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace net {

namespace {

namespace ssl = asio::ssl;
using namespace asio::experimental::awaitable_operators;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds, std::chrono::seconds;

constexpr milliseconds shortest_pause{100}, longest_pause{10'000};
constexpr seconds setting_up{5}, longest_silence{15};
constexpr std::size_t most_waiting = 4096;

struct Free {
    void operator()(redisReader* reader) const { redisReaderFree(reader); }
    void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Reply = std::unique_ptr<redisReply, Free>;

std::string_view text_of(const redisReply* reply) {
    return {reply->str, static_cast<std::size_t>(reply->len)};
}

void append(std::string& out, std::initializer_list<std::string_view> words) {
    out += "*" + std::to_string(words.size()) + "\r\n";
    for (auto word : words) {
        out += "$" + std::to_string(word.size()) + "\r\n";
        out += word;
        out += "\r\n";
    }
}

// A connection, encrypted or not.
struct Link {
    Link(asio::io_context& io, ssl::context& context, bool its_tls) : stream(io, context), tls(its_tls) {}

    Task write(const std::string& text) {
        if (tls) co_await asio::async_write(stream, asio::buffer(text), awaited);
        else co_await asio::async_write(stream.next_layer(), asio::buffer(text), awaited);
    }
    asio::awaitable<std::size_t, Executor> read_some() {
        if (tls) co_return co_await stream.async_read_some(asio::buffer(bytes), awaited);
        co_return co_await stream.next_layer().async_read_some(asio::buffer(bytes), awaited);
    }
    asio::awaitable<Reply, Executor> read() {
        for (;;) {
            void* reply = nullptr;
            if (redisReaderGetReply(reader.get(), &reply) != REDIS_OK)
                throw std::runtime_error(reader->errstr);
            if (reply) {
                Reply found(static_cast<redisReply*>(reply));
                if (found->type == REDIS_REPLY_ERROR)
                    throw std::runtime_error(std::string(text_of(found.get())));
                co_return found;
            }
            const auto got = co_await read_some();
            redisReaderFeed(reader.get(), bytes, got);
        }
    }

    ssl::stream<Socket> stream;
    const bool tls;
    std::unique_ptr<redisReader, Free> reader{redisReaderCreate()};
    char bytes[16 << 10];
};

}  // namespace

struct ValkeyBroadcast::Impl {
    explicit Impl(ValkeyOptions its_options) : options(std::move(its_options)) {}

    Task live();
    Task session();
    Task open(Link&);
    Task begin(Link& hearing, Link& speaking);
    Task hear(Link&);
    Task speak(Link&);
    // Ends the session when nothing has arrived for too long.
    Task watch();

    const ValkeyOptions options;
    Ears ears;
    std::atomic<bool> connected = false;
    std::mutex mutex;
    std::vector<std::string> texts;  // to be sent
    std::string why;                 // why the session ended; empty while it runs
    bool begun = false, told = false;
    Clock::time_point heard_at;
    std::thread thread;
    asio::io_context io{1};
    Timer bell{io}, pause{io};
};

namespace {

// Runs a branch of the session; its exception becomes the reason why all of them end.
Task guarded(Task task, std::string& why) {
    try {
        co_await std::move(task);
    } catch (const boost::system::system_error& e) {
        if (why.empty()) why = e.code().message();
    } catch (const std::exception& e) {
        if (why.empty()) why = e.what();
    }
}

}  // namespace

Task ValkeyBroadcast::Impl::open(Link& link) {
    asio::ip::basic_resolver<asio::ip::tcp, Executor> resolver(io);
    const auto places = co_await resolver.async_resolve(options.host, std::to_string(options.port), awaited);
    co_await asio::async_connect(link.stream.next_layer(), places, awaited);
    link.stream.next_layer().set_option(asio::ip::tcp::no_delay(true));
    if (link.tls) {
        SSL_set_tlsext_host_name(link.stream.native_handle(), options.host.c_str());
        link.stream.set_verify_callback(ssl::host_name_verification(options.host));
        co_await link.stream.async_handshake(ssl::stream_base::client, awaited);
    }
    if (options.password.empty()) co_return;
    std::string command;
    if (options.user.empty()) append(command, {"AUTH", options.password});
    else append(command, {"AUTH", options.user, options.password});
    co_await link.write(command);
    co_await link.read();
}

Task ValkeyBroadcast::Impl::begin(Link& hearing, Link& speaking) {
    co_await open(hearing);
    co_await open(speaking);
    std::string command;
    append(command, {"SUBSCRIBE", options.channel});
    co_await hearing.write(command);
    co_await hearing.read();
    begun = true;
}

Task ValkeyBroadcast::Impl::hear(Link& link) {
    for (;;) {
        const auto reply = co_await link.read();
        heard_at = Clock::now();
        // ["message", channel, text]
        if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 3 &&
            reply->element[2]->type == REDIS_REPLY_STRING)
            ears.heard(text_of(reply->element[2]));
    }
}

Task ValkeyBroadcast::Impl::speak(Link& link) {
    for (;;) {
        std::vector<std::string> mine;
        {
            std::lock_guard lock(mutex);
            mine.swap(texts);
        }
        if (mine.empty()) {
            bell.expires_after(seconds(60));
            ErrorCode rung;
            co_await bell.async_wait(into(rung));
            continue;
        }
        std::string commands;
        for (const auto& text : mine) append(commands, {"PUBLISH", options.channel, text});
        co_await link.write(commands);
        for (std::size_t i = 0; i < mine.size(); ++i) co_await link.read();
    }
}

// The nodes speak every few seconds (server/nodes/nodes.cpp) and hear themselves.
Task ValkeyBroadcast::Impl::watch() {
    Timer timer(io);
    while (Clock::now() - heard_at < longest_silence) {
        timer.expires_after(seconds(1));
        co_await timer.async_wait(awaited);
    }
    throw std::runtime_error("the server does not answer");
}

Task ValkeyBroadcast::Impl::session() {
    ssl::context context(ssl::context::tls_client);
    context.set_default_verify_paths();
    if (!options.extra_ca_file.empty()) context.load_verify_file(options.extra_ca_file);
    context.set_verify_mode(ssl::verify_peer);
    Link hearing(io, context, options.tls), speaking(io, context, options.tls);
    heard_at = Clock::now() - longest_silence + setting_up;
    begun = false;
    co_await (guarded(begin(hearing, speaking), why) || guarded(watch(), why));
    if (!begun) co_return;
    why.clear();
    heard_at = Clock::now();
    connected = true;
    if (std::exchange(told, false)) base::log_info("other nodes are heard again");
    ears.joined();
    co_await (guarded(hear(hearing), why) || guarded(speak(speaking), why) || guarded(watch(), why));
}

Task ValkeyBroadcast::Impl::live() {
    for (auto wait = shortest_pause;; wait = std::min(2 * wait, longest_pause)) {
        why.clear();
        co_await guarded(session(), why);
        if (connected.exchange(false)) wait = shortest_pause;
        {
            std::lock_guard lock(mutex);
            texts.clear();
        }
        if (!std::exchange(told, true)) base::log_warning("other nodes are not heard", {{"cause", why}});
        pause.expires_after(wait);
        co_await pause.async_wait(awaited);
    }
}

ValkeyBroadcast::ValkeyBroadcast(ValkeyOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

ValkeyBroadcast::~ValkeyBroadcast() { stop(); }

void ValkeyBroadcast::start(Ears ears) {
    impl_->ears = std::move(ears);
    asio::co_spawn(impl_->io.get_executor(), impl_->live(), asio::detached);
    impl_->thread = std::thread([this] { impl_->io.run(); });
}

void ValkeyBroadcast::stop() {
    impl_->io.stop();
    if (impl_->thread.joinable()) impl_->thread.join();
    impl_->connected = false;
}

void ValkeyBroadcast::say(std::string text) {
    {
        std::lock_guard lock(impl_->mutex);
        if (!impl_->connected || impl_->texts.size() >= most_waiting) return;
        impl_->texts.push_back(std::move(text));
        if (impl_->texts.size() > 1) return;
    }
    asio::post(impl_->io, [impl = impl_.get()] { impl->bell.cancel(); });
}

bool ValkeyBroadcast::connected() const { return impl_->connected; }

}  // namespace net

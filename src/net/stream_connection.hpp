// SPDX-License-Identifier: AGPL-3.0-or-later
// The coroutine of a connection, over a plain or an encrypted stream. A response is first sent without
// waiting for the socket to be writable; only the rest is awaited.
#pragma once
#include <sys/sendfile.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "net/connection.hpp"
#include "net/streams/open_stream_over.hpp"

namespace net {

template <class Stream>
class StreamConnection final : public Connection {
public:
    static constexpr bool encrypted = !std::is_same_v<Stream, Socket>;

    StreamConnection(std::shared_ptr<Worker> worker, Peer peer, Stream stream)
        : Connection(std::move(worker), std::move(peer), encrypted), stream_(std::move(stream)) {}

    Task run(std::shared_ptr<Connection> self);

private:
    using Waiting = typename asio::async_result<Awaited, void()>::handler_type;
    using Buffers = std::array<asio::const_buffer, 2>;

    void cancel() override {
        ErrorCode ignored;
        stream_.lowest_layer().cancel(ignored);
    }
    void close() override {
        ErrorCode ignored;
        stream_.lowest_layer().close(ignored);
    }
    bool has_unread() const override {
        ErrorCode gone;
        return stream_.lowest_layer().available(gone) > 0;
    }
    bool waits() const override { return waiting_.has_value(); }
    void resume() override {
        if (!waiting_) return;
        auto waiting = std::move(*waiting_);
        waiting_.reset();
        waiting();
    }

    void stay_open();
    Task handshake();
    Task read_some();
    Task wait_for_application();
    Task send_continue();
    bool send_at_once();
    Task send_rest();
    Task send_file();
    Task shut_down_politely();
    Task read_ahead_of_close();
    Buffers unsent() const;
    std::size_t text_size() const { return head_.size() + body_.size(); }

    Stream stream_;
    std::optional<Waiting> waiting_;
    std::size_t received_ = 0;
};

// While it waits, a connection keeps a buffer for a head, but none for a body.
constexpr std::size_t head_read = 4096;
constexpr std::size_t body_read = 64 << 10;
constexpr std::size_t encrypted_body_read = 16 << 10;

// The other connections of the thread get a turn after this much of a file.
constexpr std::size_t file_slice = 512 << 10;
constexpr std::size_t encrypted_slice = 64 << 10;

template <class Stream>
Task StreamConnection<Stream>::run(std::shared_ptr<Connection>) {
    if constexpr (encrypted) {
        co_await handshake();
        if (broken()) co_return;
    }
    for (;;) {
        take_requests();
        if (wants_continue_) {
            co_await send_continue();
            if (broken()) co_return;
        }
        if (exchanges_.empty() && !awaits_application()) {
            if (worker_->draining() && idle() && served() && !has_unread()) break;
            await_bytes();
            co_await read_some();
            worker_->clear_deadline(*this);
            if (!received(received_)) break;
            continue;
        }
        if (exchanges_.empty() || !exchanges_.front()->answered) {
            co_await wait_for_application();
            if (cut_off_) co_return;
            continue;
        }
        if (exchanges_.front()->stream) {
            stay_open();
            co_return;
        }
        prepare_answer();
        if (!send_at_once()) {
            if (!reserve_unread()) co_return;
            co_await send_rest();
        }
        finish_answer();
        if (broken()) co_return;
        if (last_) break;
    }
    co_await shut_down_politely();
}

template <class Stream>
void StreamConnection<Stream>::stay_open() {
    // A WebSocket client must not send anything before our response.
    if (!exchanges_.front()->websocket_key.empty() && unread_.size() > 0) return close();
    std::make_shared<OpenStreamOver<Stream>>(opening(), std::move(stream_))->begin();
}

template <class Stream>
Task StreamConnection<Stream>::read_some() {
    received_ = 0;
    if constexpr (!encrypted) {
        if (reads_body()) {
            if (unread_.size() == 0) unread_.shrink_to_fit();
            co_await stream_.async_wait(asio::socket_base::wait_read, into(error_));
            if (error_) co_return;
            received_ = stream_.read_some(unread_.prepare(body_read), error_);
            if (error_ == asio::error::would_block) error_ = {};
            co_return;
        }
    }
    const auto most = reads_body() ? encrypted_body_read : head_read;
    received_ = co_await stream_.async_read_some(unread_.prepare(most), into(error_));
}

template <class Stream>
Task StreamConnection<Stream>::wait_for_application() {
    auto token = awaited;
    auto wait = [this](Waiting waiting) { waiting_.emplace(std::move(waiting)); };
    co_await asio::async_initiate<Awaited, void()>(wait, token);
}

template <class Stream>
Task StreamConnection<Stream>::handshake() {
    if constexpr (encrypted) {
        worker_->set_deadline(*this, options().head_timeout);
        co_await stream_.async_handshake(asio::ssl::stream_base::server, into(error_));
        worker_->clear_deadline(*this);
    }
}

template <class Stream>
Task StreamConnection<Stream>::send_continue() {
    static constexpr std::string_view text = "HTTP/1.1 100 Continue\r\n\r\n";
    wants_continue_ = false;
    worker_->set_deadline(*this, options().send_timeout);
    co_await asio::async_write(stream_, asio::buffer(text), into(error_));
    worker_->clear_deadline(*this);
}

template <class Stream>
auto StreamConnection<Stream>::unsent() const -> Buffers {
    const auto sent = static_cast<std::size_t>(sent_);
    if (sent < head_.size()) return {asio::buffer(head_) + sent, asio::buffer(body_)};
    return {asio::buffer(body_) + (sent - head_.size()), asio::const_buffer()};
}

// True when nothing is left to send, or it failed.
template <class Stream>
bool StreamConnection<Stream>::send_at_once() {
    if constexpr (encrypted) {
        return false;
    } else {
        sent_ = stream_.send(unsent(), file_.file ? MSG_MORE : 0, error_);
        if (error_ == asio::error::would_block) error_ = {};
        return error_ || (sent_ == text_size() && !file_.file);
    }
}

template <class Stream>
Task StreamConnection<Stream>::send_rest() {
    while (sent_ < text_size() && !broken()) {
        await_reader();
        const auto size = co_await stream_.async_write_some(unsent(), into(error_));
        sent_ += size;
    }
    if (file_.file && !broken()) co_await send_file();
    worker_->clear_deadline(*this);
}

template <class Stream>
Task StreamConnection<Stream>::send_file() {
    std::vector<char> slice(encrypted ? encrypted_slice : 0);
    while (file_.length > 0 && !broken()) {
        await_reader();
        auto offset = static_cast<off_t>(file_.offset);
        ssize_t size = 0;
        if constexpr (encrypted) {
            size = ::pread(
                file_.file.get(), slice.data(), std::min<std::uint64_t>(slice.size(), file_.length), offset
            );
        } else {
            const auto most = std::min<std::uint64_t>(file_slice, file_.length);
            size = ::sendfile(stream_.native_handle(), file_.file.get(), &offset, most);
        }
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) {
            co_await stream_.lowest_layer().async_wait(asio::socket_base::wait_write, into(error_));
            continue;
        }
        if (size <= 0) {  // unreadable or truncated: the client notices that bytes are missing
            error_ = asio::error::eof;
            co_return;
        }
        const auto moved = static_cast<std::size_t>(size);
        file_.offset += moved;
        file_.length -= moved;
        sent_ += moved;
        if constexpr (encrypted) {
            co_await asio::async_write(stream_, asio::buffer(slice.data(), moved), into(error_));
        } else if (file_.length > 0) {
            co_await asio::post(stream_.get_executor(), awaited);
        }
    }
}

template <class Stream>
Task StreamConnection<Stream>::shut_down_politely() {
    timed_out_ = false;
    if (cut_off_) co_return;
    worker_->set_deadline(*this, options().linger_timeout);
    if constexpr (encrypted) {
        // Sends our close_notify without waiting for the client's.
        SSL_set_shutdown(
            stream_.native_handle(), SSL_get_shutdown(stream_.native_handle()) | SSL_RECEIVED_SHUTDOWN
        );
        co_await stream_.async_shutdown(into(error_));
    }
    ErrorCode ignored;
    stream_.lowest_layer().shutdown(asio::socket_base::shutdown_send, ignored);
    if (linger_ && !timed_out_ && !cut_off_) co_await read_ahead_of_close();
    worker_->clear_deadline(*this);
}

// Closing with unread bytes makes the kernel send a reset, which can overtake the response.
template <class Stream>
Task StreamConnection<Stream>::read_ahead_of_close() {
    Socket* socket = nullptr;
    if constexpr (encrypted) {
        socket = &stream_.next_layer();
    } else {
        socket = &stream_;
    }
    static thread_local std::array<char, 16 << 10> dropped;  // shared: its content is never used
    error_ = {};
    while (!broken()) {
        co_await socket->async_read_some(asio::buffer(dropped), into(error_));
    }
}

}  // namespace net

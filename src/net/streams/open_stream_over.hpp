// SPDX-License-Identifier: AGPL-3.0-or-later
// The socket of a response that stays open, plain or encrypted. A plain one has no read buffer while idle.
#pragma once
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <memory>
#include <type_traits>

#include "net/streams/open_stream.hpp"

namespace net {

template <class Stream>
class OpenStreamOver final : public OpenStream {
public:
    static constexpr bool encrypted = !std::is_same_v<Stream, Socket>;

    OpenStreamOver(Opening opening, Stream stream)
        : OpenStream(std::move(opening)), stream_(std::move(stream)) {}

private:
    ErrorCode send_at_once(std::size_t& size) override {
        ErrorCode error;
        if constexpr (!encrypted) {
            size = stream_.send(unsent(), 0, error);
            if (error == asio::error::would_block) error = {};
        }
        return error;
    }
    void send_rest() override {
        auto done = [this, self = shared_from_this()](ErrorCode error, std::size_t size) {
            written(error, size);
        };
        asio::async_write(stream_, unsent(), std::move(done));
    }
    void watch() override {
        if (shutting_down_) return close_encrypted();
        if constexpr (encrypted) {
            auto come = [this, self = shared_from_this()](ErrorCode error, std::size_t size) {
                came(error, {incoming_.data(), size});
            };
            stream_.async_read_some(asio::buffer(incoming_), std::move(come));
        } else {
            auto ready = [this, self = shared_from_this()](ErrorCode error) { read(error); };
            stream_.async_wait(asio::socket_base::wait_read, std::move(ready));
        }
    }
    void read(ErrorCode error) {
        static thread_local std::array<char, 16 << 10> incoming;
        std::size_t size = 0;
        if (!error && !is_over()) size = stream_.read_some(asio::buffer(incoming), error);
        if (error == asio::error::would_block) error = {};
        came(error, {incoming.data(), size});
    }
    void came(ErrorCode error, std::string_view bytes) {
        if (is_over()) return;
        if (shutting_down_) return close_encrypted();
        if (error) return over();
        take(bytes);
        if (!is_over()) watch();
    }

    // Closing with unread bytes makes the kernel send a reset, which can overtake our data: so the client
    // closes first.
    void shut_down() override {
        ErrorCode ignored;
        if constexpr (encrypted) {
            shutting_down_ = true;
            stream_.lowest_layer().cancel(ignored);
        } else {
            stream_.shutdown(asio::socket_base::shutdown_send, ignored);
        }
    }
    // Sends our close_notify without waiting for the client's.
    void close_encrypted() {
        if constexpr (encrypted) {
            auto* const native = stream_.native_handle();
            SSL_set_shutdown(native, SSL_get_shutdown(native) | SSL_RECEIVED_SHUTDOWN);
            stream_.async_shutdown([this, self = shared_from_this()](ErrorCode) { over(); });
        }
    }
    void close() override {
        ErrorCode ignored;
        stream_.lowest_layer().close(ignored);
    }

    struct Nothing {};
    static constexpr std::size_t at_once = 512;

    Stream stream_;
    [[no_unique_address]] std::conditional_t<encrypted, std::array<char, at_once>, Nothing> incoming_;
    bool shutting_down_ = false;
};

}  // namespace net

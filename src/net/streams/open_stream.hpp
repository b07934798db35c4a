// SPDX-License-Identifier: AGPL-3.0-or-later
// An answer that stays open, but for its socket (open_stream_over.hpp): what goes out in which order, what the application
// is told, when the other side counts as gone. The connection that brought the request gives away its socket and ends, so
// that somebody who listens costs this and nothing that only requests need.
#pragma once
#include "http/stream.hpp"
#include "net/asio.hpp"
#include "net/chunked.hpp"
#include "net/streams/frames.hpp"
#include "net/streams/outlet.hpp"
#include "net/worker.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace net {

// What the access log says of it at its end.
struct StreamLine {
    std::string request_id, remote_address, target, user_agent;
    http::Method method;
    int status;
    std::chrono::steady_clock::time_point begun;
};

// What the connection hands over.
struct Opening {
    std::shared_ptr<Worker> worker;
    Share place_of_connection, place_of_request;
    std::shared_ptr<http::Stream> stream;
    bool websocket = false;
    bool in_chunks = false;  // an event stream
    std::string head;
    std::unique_ptr<StreamLine> line;
};

class OpenStream : public std::enable_shared_from_this<OpenStream>, public Resident {
public:
    explicit OpenStream(Opening);
    virtual ~OpenStream();

    void begin();
    void push();  // the outlet has something to do
    void drain() override;
    void cut_off() override { over(); }
    void expire() override;

protected:
    // Of what is to be sent. What cannot be sent at once is, and written() called.
    virtual ErrorCode send_at_once(std::size_t& size) = 0;
    virtual void send_rest() = 0;
    virtual void watch() = 0;      // for bytes, to take()
    virtual void shut_down() = 0;  // everything is said
    virtual void close() = 0;

    std::array<asio::const_buffer, 3> unsent() const;
    void written(ErrorCode, std::size_t size);
    void take(std::string_view bytes);
    void over();
    bool is_over() const { return over_; }

private:
    const ServerOptions& options() const { return worker_->shared->options; }
    std::string_view tail() const { return in_chunks_ && body_ ? chunk_end : std::string_view(); }
    std::size_t size() const { return head_.size() + (body_ ? body_->size() : 0) + tail().size(); }
    bool send();  // true: all of it is out
    bool next();  // false: nothing waits
    void hear(FrameReader::Found);
    void end(http::Close why);
    void end(std::uint16_t code);
    void await_beat();
    void count_end();

    const std::shared_ptr<Worker> worker_;
    const Share place_of_connection_, place_of_request_;
    std::shared_ptr<http::Stream> stream_;
    std::shared_ptr<Outlet> outlet_;
    std::unique_ptr<StreamLine> line_;
    FrameReader frames_;

    // What is being sent.
    std::string head_;
    http::Bytes body_;
    std::size_t sent_ = 0;
    std::string pong_;  // to be sent; of several pings the last is answered

    std::uint64_t bytes_out_ = 0;
    std::size_t unasked_ = 0;  // bytes that came over an event stream
    std::uint16_t code_ = close_code::none;
    const bool websocket_, in_chunks_;
    bool writing_ = false;  // send_rest() is at it
    bool ping_due_ = false;
    bool ending_ = false;  // nothing but the close frame goes out any more
    bool said_bye_ = false, heard_bye_ = false, shut_down_ = false;
    bool deaf_ = false;  // what came made no sense
    bool over_ = false;
    std::uint8_t unanswered_ = 0;  // pings, or heartbeats that went out no more
};

}  // namespace net

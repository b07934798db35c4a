// SPDX-License-Identifier: AGPL-3.0-or-later
// A response that stays open, except for its socket (open_stream_over.hpp): what is sent in which order, what
// the application is told, when the client counts as gone. The connection hands over its socket and ends, so
// that a listener does not use the memory that only requests need.
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

// The access log entry, written when the stream ends.
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
    void push();  // the outlet has something to send
    void drain() override;
    void cut_off() override { over(); }
    void expire() override;

protected:
    // Writes unsent() as far as possible; otherwise send_rest() is used, which calls written().
    virtual ErrorCode send_at_once(std::size_t& size) = 0;
    virtual void send_rest() = 0;
    virtual void watch() = 0;      // for incoming bytes, for take()
    virtual void shut_down() = 0;  // everything has been sent
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
    bool send();  // true: everything is sent
    bool next();  // false: nothing is waiting
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
    std::string pong_;  // to be sent; only the last of several pings is answered

    std::uint64_t bytes_out_ = 0;
    std::size_t unasked_ = 0;  // bytes received over an event stream
    std::uint16_t code_ = close_code::none;
    const bool websocket_, in_chunks_;
    bool writing_ = false;  // send_rest() is running
    bool ping_due_ = false;
    bool ending_ = false;  // only the close frame is still sent
    bool said_bye_ = false, heard_bye_ = false, shut_down_ = false;
    bool deaf_ = false;  // what was received was invalid
    bool over_ = false;
    std::uint8_t unanswered_ = 0;  // pings, or heartbeats that could not be sent
};

}  // namespace net

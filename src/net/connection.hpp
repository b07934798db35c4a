// SPDX-License-Identifier: AGPL-3.0-or-later
// One client's connection, without its stream: which requests are accepted, in which order they are answered,
// which deadline applies. StreamConnection moves the bytes. A response that stays open continues without it
// (open_stream.hpp).
//
// Pipelining: safe requests without a body run concurrently; any other waits until all before it are
// answered, and those after it wait for it (RFC 9112, 9.3.2). Responses are sent in the order of the
// requests.
#pragma once
#include "http/application.hpp"
#include "net/answer.hpp"
#include "net/asio.hpp"
#include "net/file_answer.hpp"
#include "net/incoming_body.hpp"
#include "net/patience.hpp"
#include "net/request_parser.hpp"
#include "net/streams/open_stream.hpp"
#include "net/worker.hpp"

#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace net {

// The client, with its slot among the connections of this address.
struct Peer {
    Address address;
    Share place;
    std::optional<Refusal> refusal;  // sent before anything else
    bool proxy = false;              // although it is in no trusted network
};

class Connection;

// An accepted request and its response.
struct Exchange {
    http::Method method = http::Method::get;
    bool safe = true;  // may run concurrently with others
    bool keep_alive = true;
    bool secure = false;
    bool refused = false;   // we refused it; unread bytes may follow
    bool answered = false;  // set only on the connection's thread
    http::Response response;
    std::string id;
    FileConditions conditions;
    std::uint64_t bytes_in = 0;
    std::chrono::steady_clock::time_point begun;
    std::string target, remote_address, user_agent;  // for the access log, empty if there is none
    std::optional<Address> holder;                   // whose limits it counts against
    Share place, body, unread;             // held until it is answered; `unread` until the response is sent
    std::shared_ptr<http::Stream> stream;  // the response stays open
    std::string websocket_key;             // empty: an event stream
    bool in_chunks = false;                // an open response may be chunked
    std::weak_ptr<Connection> connection;
};

class Connection : public std::enable_shared_from_this<Connection>, public Resident {
public:
    Connection(std::shared_ptr<Worker>, Peer, bool secure);
    virtual ~Connection();

    void drain() override;
    void cut_off() override;
    void expire() override;
    void deliver(Exchange&);                // its response has arrived
    bool deliver_while_running(Exchange&);  // false: it waits and must be woken from outside
    // The application's decisions about the request that is being read. Call on the connection's thread.
    void decided(http::Admission);
    void piece_taken(std::optional<http::Response> refusal);
    virtual bool waits() const = 0;

protected:
    virtual void cancel() = 0;
    virtual void close() = 0;
    virtual bool has_unread() const = 0;  // bytes in its socket
    virtual void resume() = 0;            // continues if it waits for the application

    void take_requests();
    bool awaits_application() const;  // before reading more
    void await_bytes();               // sets the deadline
    bool received(std::size_t size);  // false: the connection is over
    void prepare_answer();            // of the first exchange
    bool reserve_unread();            // for the part of the response that could not be sent at once
    void await_reader();              // sets the deadline
    void finish_answer();
    bool idle() const;  // between requests
    bool served() const { return served_; }

    Opening opening();  // of the first exchange, whose response stays open

    bool reads_body() const { return phase_ == Phase::body; }
    bool broken() const { return error_ || timed_out_ || cut_off_; }
    const ServerOptions& options() const { return worker_->shared->options; }

    std::shared_ptr<Worker> worker_;
    std::vector<std::shared_ptr<Exchange>> exchanges_;
    boost::beast::flat_buffer unread_;
    ErrorCode error_;  // of the last operation
    bool timed_out_ = false, cut_off_ = false;
    bool wants_continue_ = false;
    bool last_ = false;    // close after the current response
    bool linger_ = false;  // and let the client finish sending first

    // The response that is being sent.
    std::string head_;
    std::string_view body_;
    FilePart file_;
    std::uint64_t sent_ = 0;
    std::chrono::steady_clock::time_point sending_since_;

private:
    enum class Phase { head, held, asked, body };

    bool take_head();
    bool begin_request();
    void read_client(http::Request&);
    bool take_decision();
    bool decline(http::Response);
    bool take_body();
    void hand_piece();
    void hand_over();
    void refuse(Refusal why) { refuse(error_answer(why)); }
    void refuse(http::Response);
    void end_request();
    void note_answer(Exchange&);
    std::shared_ptr<Exchange> new_exchange();
    std::string_view unread() const;

    Address peer_;
    std::string peer_text_;
    Share place_;
    bool secure_, proxied_;
    bool closing_ = false;  // no further requests are read
    Phase phase_ = Phase::head;
    std::optional<std::chrono::steady_clock::time_point> head_begun_;
    bool served_ = false;
    RequestParser parser_;

    // The request whose head has been read.
    std::shared_ptr<Exchange> next_;
    http::Request request_;
    std::optional<http::Admission> admission_;
    std::optional<http::Response>
        answer_after_body_;  // declined, but its body is short enough to be read and dropped
    IncomingBody incoming_;
    bool body_ended_ = false;
    bool body_seen_ = false;  // nothing of it is left to read
    bool piece_out_ = false;
    std::optional<http::Response> piece_refusal_;
};

// Start serving a connection; call on its worker's thread.
void serve_plain(std::shared_ptr<Worker>, Socket, Peer);
void serve_tls(std::shared_ptr<Worker>, asio::ssl::stream<Socket>, Peer);

}  // namespace net

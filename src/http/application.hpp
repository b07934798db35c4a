// SPDX-License-Identifier: AGPL-3.0-or-later
// The interface that net::Server serves. A request with a body is accepted or refused from its head alone,
// before any of the body is read or stored: bodies cost memory, disk and time, and the sender may be unknown.
#pragma once
#include "http/message.hpp"

namespace http {

class Stream;

// An admitted request that waits for its body. Destroyed without being served when the client gives up.
class Intake {
public:
    virtual ~Intake() = default;

    // Called when the body is complete. `body` is empty if it was taken in pieces.
    virtual void serve(std::string body, Pending reply) = 0;

    // Only if Admission::in_pieces: the next piece of the body. The next one follows only after `done`, which
    // may be called once, on any thread; with a response it ends the request.
    using Done = std::function<void(std::optional<Response>)>;
    virtual void take(std::string piece, Done done) { static_cast<void>(piece), done(std::nullopt); }
};

// Which budget a body is charged to; also determines its time limit.
enum class Purse {
    strangers,  // for unidentified senders: memory
    users,      // memory
    uploads,    // disk
};

struct Admission {
    std::shared_ptr<Intake> intake;
    std::optional<Response> refusal;  // in place of an intake
    std::uint64_t most_bytes = 1 << 20;
    Purse purse = Purse::strangers;
    bool in_pieces = false;
    // In place of both: a response that stays open (http/stream.hpp), and its head.
    std::shared_ptr<Stream> stream;
    Response head;
};

// A decision that cannot be forgotten: if destroyed undecided, it refuses with 503.
class PendingAdmission {
public:
    using Send = std::function<void(Admission)>;
    explicit PendingAdmission(Send send) : send_(std::move(send)) {}
    PendingAdmission(PendingAdmission&& other) noexcept : send_(std::exchange(other.send_, nullptr)) {}
    PendingAdmission& operator=(PendingAdmission&&) = delete;
    ~PendingAdmission();

    void admit(Admission admission) { std::exchange(send_, nullptr)(std::move(admission)); }
    void refuse(Response);

private:
    Send send_;
};

// Called on I/O threads; must not block. Responses and decisions may be given once, from any thread, at any
// time.
class Application {
public:
    virtual ~Application() = default;
    virtual void admit(Request head, PendingAdmission decision) = 0;
    // Serves a complete request: without a body, or with a small one that arrived with its head.
    virtual void serve(Request request, Pending reply) = 0;
    // Whether the response to this request, which has no body, may stay open; it then goes through admit().
    virtual bool may_stay_open(const Request&) const { return false; }
};

}  // namespace http

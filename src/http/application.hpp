// SPDX-License-Identifier: AGPL-3.0-or-later
// What net::Server serves. A request with a body is decided on from its head alone, before anything of the body is
// read or kept: it costs memory, disk and time, and who sends it may be nobody.
#pragma once
#include "http/message.hpp"

namespace http {

class Stream;

// An admitted request that waits for its body. Destroyed without being served when the client gives up.
class Intake {
public:
    virtual ~Intake() = default;

    // The body came to its end. `body` is empty when it was taken in pieces.
    virtual void serve(std::string body, Pending reply) = 0;

    // Only of Admission::in_pieces: the next piece of the body. No other comes before `done`, which may be called on
    // any thread, once; with an answer it ends the request.
    using Done = std::function<void(std::optional<Response>)>;
    virtual void take(std::string piece, Done done) { static_cast<void>(piece), done(std::nullopt); }
};

// Out of which bounded store a body is paid for, and how much time it gets.
enum class Purse {
    strangers,  // for senders who are not identified: memory
    users,      // memory
    uploads,    // disk
};

struct Admission {
    std::shared_ptr<Intake> intake;
    std::optional<Response> refusal;  // instead of an intake
    std::uint64_t most_bytes = 1 << 20;
    Purse purse = Purse::strangers;
    bool in_pieces = false;
    // Instead of both: an answer that stays open (http/stream.hpp), and its head.
    std::shared_ptr<Stream> stream;
    Response head;
};

// A decision that cannot be forgotten: destroyed undecided, it refuses with 503.
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

// Called on I/O threads; must not block. Answers and decisions may come from any thread, at any time, once.
class Application {
public:
    virtual ~Application() = default;
    virtual void admit(Request head, PendingAdmission decision) = 0;
    // A request that is complete: without a body, or with a small one that came along with its head.
    virtual void serve(Request request, Pending reply) = 0;
    // Whether the answer to this request, which has no body, may stay open; then it is decided on by admit().
    virtual bool may_stay_open(const Request&) const { return false; }
};

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/connection.hpp"

#include <algorithm>
#include <utility>

namespace net {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr Refusal too_slow{408, "The request took too long to arrive"};
constexpr Refusal too_many{429, "Too many requests from your address at once, please try again"};
constexpr Refusal no_websocket{400, "This connection cannot become a WebSocket"};
constexpr Refusal too_much_unread{503, "Too many answers wait to be read"};

// A body that is not wanted is read over up to this length, so that the connection can go on.
constexpr std::uint64_t read_over = 64 << 10;

bool is_safe(http::Method method) {
    return method == http::Method::get || method == http::Method::head || method == http::Method::options;
}

milliseconds since(steady_clock::time_point then) {
    return duration_cast<milliseconds>(steady_clock::now() - then);
}

// The answering end of http::Pending, callable from any thread.
class Answering {
public:
    Answering(std::shared_ptr<Exchange> exchange, std::shared_ptr<Worker> worker)
        : exchange_(std::move(exchange)), worker_(std::move(worker)) {}

    void operator()(http::Response response) {
        exchange_->response = std::move(response);
        if (worker_->is_current() && deliver_here()) return;
        worker_->post([exchange = std::move(exchange_)] {
            if (auto connection = exchange->connection.lock()) connection->deliver(*exchange);
        });
    }

private:
    // Inside Application::serve the connection is running and will look by itself.
    bool deliver_here() {
        auto connection = exchange_->connection.lock();
        return !connection || connection->deliver_while_running(*exchange_);
    }

    std::shared_ptr<Exchange> exchange_;
    std::shared_ptr<Worker> worker_;
};

// The same for what the application says before there is an answer.
template <class Said, void (Connection::*hear)(Said)>
class Callback {
public:
    Callback(std::weak_ptr<Connection> connection, std::shared_ptr<Worker> worker)
        : connection_(std::move(connection)), worker_(std::move(worker)) {}

    void operator()(Said said) {
        if (worker_->is_current()) {
            auto connection = connection_.lock();
            if (!connection) return;
            if (!connection->waits()) return (*connection.*hear)(std::move(said));
        }
        worker_->post([to = std::move(connection_), said = std::move(said)]() mutable {
            if (auto connection = to.lock()) (*connection.*hear)(std::move(said));
        });
    }

private:
    std::weak_ptr<Connection> connection_;
    std::shared_ptr<Worker> worker_;
};

}  // namespace

Connection::Connection(std::shared_ptr<Worker> worker, Peer peer, bool secure)
    : worker_(std::move(worker)),
      peer_(peer.address),
      peer_text_(peer.address.to_string()),
      place_(std::move(peer.place)),
      secure_(secure),
      proxied_(peer.proxy || worker_->shared->proxies.contains(peer.address)),
      parser_(options().head_limit) {
    worker_->add(*this);
    if (peer.refusal) refuse(*peer.refusal);
}

Connection::~Connection() { worker_->open.fetch_sub(1); }

// Nobody hears nothing at all: who has only just come is waiting for an answer, too.
void Connection::drain() {
    if (!idle()) return;
    if (served_ && !has_unread()) return cancel();
    worker_->set_deadline(*this, options().end_patience);
}

void Connection::cut_off() {
    cut_off_ = true;
    close();
    resume();
}

void Connection::expire() {
    // On a busy machine what came in time is seen late.
    if (worker_->draining() && idle() && has_unread())
        return worker_->set_deadline(*this, options().end_patience);
    timed_out_ = true;
    cancel();
}

void Connection::deliver(Exchange& exchange) {
    note_answer(exchange);
    if (exchanges_.front()->answered) resume();
}

bool Connection::deliver_while_running(Exchange& exchange) {
    if (waits()) return false;
    note_answer(exchange);
    return true;
}

// Answers behind others wait in memory for as long as nobody reads those.
void Connection::note_answer(Exchange& exchange) {
    exchange.answered = true;
    if (!exchange.stream) exchange.place.give_back();
    exchange.body.give_back();
    if (&exchange == exchanges_.front().get()) return;
    exchange.unread = Share(worker_->shared->answers, exchange.holder);
    if (exchange.unread.grow(exchange.response.body.size()) == Shares::Outcome::taken) return;
    exchange.response = error_answer(too_much_unread);
    exchange.keep_alive = false;
    closing_ = true;
}

void Connection::decided(http::Admission admission) {
    admission_ = std::move(admission);
    resume();
}

void Connection::piece_taken(std::optional<http::Response> refusal) {
    piece_out_ = false;
    piece_refusal_ = std::move(refusal);
    resume();
}

bool Connection::idle() const { return exchanges_.empty() && phase_ == Phase::head && unread_.size() == 0; }

bool Connection::awaits_application() const { return (phase_ == Phase::asked && !admission_) || piece_out_; }

std::string_view Connection::unread() const {
    const auto bytes = unread_.cdata();
    return {static_cast<const char*>(bytes.data()), bytes.size()};
}

void Connection::take_requests() {
    while (!closing_ && exchanges_.size() < options().max_pipelined) {
        if (phase_ == Phase::head && !take_head()) return;
        if (phase_ == Phase::held && !begin_request()) return;
        if (phase_ == Phase::asked && !take_decision()) return;
        if (phase_ == Phase::body && !take_body()) return;
        hand_over();
    }
}

bool Connection::take_head() {
    if (unread_.size() == 0) return false;
    const auto step = parser_.read_head(unread());
    unread_.consume(step.used);
    if (step.progress == Progress::refused) refuse(parser_.refusal());
    if (step.progress != Progress::done) return false;
    phase_ = Phase::held;
    return true;
}

// True when it goes on with the body, if there is one.
bool Connection::begin_request() {
    const bool stays_open =
        !parser_.has_body() && worker_->shared->application.may_stay_open(parser_.request());
    const bool safe = !parser_.has_body() && !stays_open && is_safe(parser_.request().method);
    if (!exchanges_.empty() && !(safe && exchanges_.back()->safe)) return false;
    next_ = new_exchange();
    next_->safe = safe;
    next_->keep_alive = parser_.keep_alive();
    request_ = parser_.take();
    read_client(request_);
    if (proxied_ && next_->holder) {
        next_->place = Share(worker_->shared->places, next_->holder);
        if (next_->place.grow(1) != Shares::Outcome::taken) return decline(error_answer(too_many));
    }
    if (!parser_.has_body() && !stays_open) {
        phase_ = Phase::body;
        return true;
    }
    if (stays_open && !parser_.http_1_0()) {
        next_->websocket_key = http::websocket_key(request_);
        next_->in_chunks = true;
    }
    const auto length = parser_.declared_length();
    if (!stays_open && length && *length <= std::min<std::uint64_t>(options().small_body, unread_.size())) {
        Share share(worker_->shared->purse(http::Purse::strangers), next_->holder);
        incoming_ = IncomingBody(IncomingBody::Goes::into_memory, *length, std::move(share));
        phase_ = Phase::body;
        return true;
    }
    phase_ = Phase::asked;
    auto callback = Callback<http::Admission, &Connection::decided>(weak_from_this(), worker_);
    worker_->shared->application.admit(
        std::exchange(request_, {}), http::PendingAdmission(std::move(callback))
    );
    return true;
}

void Connection::read_client(http::Request& request) {
    auto& exchange = *next_;
    request.id = exchange.id;
    request.remote_address = peer_text_;
    request.secure = secure_;
    auto client_address = peer_;
    if (proxied_) {
        auto client = worker_->shared->proxies.client_behind(secure_, request.headers);
        if (client.told) {
            client_address = *client.told;
            request.remote_address = client_address.to_string();
        }
        request.secure = client.secure;
    }
    exchange.holder = worker_->shared->holder(client_address);
    exchange.secure = request.secure;
    exchange.method = request.method;
    exchange.conditions.if_none_match = request.header("If-None-Match");
    exchange.conditions.if_modified_since = request.header("If-Modified-Since");
    exchange.conditions.if_range = request.header("If-Range");
    if (request.method == http::Method::get) exchange.conditions.range = request.header("Range");
    if (!options().access_log) return;
    exchange.target = request.target;
    exchange.remote_address = request.remote_address;
    exchange.user_agent = request.header("User-Agent");
}

bool Connection::take_decision() {
    if (!admission_) return false;
    if (admission_->refusal) return decline(*std::move(admission_->refusal));
    if (admission_->stream) {
        phase_ = Phase::body;
        return true;
    }
    const auto length = parser_.declared_length();
    Share share(worker_->shared->purse(admission_->purse), next_->holder);
    const auto goes = admission_->in_pieces ? IncomingBody::Goes::in_pieces : IncomingBody::Goes::into_memory;
    incoming_ = IncomingBody(goes, admission_->most_bytes, std::move(share));
    if (length.value_or(0) > admission_->most_bytes) {
        refuse(IncomingBody::too_large);
        return false;
    }
    wants_continue_ = parser_.expects_continue() && unread_.size() == 0;
    phase_ = Phase::body;
    return true;
}

// The connection can go on when what is left of the request is short.
bool Connection::decline(http::Response response) {
    const auto length = parser_.has_body() ? parser_.declared_length() : 0;
    if (!length || *length > read_over || (*length > 0 && parser_.expects_continue())) {
        refuse(std::move(response));
        return false;
    }
    answer_after_body_ = std::move(response);
    incoming_ = IncomingBody(IncomingBody::Goes::nowhere, *length, {});
    phase_ = Phase::body;
    return true;
}

bool Connection::take_body() {
    if (!parser_.has_body()) return true;
    while (!piece_out_) {
        if (piece_refusal_) {
            refuse(*std::exchange(piece_refusal_, std::nullopt));
            return false;
        }
        if (incoming_.has_piece() || (incoming_.has_rest() && body_seen_)) {
            hand_piece();
            continue;
        }
        if (body_ended_) return true;
        const auto step = parser_.read_body(unread());
        const auto refusal =
            step.progress == Progress::refused ? parser_.refusal() : incoming_.keep(step.data);
        unread_.consume(step.used);
        if (refusal) {
            refuse(*refusal);
            return false;
        }
        body_ended_ = step.progress == Progress::done;
        body_seen_ = body_ended_ || step.data.empty();
        if (body_seen_ && !body_ended_ && !incoming_.has_rest()) return false;
    }
    return false;
}

void Connection::hand_piece() {
    piece_out_ = true;
    body_seen_ = body_ended_;
    auto callback =
        Callback<std::optional<http::Response>, &Connection::piece_taken>(weak_from_this(), worker_);
    admission_->intake->take(incoming_.take_piece(), std::move(callback));
}

std::shared_ptr<Exchange> Connection::new_exchange() {
    auto exchange = std::make_shared<Exchange>();
    exchange->id = worker_->new_request_id();
    exchange->begun = steady_clock::now();
    exchange->connection = weak_from_this();
    exchange->remote_address = peer_text_;
    return exchange;
}

void Connection::hand_over() {
    auto exchange = std::exchange(next_, nullptr);
    exchanges_.push_back(exchange);
    auto& totals = worker_->totals;
    totals.requests.fetch_add(1, std::memory_order_relaxed);
    exchange->begun = steady_clock::now();
    exchange->bytes_in = incoming_.size();
    totals.bytes_in.fetch_add(exchange->bytes_in, std::memory_order_relaxed);
    exchange->body = incoming_.take_share();
    if (!exchange->keep_alive) closing_ = true;
    auto body = incoming_.take_whole();
    auto request = std::move(request_);
    auto intake = admission_ ? std::move(admission_->intake) : nullptr;
    if (admission_ && admission_->stream) {
        exchange->response = std::move(admission_->head);
        const bool as_websocket = exchange->response.status == 101;
        if (exchange->method != http::Method::head) exchange->stream = std::move(admission_->stream);
        if (as_websocket && exchange->websocket_key.empty()) {
            exchange->stream = nullptr;
            exchange->response = error_answer(no_websocket);
        }
        if (!as_websocket) exchange->websocket_key.clear();
        if (exchange->stream) closing_ = true;  // nothing but frames comes after it
        end_request();
        return note_answer(*exchange);
    }
    auto own = std::exchange(answer_after_body_, std::nullopt);
    end_request();
    if (own) {
        exchange->response = *std::move(own);
        return note_answer(*exchange);
    }
    http::Pending reply(Answering(std::move(exchange), worker_));
    if (intake) return intake->serve(std::move(body), std::move(reply));
    request.body = std::move(body);
    worker_->shared->application.serve(std::move(request), std::move(reply));
}

void Connection::refuse(http::Response response) {
    auto exchange = std::exchange(next_, nullptr);
    if (!exchange) {
        exchange = new_exchange();
        exchange->secure = secure_;
        exchange->method = parser_.request().method;
        exchange->target = parser_.request().target;
        exchange->user_agent = parser_.request().header("User-Agent");
    }
    exchange->keep_alive = false;
    exchange->refused = true;
    exchange->response = std::move(response);
    exchanges_.push_back(exchange);
    end_request();
    closing_ = true;
    note_answer(*exchange);
}

// What was kept of it goes.
void Connection::end_request() {
    phase_ = Phase::head;
    head_begun_.reset();
    served_ = true;
    wants_continue_ = false;
    parser_ = RequestParser(options().head_limit);
    request_ = {};
    admission_.reset();
    incoming_ = {};
    body_ended_ = body_seen_ = false;
}

void Connection::await_bytes() {
    const auto& limits = options();
    if (phase_ == Phase::body) {
        const bool known = admission_ && admission_->purse != http::Purse::strangers;
        const Patience patience{
            limits.body_pause,
            limits.body_grace,
            known ? limits.body_timeout : limits.stranger_body_timeout,
            limits.body_bytes_per_second
        };
        return worker_->set_deadline(*this, patience.left(since(incoming_.begun()), incoming_.size()));
    }
    if (unread_.size() > 0 && !head_begun_) head_begun_ = steady_clock::now();
    if (head_begun_) worker_->set_deadline(*this, limits.head_timeout - since(*head_begun_));
    else if (worker_->draining()) worker_->set_deadline(*this, limits.end_patience);
    else worker_->set_deadline(*this, served_ ? limits.idle_timeout : limits.head_timeout);
}

bool Connection::received(std::size_t size) {
    unread_.commit(size);
    if (cut_off_) return false;
    if (size > 0 && phase_ == Phase::head && !head_begun_) head_begun_ = steady_clock::now();
    if (timed_out_) {
        timed_out_ = false;
        if (idle()) return false;
        error_ = {};
        refuse(too_slow);
        return true;
    }
    return !error_;
}

void Connection::prepare_answer() {
    auto& exchange = *exchanges_.front();
    auto& response = exchange.response;
    sent_ = 0;
    file_ = {};
    if (response.file) file_ = settle_file(response, exchange.conditions);
    last_ = !exchange.keep_alive || (worker_->draining() && exchanges_.size() == 1 && phase_ == Phase::head);
    linger_ = exchange.refused;

    const bool has_body = status_allows_body(response.status);
    const std::uint64_t length = file_.file ? file_.length : response.body.size();
    write_head(
        head_,
        response,
        {.request_id = exchange.id,
         .date = worker_->date(),
         .length = has_body ? std::optional(length) : std::nullopt,
         .keep_alive = !last_,
         .strict_transport = options().strict_transport && exchange.secure}
    );
    const bool sends_body = has_body && exchange.method != http::Method::head;
    body_ = sends_body && !file_.file ? std::string_view(response.body) : std::string_view{};
    if (!sends_body) file_ = {};
}

bool Connection::reserve_unread() {
    sending_since_ = steady_clock::now();
    auto& exchange = *exchanges_.front();
    exchange.unread = Share(worker_->shared->answers, exchange.holder);
    return exchange.unread.grow(head_.size() + body_.size()) == Shares::Outcome::taken;
}

void Connection::await_reader() {
    const auto& limits = options();
    const Patience patience{
        limits.send_timeout, limits.answer_grace, limits.answer_timeout, limits.answer_bytes_per_second
    };
    worker_->set_deadline(*this, patience.left(since(sending_since_), sent_));
}

// What is said until the connection ends has no length.
Opening Connection::opening() {
    auto& exchange = *exchanges_.front();
    auto& response = exchange.response;
    const bool websocket = !exchange.websocket_key.empty();
    if (!websocket) response.headers.emplace_back("Content-Type", response.content_type);
    Opening out;
    // Clients that read by blocks see an event when its chunk ends; else only once more have filled theirs.
    out.in_chunks = !websocket && exchange.in_chunks;
    if (out.in_chunks) response.headers.emplace_back("Transfer-Encoding", "chunked");
    write_head(
        out.head,
        response,
        {.request_id = exchange.id,
         .date = worker_->date(),
         .length = std::nullopt,
         .keep_alive = false,
         .strict_transport = options().strict_transport && exchange.secure,
         .websocket_key = exchange.websocket_key}
    );
    if (out.in_chunks && !response.body.empty())  // a chunk of nothing would be the last
        out.head.append(chunk_head(response.body.size())).append(response.body).append(chunk_end);
    else if (!websocket) out.head += response.body;
    out.worker = worker_;
    out.place_of_connection = std::move(place_);
    out.place_of_request = std::move(exchange.place);
    out.stream = std::move(exchange.stream);
    out.websocket = websocket;
    if (options().access_log)
        out.line = std::make_unique<StreamLine>(StreamLine{
            exchange.id,
            exchange.remote_address,
            exchange.target,
            exchange.user_agent,
            exchange.method,
            response.status,
            exchange.begun
        });
    return out;
}

void Connection::finish_answer() {
    const auto exchange = std::move(exchanges_.front());
    exchanges_.erase(exchanges_.begin());
    worker_->totals.bytes_out.fetch_add(sent_, std::memory_order_relaxed);
    body_ = {};
    file_ = {};
    if (unread_.size() == 0 && unread_.capacity() > options().head_limit) unread_.shrink_to_fit();
    if (!options().access_log) return;
    options().access_log(
        {.request_id = exchange->id,
         .remote_address = exchange->remote_address,
         .method = http::to_string(exchange->method),
         .target = exchange->target,
         .user_agent = exchange->user_agent,
         .status = exchange->response.status,
         .bytes_in = exchange->bytes_in,
         .bytes_out = sent_,
         .took = duration_cast<std::chrono::microseconds>(steady_clock::now() - exchange->begun)}
    );
}

}  // namespace net

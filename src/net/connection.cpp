// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/connection.hpp"

#include <algorithm>

namespace net {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr Refusal too_slow{408, "The request took too long to arrive"};
constexpr Refusal too_many{503, "Too many connections, please try again"};

bool is_safe(http::Method method) {
    return method == http::Method::get || method == http::Method::head || method == http::Method::options;
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

}  // namespace

Connection::Connection(std::shared_ptr<Worker> worker, const Address& peer, bool secure)
    : worker_(std::move(worker)),
      peer_(peer),
      peer_text_(peer.to_string()),
      secure_(secure),
      proxied_(worker_->shared->proxies.trusts(peer)),
      parser_(options().head_limit) {
    worker_->add(*this);
}

Connection::~Connection() { worker_->open.fetch_sub(1); }

void Connection::refuse_service() { refuse(too_many); }

void Connection::drain() {
    if (idle()) cancel();
}

void Connection::cut_off() {
    cut_off_ = true;
    close();
    resume();
}

void Connection::expire() {
    timed_out_ = true;
    cancel();
}

void Connection::deliver(Exchange& exchange) {
    exchange.answered = true;
    if (exchanges_.front()->answered) resume();
}

bool Connection::deliver_while_running(Exchange& exchange) {
    if (waits()) return false;
    exchange.answered = true;
    return true;
}

bool Connection::idle() const { return exchanges_.empty() && phase_ == Phase::head && unread_.size() == 0; }

std::string_view Connection::unread() const {
    const auto bytes = unread_.cdata();
    return {static_cast<const char*>(bytes.data()), bytes.size()};
}

void Connection::take_requests() {
    while (!closing_ && exchanges_.size() < options().max_pipelined) {
        if (phase_ == Phase::head && !take_head()) return;
        if (phase_ == Phase::held && !start_body()) return;
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

bool Connection::start_body() {
    const auto& request = parser_.request();
    const bool safe = !parser_.has_body() && is_safe(request.method);
    if (!exchanges_.empty() && !(safe && exchanges_.back()->safe)) return false;
    if (parser_.has_body()) {
        const auto limit = worker_->shared->application.body_limit(request.method, request.target);
        if (parser_.begin_body(limit, options().spool_directory) == Progress::refused) {
            refuse(parser_.refusal());
            return false;
        }
        wants_continue_ = parser_.expects_continue() && unread_.size() == 0;
    }
    phase_ = Phase::body;
    body_begun_ = steady_clock::now();
    return true;
}

bool Connection::take_body() {
    if (!parser_.has_body()) return true;
    const auto step = parser_.read_body(unread());
    unread_.consume(step.used);
    if (step.progress == Progress::refused) refuse(parser_.refusal());
    return step.progress == Progress::done;
}

std::shared_ptr<Exchange> Connection::new_exchange() {
    auto exchange = std::make_shared<Exchange>();
    exchange->id = worker_->new_request_id();
    exchange->begun = steady_clock::now();
    exchange->connection = weak_from_this();
    exchange->remote_address = peer_text_;
    exchanges_.push_back(exchange);
    return exchange;
}

void Connection::hand_over() {
    auto exchange = new_exchange();
    auto& totals = worker_->totals;
    totals.requests.fetch_add(1, std::memory_order_relaxed);
    exchange->bytes_in = parser_.body_bytes();
    totals.bytes_in.fetch_add(exchange->bytes_in, std::memory_order_relaxed);
    exchange->keep_alive = parser_.keep_alive();
    exchange->safe = !parser_.has_body() && is_safe(parser_.request().method);

    auto request = parser_.take();
    request.id = exchange->id;
    request.remote_address = peer_text_;
    request.secure = secure_;
    if (proxied_) {
        auto client = worker_->shared->proxies.client_behind(secure_, request.headers);
        if (client.told) request.remote_address = client.told->to_string();
        request.secure = client.secure;
    }
    exchange->method = request.method;
    exchange->conditions.if_none_match = request.header("If-None-Match");
    exchange->conditions.if_modified_since = request.header("If-Modified-Since");
    if (request.method == http::Method::get) exchange->conditions.range = request.header("Range");
    if (options().access_log) {
        exchange->target = request.target;
        exchange->remote_address = request.remote_address;
        exchange->user_agent = request.header("User-Agent");
    }
    if (!exchange->keep_alive) closing_ = true;
    phase_ = Phase::head;
    head_begun_ = false;
    served_ = true;
    parser_ = RequestParser(options().head_limit);
    worker_->shared->application.serve(
        std::move(request), http::Pending(Answering(std::move(exchange), worker_))
    );
}

void Connection::refuse(Refusal why) {
    auto exchange = new_exchange();
    exchange->method = parser_.request().method;
    exchange->target = parser_.request().target;
    exchange->user_agent = parser_.request().header("User-Agent");
    exchange->keep_alive = false;
    exchange->refused = true;
    exchange->response = error_answer(why);
    exchange->answered = true;
    closing_ = true;
}

void Connection::await_bytes() {
    const auto& limits = options();
    if (phase_ == Phase::body) {
        const auto earned = milliseconds(
            parser_.body_bytes() * 1000 / std::max<std::uint64_t>(1, limits.body_bytes_per_second)
        );
        const auto spent = duration_cast<milliseconds>(steady_clock::now() - body_begun_);
        worker_->set_deadline(*this, std::min(limits.body_pause, limits.body_grace + earned - spent));
    } else if (unread_.size() == 0) {
        worker_->set_deadline(*this, served_ ? limits.idle_timeout : limits.head_timeout);
    } else if (!head_begun_) {
        head_begun_ = true;
        worker_->set_deadline(*this, limits.head_timeout);
    }
}

bool Connection::received(std::size_t size) {
    unread_.commit(size);
    if (cut_off_) return false;
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
         .keep_alive = !last_}
    );
    const bool sends_body = has_body && exchange.method != http::Method::head;
    body_ = sends_body && !file_.file ? std::string_view(response.body) : std::string_view{};
    if (!sends_body) file_ = {};
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

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/worker.hpp"

#include <algorithm>
#include <ctime>
#include <limits>
#include <utility>

#include "base/time.hpp"
#include "net/streams/open_stream.hpp"

namespace net {

thread_local const Worker* Worker::current_ = nullptr;

namespace {

// Fine enough for the shortest deadline, coarse enough to cost nothing.
TimerWheel::Clock::duration tick_for(const ServerOptions& options) {
    const auto shortest = std::min(
        {options.head_timeout,
         options.body_pause,
         options.body_grace,
         options.stranger_body_timeout,
         options.body_timeout,
         options.idle_timeout,
         options.send_timeout,
         options.answer_grace,
         options.answer_timeout,
         options.linger_timeout,
         4 * options.end_patience,  // being late by half of it is acceptable
         options.ping_interval,
         options.heartbeat_interval}
    );
    return std::clamp<std::chrono::milliseconds>(
        shortest / 8, std::chrono::milliseconds(5), std::chrono::milliseconds(250)
    );
}

}  // namespace

Shared::Shared(ServerOptions with, http::Application& serves)
    : options(std::move(with)), application(serves), proxies(options.trusted_proxies) {
    const auto shares = [](const Bound& bound) { return std::make_shared<Shares>(bound.all, bound.of_one); };
    places = shares({std::numeric_limits<std::uint64_t>::max(), options.max_connections_per_address});
    purses = {shares(options.bodies_of_strangers), shares(options.bodies_of_users), shares(options.uploads)};
    answers = shares(options.unread_answers);
}

std::optional<Address> Shared::holder(const Address& client) const {
    if (proxies.contains(client)) return std::nullopt;
    return client.network();
}

Worker::Worker(std::shared_ptr<const Shared> of)
    : shared(std::move(of)),
      wheel_(tick_for(shared->options)),
      random_(std::random_device{}() + (1ULL << 32) * std::random_device{}()) {}

Worker::~Worker() = default;

void Worker::run() {
    current_ = this;
    io.run();
    current_ = nullptr;
}

void Worker::stop() { io.stop(); }

void Worker::finish() {
    io.restart();
    io.poll();
    cut_off();
    io.poll();
}

void Worker::add(Resident& resident) { residents_.push_back(resident); }

void Worker::drain() {
    draining_ = true;
    for (auto& resident : residents_) resident.drain();
}

void Worker::cut_off() {
    draining_ = true;
    // cut_off() may destroy the resident, so each is removed from the list first.
    while (!residents_.empty()) {
        auto& resident = residents_.front();
        residents_.pop_front();
        resident.cut_off();
    }
}

void Worker::set_deadline(TimerWheel::Entry& entry, std::chrono::milliseconds after) {
    const auto now = TimerWheel::Clock::now();
    if (!ticking_) wheel_.advance(now);
    wheel_.set(entry, now, after);
    if (!ticking_) tick();
}

// The timer stops while no deadline is set, so that an idle server does not wake up.
void Worker::tick() {
    ticking_ = !wheel_.empty();
    if (!ticking_) return;
    ticker_.expires_after(wheel_.tick());
    ticker_.async_wait([this](ErrorCode error) {
        if (error) return;
        wheel_.advance(TimerWheel::Clock::now());
        tick();
    });
}

void Worker::push_soon(std::weak_ptr<OpenStream> stream) {
    {
        std::lock_guard hold(pushes_lock_);
        pushes_.push_back(std::move(stream));
        if (std::exchange(pushing_, true)) return;
    }
    post([this] { push_some(); });
}

void Worker::push_some() {
    constexpr std::size_t at_once = 32;
    std::vector<std::weak_ptr<OpenStream>> some;
    bool more = false;
    {
        std::lock_guard hold(pushes_lock_);
        const auto end = pushes_.begin() + static_cast<std::ptrdiff_t>(std::min(at_once, pushes_.size()));
        some.assign(std::move_iterator(pushes_.begin()), std::move_iterator(end));
        pushes_.erase(pushes_.begin(), end);
        more = pushing_ = !pushes_.empty();
    }
    for (const auto& to : some)
        if (auto stream = to.lock()) stream->push();
    if (more) post([this] { push_some(); });
}

std::string_view Worker::date() {
    const auto now = std::time(nullptr);
    if (now != date_second_) {
        date_second_ = now;
        date_ = base::http_date({now * 1000});
    }
    return date_;
}

std::string Worker::new_request_id() {
    constexpr char digits[] = "0123456789abcdef";
    std::string id(12, '0');
    auto bits = random_();
    for (auto& c : id) {
        c = digits[bits & 15];
        bits >>= 4;
    }
    return id;
}

}  // namespace net

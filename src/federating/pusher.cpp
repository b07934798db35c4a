// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/pusher.hpp"

#include "base/log.hpp"
#include "config/clock.hpp"

#include <algorithm>

namespace server {

using push::Verdict;
using std::chrono::milliseconds, std::chrono::seconds;

namespace {

// Slots for services that respond; unproven ones cannot use them.
constexpr int most_proven = 192, most_proven_per_origin = 128;
constexpr int most_unproven = 64, most_unproven_per_origin = 4, most_unproven_waiting = 128;
constexpr int most_waiting = 512, most_leased = 256, most_failures = 8;
constexpr std::size_t most_known = 4096;
constexpr seconds between_looks{15}, rest_of_silent{30};

}  // namespace

Pusher::Pusher(db::Engine& engine, net::HttpClientOptions client, std::int64_t retry_ms)
    : SendingThread(
          engine, std::move(client),
          {"exchange_push_messages", between_looks, std::thread::hardware_concurrency() / 2}
      ),
      retry_ms_(retry_ms) {}

Pusher::Counters Pusher::counters() const { return {sent_, failed_, gone_, busy_}; }

// ---- the database ----

int Pusher::capacity() const {
    if (is_stopping()) return 0;
    return std::clamp(most_waiting - waiting_, 0, most_leased);
}

void Pusher::take_report(PushExchange& to) {
    to.report = std::exchange(report_, {});
    to.capacity = capacity();
}

void Pusher::exchange(db::Write& db, PushExchange& one) {
    one.work = push::exchange(db, one.report, one.capacity, retry_ms_);
}

void Pusher::load(db::Read& db, PushExchange& one) const {
    one.identity = push::identity(db);
    one.messages = push::messages(db, one.work.leased);
}

// Only one report is in flight at a time, so report_ contains only what was added meanwhile.
void Pusher::report_again(PushExchange& from) {
    auto again = [](auto& to, const auto& back) { to.insert(to.begin(), back.begin(), back.end()); };
    again(report_.outcomes, from.report.outcomes);
    again(report_.needless, from.report.needless);
    again(report_.rescheduled, from.report.rescheduled);
    again(report_.crowded, from.report.crowded);
    again(report_.released, from.report.released);
}

// Messages without a response are tried again, by other processes or after the next start.
void Pusher::give_up() {
    for (const auto& [tag, one] : under_way_) report_.released.push_back(one.id);
    under_way_.clear();
}

bool Pusher::know(const push::Identity& identity) {
    if (vapid_tokens_ && vapid_tokens_->identity() == identity) return true;
    try {
        vapid_tokens_.emplace(identity);
        return true;
    } catch (const std::exception& e) {
        base::log_error("push messages cannot be sent", {{"cause", e.what()}});
        return false;
    }
}

void Pusher::take_in(PushExchange& loaded) {
    if (loaded.work.next_at) look_in(milliseconds(loaded.work.next_at->ms - clock_now().ms));
    if (loaded.work.leased.empty()) return;
    look_soon();  // more may be waiting
    std::ranges::sort(loaded.work.leased);
    std::vector<push::MessageId> told;
    for (const auto& message : loaded.messages) told.push_back(message.id);
    std::ranges::sort(told);
    std::ranges::set_difference(loaded.work.leased, told, std::back_inserter(report_.needless));
    if (!know(loaded.identity)) {
        for (auto id : told) report_.rescheduled.push_back(id);
        return;
    }
    const auto now = Steady::now();
    for (auto& message : loaded.messages) {
        auto origin = push::origin_of(message.endpoint);
        auto [found, added] = origins_.try_emplace(origin);
        auto& at = found->second;
        if (added)
            if (auto known = known_.find(origin); known != known_.end()) at.standing = known->second;
        bool rests = !at.standing.proven && at.standing.rests_until > now;
        bool crowded = !at.standing.proven && unproven_waiting_ >= most_unproven_waiting;
        if (rests || crowded) {
            (rests ? report_.rescheduled : report_.crowded).push_back(message.id);
            if (at.waiting.empty() && at.under_way == 0) origins_.erase(found);
            continue;
        }
        at.waiting.push_back(std::move(message));
        ++waiting_;
        if (!at.standing.proven) ++unproven_waiting_;
    }
}

// ---- the network ----

bool Pusher::may_begin(const AtOrigin& at) const {
    if (at.waiting.empty()) return false;
    auto all = static_cast<int>(under_way_.size());
    if (at.standing.proven)
        return at.under_way < most_proven_per_origin && all - unproven_under_way_ < most_proven;
    return at.under_way < most_unproven_per_origin && unproven_under_way_ < most_unproven;
}

void Pusher::begin_some() {
    if (waiting_ == 0) return;
    for (auto& [origin, at] : origins_)
        while (may_begin(at)) begin(origin, at);
}

void Pusher::begin(const std::string& origin, AtOrigin& at) {
    auto message = std::move(at.waiting.front());
    at.waiting.pop_front();
    const bool proven = at.standing.proven;
    --waiting_;
    ++at.under_way;
    if (!proven) --unproven_waiting_, ++unproven_under_way_;
    auto tag = ++last_tag_;
    under_way_.emplace(tag, UnderWay{origin, message.id, message.subscription, message.attempts, proven});
    auto vapid_token = vapid_tokens_->vapid_token(origin, clock_now());
    signing_pool_.sign(tag, [message = std::move(message), vapid_token = std::move(vapid_token)] {
        return push::request(message, vapid_token);
    });
}

// Releases unstarted messages at shutdown.
void Pusher::give_back() {
    for (auto& [origin, at] : origins_) {
        for (const auto& message : at.waiting) report_.released.push_back(message.id);
        at.waiting.clear();
    }
    waiting_ = unproven_waiting_ = 0;
}

void Pusher::remember(const std::string& origin, const Standing& standing) {
    if (known_.size() >= most_known) known_.clear();
    known_[origin] = standing;
}

// After repeated failures, the rest of the messages waits.
void Pusher::judge(AtOrigin& at, bool answered) {
    auto& standing = at.standing;
    const bool was_proven = standing.proven;
    standing.failures = answered ? 0 : standing.failures + 1;
    standing.proven = answered || (was_proven && standing.failures < most_failures);
    const auto here = static_cast<int>(at.waiting.size());
    if (was_proven != standing.proven) unproven_waiting_ += standing.proven ? -here : here;
    if (standing.proven) return;
    standing.rests_until = Steady::now() + rest_of_silent;
    for (const auto& message : at.waiting) report_.rescheduled.push_back(message.id);
    waiting_ -= here;
    unproven_waiting_ -= here;
    at.waiting.clear();
}

void Pusher::finish(net::Sender::Ended ended) {
    auto one = under_way_.extract(ended.tag).mapped();
    const auto& answer = ended.answer;
    const bool answered = answer.failure == base::FetchFailure::none;
    auto verdict = push::verdict(answer.failure, answer.status);
    push::Outcome outcome{one.id, one.subscription, one.attempts, verdict, answer.retry_after};
    ++(verdict == Verdict::sent ? sent_ : verdict == Verdict::gone ? gone_ : failed_);
    // A request cancelled by our own shutdown says nothing about the service.
    if (is_stopping() && !answered) report_.released.push_back(one.id);
    else report_.outcomes.push_back(outcome);
    if (!one.proven) --unproven_under_way_;
    auto found = origins_.find(one.origin);
    auto& at = found->second;
    --at.under_way;
    judge(at, answered);
    if (at.under_way > 0 || !at.waiting.empty()) return;
    remember(one.origin, at.standing);
    origins_.erase(found);
}

}  // namespace server

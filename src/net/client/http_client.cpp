// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/client/http_client.hpp"

#include "base/deadline.hpp"
#include "base/text/utf8.hpp"
#include "net/client/http_exchange.hpp"

#include <algorithm>

namespace net {

using base::Fetched, base::FetchFailure;

namespace {

Fetched failed(FetchFailure why, const std::string& url, std::int64_t retry_after = 0) {
    return {why, 0, url, {}, {}, retry_after};
}

bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// Headers that may be sent to another host: only those that do not authenticate us.
bool tells_nothing(const base::FetchHeader& header) {
    for (std::string_view name : {"accept", "accept-language"})
        if (base::text::same_ignoring_ascii_case(header.name, name)) return true;
    return false;
}

}  // namespace

HttpClient::HttpClient(HttpClientOptions options)
    : options_(std::move(options)),
      allowed_(options_.allowed_networks),
      wakes_(options_.stop, [this] { wake(); }) {}

// Wakes those waiting in line.
void HttpClient::wake() {
    { std::lock_guard lock(mutex_); }
    moved_.notify_all();
}

// The right to make a request to a host, held until it ends.
struct HttpClient::Turn {
    Turn(HttpClient& of, const FetchTarget& target, const base::Fetch& question, Clock::time_point end)
        : client(of), host(target.host), refusal(of.admit(*this, target.origin(), question, end)) {}
    ~Turn() {
        if (refusal.why == FetchFailure::none) client.leave(*this);
    }
    Turn(const Turn&) = delete;

    HttpClient& client;
    const std::string host;
    const Refusal refusal;
};

HttpClient::Refusal HttpClient::admit(
    const Turn& turn, const std::string& origin, const base::Fetch& question, Clock::time_point end
) {
    std::unique_lock lock(mutex_);
    if (options_.stop.stop_requested() || is_silent(origin) || !await(lock, turn, origin, end))
        return {FetchFailure::busy};
    const auto second =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now().time_since_epoch()).count();
    if (second / 60 != std::exchange(minute_, second / 60)) counted_.clear();
    if (!counts(turn.host, question)) {
        forget_if_empty(turn.host);
        return {FetchFailure::busy, 60 - second % 60};
    }
    ++lines_[turn.host].talking;
    return {};
}

// Counts one more request in this minute; false: too many.
bool HttpClient::counts(const std::string& host, const base::Fetch& question) {
    if (question.per_minute <= 0) return true;
    auto& counted = counted_[host];
    if (counted.all >= question.per_minute) return false;
    if (question.bulk && counted.bulk >= question.per_minute / 2) return false;
    ++counted.all;
    if (question.bulk) ++counted.bulk;
    return true;
}

// Returns false if too many wait already, or the wait would be too long.
bool HttpClient::await(
    std::unique_lock<std::mutex>& lock, const Turn& turn, const std::string& origin, Clock::time_point end
) {
    auto found = lines_.find(turn.host);
    if (found == lines_.end()) return true;
    auto& line = found->second;
    auto free = [&] { return line.talking < options_.per_host; };
    if (free() && line.waiting.empty()) return true;
    if (line.waiting.size() >= static_cast<std::size_t>(options_.in_line)) return false;
    line.waiting.push_back(&turn);
    moved_.wait_until(lock, end, [&] {
        return options_.stop.stop_requested() || is_silent(origin) ||
               (free() && line.waiting.front() == &turn);
    });
    bool come =
        free() && line.waiting.front() == &turn && !is_silent(origin) && !options_.stop.stop_requested();
    std::erase(line.waiting, &turn);
    if (!come) forget_if_empty(turn.host);
    moved_.notify_all();
    return come;
}

void HttpClient::leave(const Turn& turn) {
    {
        std::lock_guard lock(mutex_);
        --lines_[turn.host].talking;
        forget_if_empty(turn.host);
    }
    moved_.notify_all();
}

void HttpClient::forget_if_empty(const std::string& host) {
    auto line = lines_.find(host);
    if (line != lines_.end() && line->second.talking == 0 && line->second.waiting.empty()) lines_.erase(line);
}

bool HttpClient::is_silent(const std::string& origin) const {
    auto silent = silent_.find(origin);
    return silent != silent_.end() && silent->second > Clock::now();
}

void HttpClient::note_silence(const std::string& origin) {
    constexpr std::size_t most = 10'000;
    {
        std::lock_guard lock(mutex_);
        auto now = Clock::now();
        if (silent_.size() >= most)
            std::erase_if(silent_, [&](const auto& one) { return one.second <= now; });
        if (silent_.size() < most) silent_[origin] = now + options_.avoided;
    }
    moved_.notify_all();
}

Fetched HttpClient::fetch(const base::Fetch& question) {
    auto answer = ask(question);
    if (answer.failure == FetchFailure::none) return answer;
    if (options_.stop.stop_requested()) throw base::Stopping();
    if (base::Within::over()) throw base::TimedOut();
    return answer;
}

Fetched HttpClient::ask(const base::Fetch& question) {
    if (options_.asks_nobody) return failed(FetchFailure::unreachable, question.url);
    auto asked = question;
    const auto end =
        std::min(Clock::now() + std::chrono::seconds(question.seconds), base::Within::deadline());
    std::vector<std::string> seen;
    std::optional<FetchTarget> before;
    for (int hop = 0;; ++hop) {
        auto target = read_target(asked.url);
        if (!target) return failed(FetchFailure::bad_url, asked.url);
        bool fallen = before && before->scheme == "https" && target->scheme == "http";
        bool plain = question.plain_http || options_.plain_http;
        if (target->scheme == "http" && (!plain || fallen)) return failed(FetchFailure::bad_url, asked.url);
        if (is_one_of(*target, options_.own_hosts)) return failed(FetchFailure::forbidden_address, asked.url);
        if (before && before->origin() != target->origin()) {
            std::erase_if(asked.headers, [](const auto& header) { return !tells_nothing(header); });
            asked.trusted = false;
        }
        if (Clock::now() >= end) return failed(FetchFailure::timeout, asked.url);
        Turn turn(*this, *target, question, end);
        if (turn.refusal.why != FetchFailure::none)
            return failed(turn.refusal.why, asked.url, turn.refusal.retry_after);
        auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0) return failed(FetchFailure::busy, asked.url);
        auto [answer, redirect] = exchange(asked, options_, allowed_, left);
        // Our own deadline may have cut it short, which does not prove that the server is silent.
        bool silent = answer.failure == FetchFailure::timeout && !asked.trusted && !base::Within::over();
        if (silent) note_silence(target->origin());
        bool follow = answer.failure == FetchFailure::none && is_redirect(answer.status) && !asked.post;
        if (!follow || redirect.empty()) return std::move(answer);
        seen.push_back(asked.url);
        if (hop >= question.redirects || std::ranges::find(seen, redirect) != seen.end())
            return failed(FetchFailure::too_many_redirects, redirect);
        asked.url = std::move(redirect);
        before = target;
    }
}

}  // namespace net

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/http_client.hpp"

#include "net/http_exchange.hpp"

#include <algorithm>

namespace net {

using base::Fetched, base::FetchFailure;
using Clock = std::chrono::steady_clock;

namespace {

Fetched failed(FetchFailure why, const std::string& url) { return {why, 0, url, {}, {}}; }

bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// What may follow to another host: nothing that proves who we are.
bool tells_nothing(const base::FetchHeader& header) {
    for (std::string_view name : {"accept", "accept-language"})
        if (std::ranges::equal(header.name, name, [](char a, char b) { return (a | 0x20) == (b | 0x20); }))
            return true;
    return false;
}

}  // namespace

HttpClient::HttpClient(HttpClientOptions options)
    : options_(std::move(options)), allowed_(options_.allowed_networks) {}

FetchFailure HttpClient::admit(const std::string& host, const std::string& origin, int per_minute) {
    std::lock_guard lock(mutex_);
    auto silent = silent_.find(origin);
    if (silent != silent_.end() && silent->second > Clock::now()) return FetchFailure::busy;
    auto minute = std::chrono::duration_cast<std::chrono::minutes>(Clock::now().time_since_epoch()).count();
    if (minute != std::exchange(minute_, minute)) counted_.clear();
    auto talking = talking_.find(host);
    if (talking != talking_.end() && talking->second >= options_.per_host) return FetchFailure::busy;
    if (per_minute > 0 && ++counted_[host] > per_minute) return FetchFailure::busy;
    ++talking_[host];
    return FetchFailure::none;
}

void HttpClient::leave(const std::string& host) {
    std::lock_guard lock(mutex_);
    if (--talking_[host] <= 0) talking_.erase(host);
}

void HttpClient::note_silence(const std::string& origin) {
    constexpr std::size_t most = 10'000;
    std::lock_guard lock(mutex_);
    auto now = Clock::now();
    if (silent_.size() >= most) std::erase_if(silent_, [&](const auto& one) { return one.second <= now; });
    if (silent_.size() < most) silent_[origin] = now + options_.avoided;
}

// Someone who may talk to a host, until they end.
struct HttpClient::Turn {
    Turn(HttpClient& of, const FetchTarget& target, int per_minute)
        : client(of), host(target.host), refusal(of.admit(host, target.origin(), per_minute)) {}
    ~Turn() {
        if (refusal == FetchFailure::none) client.leave(host);
    }
    Turn(const Turn&) = delete;

    HttpClient& client;
    const std::string host;
    const FetchFailure refusal;
};

Fetched HttpClient::fetch(const base::Fetch& question) {
    auto asked = question;
    const auto end = Clock::now() + std::chrono::seconds(question.seconds);
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
        auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0) return failed(FetchFailure::timeout, asked.url);
        Turn turn(*this, *target, question.per_minute);
        if (turn.refusal != FetchFailure::none) return failed(turn.refusal, asked.url);
        auto [answer, redirect] = exchange(asked, options_, allowed_, left);
        if (answer.failure == FetchFailure::timeout && !asked.trusted) note_silence(target->origin());
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

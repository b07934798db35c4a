// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/client/sender.hpp"

#include "net/client/transfer.hpp"

#include <unordered_map>

namespace net {

namespace {

constexpr long most_connections = 512, most_idle_connections = 128;

struct MultiCloser {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

struct UnderWay {
    std::uint64_t tag;
    Transfer transfer;
};

}  // namespace

struct Sender::Impl {
    explicit Impl(HttpClientOptions o) : options(std::move(o)), allowed(options.allowed_networks) {}

    base::FetchFailure refusal(const base::Fetch&) const;
    void collect(std::vector<Ended>& ended);

    HttpClientOptions options;
    NetworkSet allowed;
    std::unique_ptr<CURLM, MultiCloser> multi{curl_multi_init()};
    // Must be destroyed before the multi handle.
    std::unordered_map<CURL*, std::unique_ptr<UnderWay>> under_way;
    std::vector<Ended> ended;  // failed before they began
};

Sender::Sender(HttpClientOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
    auto multi = impl_->multi.get();
    if (!multi) throw std::bad_alloc();
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
    curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, most_connections);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, most_idle_connections);
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, static_cast<long>(impl_->options.per_host));
}

Sender::~Sender() {
    for (auto& [handle, one] : impl_->under_way) curl_multi_remove_handle(impl_->multi.get(), handle);
    impl_->under_way.clear();
}

base::FetchFailure Sender::Impl::refusal(const base::Fetch& asked) const {
    if (options.asks_nobody) return base::FetchFailure::unreachable;
    auto target = read_target(asked.url);
    if (!target) return base::FetchFailure::bad_url;
    if (target->scheme == "http" && !asked.plain_http && !options.plain_http)
        return base::FetchFailure::bad_url;
    if (is_one_of(*target, options.own_hosts)) return base::FetchFailure::forbidden_address;
    return base::FetchFailure::none;
}

void Sender::start(std::uint64_t tag, base::Fetch asked) {
    auto fail = [&](base::FetchFailure why) { impl_->ended.push_back({tag, {why, 0, asked.url, {}, {}}}); };
    if (auto why = impl_->refusal(asked); why != base::FetchFailure::none) return fail(why);
    const std::chrono::milliseconds time = std::chrono::seconds(asked.seconds);
    std::unique_ptr<UnderWay> one(
        new UnderWay{tag, {asked, impl_->options, impl_->allowed, time, Connections::kept}}
    );
    auto handle = one->transfer.handle();
    if (!handle || curl_multi_add_handle(impl_->multi.get(), handle) != CURLM_OK)
        return fail(base::FetchFailure::busy);
    impl_->under_way.emplace(handle, std::move(one));
}

void Sender::Impl::collect(std::vector<Ended>& out) {
    int left = 0;
    while (auto message = curl_multi_info_read(multi.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        auto code = message->data.result;
        auto found = under_way.find(message->easy_handle);
        curl_multi_remove_handle(multi.get(), found->first);
        out.push_back({found->second->tag, found->second->transfer.finish(code).answer});
        under_way.erase(found);
    }
}

std::vector<Sender::Ended> Sender::wait(std::chrono::milliseconds at_most) {
    auto multi = impl_->multi.get();
    std::vector<Ended> out;
    out.swap(impl_->ended);
    int running = 0;
    curl_multi_perform(multi, &running);
    impl_->collect(out);
    if (!out.empty()) return out;
    curl_multi_poll(multi, nullptr, 0, static_cast<int>(at_most.count()), nullptr);
    curl_multi_perform(multi, &running);
    impl_->collect(out);
    return out;
}

void Sender::wake() { curl_multi_wakeup(impl_->multi.get()); }

std::size_t Sender::under_way() const { return impl_->under_way.size() + impl_->ended.size(); }

}  // namespace net

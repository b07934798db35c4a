// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/delivery_worker.hpp"

#include "base/log.hpp"
#include "config/clock.hpp"
#include "db/write_gate.hpp"

#include <algorithm>
#include <mutex>
#include <set>

namespace server {

using federation::SignatureScheme, federation::Verdict;
using std::chrono::milliseconds, std::chrono::seconds;

namespace {

// Of the healthy and of those that failed last time: the latter never take the place of the former.
constexpr int most_under_way = 192, most_failing_under_way = 48, per_host = 4;
constexpr int most_waiting = 768;
constexpr std::size_t full_report = 128;
constexpr milliseconds between_reports{10};
constexpr seconds pause_after_trouble{1}, stop_grace{3};

net::HttpClientOptions with_few_connections(net::HttpClientOptions options) {
    options.per_host = per_host;
    return options;
}

}  // namespace

DeliveryWorker::DeliveryWorker(
    db::Engine& engine, net::HttpClientOptions client, DeliveryWorkerOptions options
)
    : engine_(engine), sender_(with_few_connections(std::move(client))), options_(options) {}

void DeliveryWorker::start() {
    stopping_ = false;
    signing_pool_.start(std::max(1U, std::thread::hardware_concurrency()));
    thread_ = std::thread([this] { loop(); });
}

void DeliveryWorker::stop() {
    stopping_ = true;
    sender_.wake();
    if (thread_.joinable()) thread_.join();
    signing_pool_.stop();
}

void DeliveryWorker::wake() {
    woken_ = true;
    sender_.wake();
}

DeliveryWorker::Counters DeliveryWorker::counters() const { return {delivered_, refused_, failed_, busy_}; }

void DeliveryWorker::loop() {
    look_at_ = Steady::now();
    Steady::time_point end;
    for (bool leaving = false;;) {
        take_loaded();
        if (stopping_ && !std::exchange(leaving, true)) end = Steady::now() + stop_grace;
        if (!leaving) begin_some();
        bool over = leaving && (under_way_.empty() || Steady::now() >= end);
        if (over && !exchanging_) break;
        if (wants_exchange() && !over) exchange();
        auto wait = leaving ? std::min(patience(), milliseconds(100)) : patience();
        for (auto& one : signing_pool_.take()) sender_.start(one.tag, std::move(one.request));
        for (auto& ended : sender_.wait(wait)) finish(std::move(ended));
        busy_ = static_cast<std::int64_t>(under_way_.size());
    }
    // What was leased and not sent is free for others, and for the next start.
    for (const auto& [host, at] : hosts_) report_.finished.push_back(host);
    hosts_.clear();
    exchange();
    while (exchanging_) {
        sender_.wait(milliseconds(100));
        take_loaded();
    }
}

// ---- the database ----

federation::Capacity DeliveryWorker::capacity() const {
    if (stopping_) return {};
    auto failing =
        static_cast<int>(std::ranges::count_if(hosts_, [](const auto& at) { return at.second.failing; }));
    auto batches = std::max(0, most_waiting - waiting_) / federation::most_in_batch;
    return {batches, most_failing_under_way - failing};
}

bool DeliveryWorker::wants_exchange() const {
    if (exchanging_) return false;
    auto now = Steady::now();
    bool reason = woken_ || now >= look_at_ || !report_.outcomes.empty() || !report_.finished.empty();
    return reason && (report_.outcomes.size() >= full_report || now - exchanged_at_ >= between_reports);
}

milliseconds DeliveryWorker::patience() const {
    if (exchanging_) return seconds(options_.poll_seconds);
    auto until = look_at_;
    if (woken_ || !report_.outcomes.empty() || !report_.finished.empty()) until = exchanged_at_;
    until = std::max(until, exchanged_at_ + between_reports);
    auto left = std::chrono::ceil<milliseconds>(until - Steady::now());
    return std::clamp(left, milliseconds(0), milliseconds(seconds(options_.poll_seconds)));
}

void DeliveryWorker::exchange() {
    exchanging_ = true;
    exchanged_at_ = Steady::now();
    woken_ = false;
    auto loaded = std::make_shared<LoadedWork>();
    loaded->report = std::exchange(report_, {});
    auto change = [loaded, capacity = capacity(), pace = options_.pace](db::Write& db) {
        loaded->work = federation::exchange(db, loaded->report, capacity, pace);
    };
    auto done = [this, loaded](std::exception_ptr error) {
        loaded->failed = error != nullptr;
        if (error || loaded->work.batches.empty()) return deposit(loaded);
        auto look = [this, loaded](db::Read& db) {
            try {
                load(db, *loaded);
            } catch (const std::exception& e) {
                base::log_error("deliveries cannot be read", {{"cause", e.what()}});
            }
            deposit(loaded);
        };
        if (!engine_.read(look, db::newest)) deposit(loaded);
    };
    // Rows get fewer by it, so that it goes on when the disk is full.
    const db::MakingRoom making_room;
    if (engine_.write("exchange_deliveries", change, done)) return;
    loaded->failed = true;
    deposit(loaded);
}

void DeliveryWorker::deposit(std::shared_ptr<LoadedWork> loaded) {
    {
        std::lock_guard lock(mutex_);
        deposited_ = std::move(loaded);
    }
    sender_.wake();
}

namespace {

std::shared_ptr<const federation::SigningKey> find_key(db::Read& db, base::AccountId signer) {
    try {
        return std::make_shared<const federation::SigningKey>(federation::signing_key(db, signer));
    } catch (const base::Unavailable&) {
        return nullptr;  // not made yet
    }
}

}  // namespace

// On a reader.
void DeliveryWorker::load(db::Read& db, LoadedWork& loaded) const {
    std::set<federation::ActivityId> ids;
    for (const auto& batch : loaded.work.batches)
        for (const auto& one : batch.deliveries) ids.insert(one.activity);
    std::map<federation::ActivityId, std::shared_ptr<const std::string>> bodies;
    for (auto& [id, body] : federation::bodies(db, {ids.begin(), ids.end()}))
        bodies[id] = std::make_shared<const std::string>(std::move(body));
    std::map<base::AccountId, std::shared_ptr<const federation::SigningKey>> keys;
    std::map<base::AccountId, std::shared_ptr<const federation::Synchronization>> followers;
    for (const auto& batch : loaded.work.batches) {
        for (const auto& one : batch.deliveries) {
            auto key = keys.try_emplace(one.signer);
            if (key.second) key.first->second = find_key(db, one.signer);
            OutgoingRequest outgoing{
                one, batch.host, bodies[one.activity], nullptr, key.first->second, batch.signature_scheme
            };
            if (one.synchronized) {
                auto told = followers.try_emplace(one.signer);
                if (told.second)
                    if (auto found = federation::synchronization(db, one.signer))
                        told.first->second = std::make_shared<const federation::Synchronization>(*found);
                outgoing.followers = told.first->second;
            }
            loaded.requests.push_back(std::move(outgoing));
        }
    }
}

void DeliveryWorker::take_loaded() {
    std::shared_ptr<LoadedWork> loaded;
    {
        std::lock_guard lock(mutex_);
        loaded = std::exchange(deposited_, nullptr);
    }
    if (!loaded) return;
    exchanging_ = false;
    const auto now = Steady::now();
    if (loaded->failed) {
        auto& outcomes = loaded->report.outcomes;
        auto& finished = loaded->report.finished;
        report_.outcomes.insert(report_.outcomes.begin(), outcomes.begin(), outcomes.end());
        report_.finished.insert(report_.finished.begin(), finished.begin(), finished.end());
        exchanged_at_ = look_at_ = now + pause_after_trouble;
        return;
    }
    look_at_ = now + seconds(options_.poll_seconds);
    if (loaded->work.next_at) {
        auto due = milliseconds(loaded->work.next_at->ms - clock_now().ms);
        // What was due already found no room. Where there is some by now, more is asked for at once, as long as more
        // comes; otherwise when something has ended.
        bool found_no_room = *loaded->work.next_at <= loaded->work.now;
        if (!found_no_room || !loaded->requests.empty())
            look_at_ = std::min(look_at_, now + std::max(due, milliseconds(0)));
    }
    // Rounds that could not be read stay leased until they run out.
    if (loaded->requests.empty()) return;
    for (auto& batch : loaded->work.batches) {
        auto& at = hosts_[batch.host];
        at.signature_scheme = batch.signature_scheme;
        at.failing = batch.failing;
        at.begun = now;
    }
    for (auto& outgoing : loaded->requests) {
        hosts_[outgoing.host].waiting.push_back(std::move(outgoing));
        ++waiting_;
    }
}

// ---- the network ----

bool DeliveryWorker::may_begin(const AtHost& at) const {
    if (at.waiting.empty() || at.under_way >= (at.failing ? 1 : per_host)) return false;
    auto healthy = static_cast<int>(under_way_.size()) - failing_under_way_;
    return at.failing ? failing_under_way_ < most_failing_under_way : healthy < most_under_way;
}

void DeliveryWorker::begin_some() {
    if (waiting_ == 0) return;
    const auto oldest = Steady::now() - seconds(federation::batch_seconds);
    std::vector<std::string> over;
    for (auto& [host, at] : hosts_) {
        if (at.begun < oldest && !at.waiting.empty()) {
            waiting_ -= static_cast<int>(at.waiting.size());
            at.waiting.clear();
            over.push_back(host);
        }
        while (may_begin(at)) {
            auto outgoing = std::move(at.waiting.front());
            at.waiting.pop_front();
            --waiting_;
            ++at.under_way;
            failing_under_way_ += at.failing;
            outgoing.signature_scheme = at.signature_scheme;
            send(std::move(outgoing));
        }
    }
    for (const auto& host : over) release_host(host);
}

std::shared_ptr<const ap::PrivateKey> DeliveryWorker::parsed(const federation::SigningKey& key) {
    constexpr std::size_t most_keys = 1024;
    if (auto found = keys_.find(key.private_pem); found != keys_.end()) return found->second;
    auto parsed = ap::PrivateKey::from_pem(key.private_pem);
    if (!parsed) return nullptr;
    if (keys_.size() >= most_keys) keys_.clear();
    auto kept = std::make_shared<const ap::PrivateKey>(*std::move(parsed));
    keys_.emplace(key.private_pem, kept);
    return kept;
}

base::Fetch DeliveryWorker::request(
    const OutgoingRequest& outgoing, const ap::PrivateKey& key,
    const std::optional<ap::SignatureRequest>& requested
) {
    base::Fetch out;
    const auto& inbox = outgoing.delivery.inbox;
    auto scheme = inbox.find("://");
    if (scheme == inbox.npos) return out;
    auto path = std::min(inbox.find_first_of("/?#", scheme + 3), inbox.size());
    auto origin = inbox.substr(0, scheme + 3) + outgoing.host;
    auto target = inbox.substr(path, inbox.find('#') - path);
    if (!target.starts_with('/')) target.insert(0, "/");
    ap::Headers headers{{"Content-Type", "application/activity+json"}};
    if (outgoing.followers)
        headers.emplace_back("Collection-Synchronization", outgoing.followers->header(origin));
    ap::SignedRequest signing{"POST", target, origin, headers, *outgoing.body};
    ap::Signer signer{key, outgoing.key->id};
    auto signed_headers =
        outgoing.signature_scheme == SignatureScheme::draft
            ? ap::sign_draft(signing, signer, clock_now())
            : ap::sign_rfc9421(signing, signer, clock_now(), requested ? &*requested : nullptr);
    for (auto& [name, value] : signed_headers) out.headers.push_back({name, value});
    out.url = origin + target;
    out.post = true;
    out.body = *outgoing.body;
    out.most_bytes = 64 << 10;
    out.cut = true;
    out.redirects = 0;
    return out;
}

void DeliveryWorker::send(OutgoingRequest outgoing, std::optional<ap::SignatureRequest> requested) {
    auto tag = ++last_tag_;
    auto key = outgoing.body && outgoing.key ? parsed(*outgoing.key) : nullptr;
    if (key)
        signing_pool_.sign(tag, [outgoing, key, requested = std::move(requested)] {
            return request(outgoing, *key, requested);
        });
    else sender_.start(tag, {});  // which has no address, so that it fails
    under_way_.emplace(tag, std::move(outgoing));
}

void DeliveryWorker::finish(net::Sender::Ended ended) {
    auto found = under_way_.find(ended.tag);
    auto outgoing = std::move(found->second);
    under_way_.erase(found);
    if (retry_with_other_scheme(outgoing, ended.answer)) return;
    settle(std::move(outgoing), ended.answer);
}

bool DeliveryWorker::retry_with_other_scheme(OutgoingRequest& outgoing, const base::Fetched& answer) {
    bool refused =
        answer.failure == base::FetchFailure::none && (answer.status == 400 || answer.status == 401);
    if (!refused || outgoing.second || stopping_) return false;
    auto requested = ap::read_accept_signature(answer.header("accept-signature"));
    bool told = requested.has_value();
    outgoing.signature_scheme = told || outgoing.signature_scheme == SignatureScheme::draft
                                    ? SignatureScheme::rfc9421
                                    : SignatureScheme::draft;
    outgoing.second = true;
    send(std::move(outgoing), std::move(requested));
    return true;
}

void DeliveryWorker::settle(OutgoingRequest outgoing, const base::Fetched& answer) {
    federation::Outcome outcome;
    const bool unready = outgoing.body && !outgoing.key;
    outcome.verdict = unready ? Verdict::unready : federation::verdict(answer.failure, answer.status);
    outcome.signature_scheme = outgoing.signature_scheme;
    outcome.gone = answer.status == 410;
    if (outcome.verdict == Verdict::failed)
        outcome.wait_seconds =
            std::clamp<std::int64_t>(answer.retry_after, 0, federation::longest_retry_after_seconds);
    outcome.error = answer.failure == base::FetchFailure::none ? "answered " + std::to_string(answer.status)
                                                               : std::string(base::word(answer.failure));
    if (!unready)
        ++(outcome.verdict == Verdict::delivered ? delivered_
           : outcome.verdict == Verdict::refused ? refused_
                                                 : failed_);
    auto& at = hosts_[outgoing.host];
    --at.under_way;
    failing_under_way_ -= at.failing;
    if (outcome.verdict == Verdict::delivered) at.signature_scheme = outcome.signature_scheme;
    if (outcome.verdict == Verdict::failed && !at.waiting.empty()) {
        // Who begins to fail is asked more slowly: the rest waits for the next round.
        waiting_ -= static_cast<int>(at.waiting.size());
        at.waiting.clear();
    }
    auto host = outgoing.host;
    outcome.host = host;
    outcome.delivery = std::move(outgoing.delivery);
    report_.outcomes.push_back(std::move(outcome));
    release_host(host);
}

// Of a host where nothing is left to do.
void DeliveryWorker::release_host(const std::string& host) {
    auto found = hosts_.find(host);
    if (found == hosts_.end() || found->second.under_way > 0 || !found->second.waiting.empty()) return;
    report_.finished.push_back(host);
    hosts_.erase(found);
}

}  // namespace server

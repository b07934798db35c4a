// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/delivery_worker.hpp"

#include "config/clock.hpp"

#include <algorithm>
#include <set>

namespace server {

using federation::SignatureScheme, federation::Verdict;
using std::chrono::milliseconds, std::chrono::seconds;

namespace {

// Concurrent requests to healthy hosts, and to those that failed last time; the latter never use slots of the
// former.
constexpr int most_under_way = 192, most_failing_under_way = 48, per_host = 4;
constexpr int most_waiting = 768;

net::HttpClientOptions with_few_connections(net::HttpClientOptions options) {
    options.per_host = per_host;
    return options;
}

}  // namespace

DeliveryWorker::DeliveryWorker(
    db::Engine& engine, net::HttpClientOptions client, DeliveryWorkerOptions options
)
    : SendingThread(
          engine, with_few_connections(std::move(client)),
          {"exchange_deliveries", seconds(options.poll_seconds), std::thread::hardware_concurrency()}
      ),
      options_(options) {}

DeliveryWorker::Counters DeliveryWorker::counters() const { return {delivered_, refused_, failed_, busy_}; }

// ---- the database ----

federation::Capacity DeliveryWorker::capacity() const {
    if (is_stopping()) return {};
    auto failing =
        static_cast<int>(std::ranges::count_if(hosts_, [](const auto& at) { return at.second.failing; }));
    auto batches = std::max(0, most_waiting - waiting_) / federation::most_in_batch;
    return {batches, most_failing_under_way - failing};
}

void DeliveryWorker::take_report(DeliveryExchange& to) {
    to.report = std::exchange(report_, {});
    to.capacity = capacity();
}

void DeliveryWorker::exchange(db::Write& db, DeliveryExchange& one) {
    one.work = federation::exchange(db, one.report, one.capacity, options_.pace);
}

void DeliveryWorker::report_again(DeliveryExchange& from) {
    auto& outcomes = from.report.outcomes;
    auto& finished = from.report.finished;
    report_.outcomes.insert(report_.outcomes.begin(), outcomes.begin(), outcomes.end());
    report_.finished.insert(report_.finished.begin(), finished.begin(), finished.end());
}

// Releases what was leased but not sent, for other processes and the next start.
void DeliveryWorker::give_up() {
    for (const auto& [host, at] : hosts_) report_.finished.push_back(host);
    hosts_.clear();
}

namespace {

std::shared_ptr<const federation::SigningKey> find_key(db::Read& db, base::AccountId signer) {
    try {
        return std::make_shared<const federation::SigningKey>(federation::signing_key(db, signer));
    } catch (const base::Unavailable&) {
        return nullptr;  // not created yet
    }
}

}  // namespace

void DeliveryWorker::load(db::Read& db, DeliveryExchange& loaded) const {
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

void DeliveryWorker::take_in(DeliveryExchange& loaded) {
    const auto now = Steady::now();
    if (loaded.work.next_at) {
        // Some due work did not fit. If there is room now, more is requested at once, as long as that returns
        // work; otherwise when a request has ended.
        bool found_no_room = *loaded.work.next_at <= loaded.work.now;
        if (!found_no_room || !loaded.requests.empty())
            look_in(milliseconds(loaded.work.next_at->ms - clock_now().ms));
    }
    // Batches that could not be loaded stay leased until the lease expires.
    if (loaded.requests.empty()) return;
    for (auto& batch : loaded.work.batches) {
        auto& at = hosts_[batch.host];
        at.signature_scheme = batch.signature_scheme;
        at.failing = batch.failing;
        at.begun = now;
    }
    for (auto& outgoing : loaded.requests) {
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
    else sender_.start(tag, {});  // has no URL, so it fails
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
    if (!refused || outgoing.second || is_stopping()) return false;
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
        // Slow down for a host that begins to fail: the rest waits for the next round.
        waiting_ -= static_cast<int>(at.waiting.size());
        at.waiting.clear();
    }
    auto host = outgoing.host;
    outcome.host = host;
    outcome.delivery = std::move(outgoing.delivery);
    report_.outcomes.push_back(std::move(outcome));
    release_host(host);
}

// Releases a host once nothing is left to do for it.
void DeliveryWorker::release_host(const std::string& host) {
    auto found = hosts_.find(host);
    if (found == hosts_.end() || found->second.under_way > 0 || !found->second.waiting.empty()) return;
    report_.finished.push_back(host);
    hosts_.erase(found);
}

}  // namespace server

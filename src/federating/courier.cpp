// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/courier.hpp"

#include "base/log.hpp"
#include "config/clock.hpp"

#include <algorithm>
#include <mutex>
#include <set>

namespace server {

using federation::Knock, federation::Verdict;
using std::chrono::milliseconds, std::chrono::seconds;

namespace {

// Of the healthy and of those that failed last time: the latter never take the place of the former.
constexpr int most_under_way = 192, most_sick_under_way = 48, per_host = 4;
constexpr int most_waiting = 768;
constexpr std::size_t full_report = 128;
constexpr milliseconds between_reports{10};
constexpr seconds pause_after_trouble{1}, farewell{3};

net::HttpClientOptions with_few_connections(net::HttpClientOptions options) {
    options.per_host = per_host;
    return options;
}

}  // namespace

Courier::Courier(db::Engine& engine, net::HttpClientOptions client, CourierOptions options)
    : engine_(engine), sender_(with_few_connections(std::move(client))), options_(options) {}

void Courier::start() {
    stopping_ = false;
    signers_.start(std::max(1U, std::thread::hardware_concurrency()));
    thread_ = std::thread([this] { loop(); });
}

void Courier::stop() {
    stopping_ = true;
    sender_.wake();
    if (thread_.joinable()) thread_.join();
    signers_.stop();
}

void Courier::wake() {
    woken_ = true;
    sender_.wake();
}

Courier::Counters Courier::counters() const { return {delivered_, refused_, failed_, busy_}; }

void Courier::loop() {
    look_at_ = Steady::now();
    Steady::time_point end;
    for (bool leaving = false;;) {
        take_parcel();
        if (stopping_ && !std::exchange(leaving, true)) end = Steady::now() + farewell;
        if (!leaving) begin_some();
        bool over = leaving && (under_way_.empty() || Steady::now() >= end);
        if (over && !exchanging_) break;
        if (wants_exchange() && !over) exchange();
        auto wait = leaving ? std::min(patience(), milliseconds(100)) : patience();
        for (auto& one : signers_.take()) sender_.start(one.tag, std::move(one.request));
        for (auto& ended : sender_.wait(wait)) finish(std::move(ended));
        busy_ = static_cast<std::int64_t>(under_way_.size());
    }
    // What was leased and not sent is free for others, and for the next start.
    for (const auto& [host, at] : hosts_) report_.finished.push_back(host);
    hosts_.clear();
    exchange();
    while (exchanging_) {
        sender_.wait(milliseconds(100));
        take_parcel();
    }
}

// ---- the database ----

federation::Room Courier::room() const {
    if (stopping_) return {};
    auto sick =
        static_cast<int>(std::ranges::count_if(hosts_, [](const auto& at) { return at.second.sick; }));
    auto rounds = std::max(0, most_waiting - waiting_) / federation::most_in_round;
    return {rounds, most_sick_under_way - sick};
}

bool Courier::wants_exchange() const {
    if (exchanging_) return false;
    auto now = Steady::now();
    bool reason = woken_ || now >= look_at_ || !report_.outcomes.empty() || !report_.finished.empty();
    return reason && (report_.outcomes.size() >= full_report || now - exchanged_at_ >= between_reports);
}

milliseconds Courier::patience() const {
    if (exchanging_) return seconds(options_.poll_seconds);
    auto until = look_at_;
    if (woken_ || !report_.outcomes.empty() || !report_.finished.empty()) until = exchanged_at_;
    until = std::max(until, exchanged_at_ + between_reports);
    auto left = std::chrono::ceil<milliseconds>(until - Steady::now());
    return std::clamp(left, milliseconds(0), milliseconds(seconds(options_.poll_seconds)));
}

void Courier::exchange() {
    exchanging_ = true;
    exchanged_at_ = Steady::now();
    woken_ = false;
    auto parcel = std::make_shared<Parcel>();
    parcel->report = std::exchange(report_, {});
    auto change = [parcel, room = room(), pace = options_.pace](db::Write& db) {
        parcel->work = federation::exchange(db, parcel->report, room, pace);
    };
    auto done = [this, parcel](std::exception_ptr error) {
        parcel->failed = error != nullptr;
        if (error || parcel->work.rounds.empty()) return deposit(parcel);
        auto look = [this, parcel](db::Read& db) {
            try {
                load(db, *parcel);
            } catch (const std::exception& e) {
                base::log_error("deliveries cannot be read", {{"cause", e.what()}});
            }
            deposit(parcel);
        };
        if (!engine_.read(look, true)) deposit(parcel);
    };
    if (engine_.write("exchange_deliveries", change, done)) return;
    parcel->failed = true;
    deposit(parcel);
}

void Courier::deposit(std::shared_ptr<Parcel> parcel) {
    {
        std::lock_guard lock(mutex_);
        deposited_ = std::move(parcel);
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
void Courier::load(db::Read& db, Parcel& parcel) const {
    std::set<federation::ActivityId> ids;
    for (const auto& round : parcel.work.rounds)
        for (const auto& one : round.deliveries) ids.insert(one.activity);
    std::map<federation::ActivityId, std::shared_ptr<const std::string>> bodies;
    for (auto& [id, body] : federation::bodies(db, {ids.begin(), ids.end()}))
        bodies[id] = std::make_shared<const std::string>(std::move(body));
    std::map<base::AccountId, std::shared_ptr<const federation::SigningKey>> keys;
    std::map<base::AccountId, std::shared_ptr<const federation::Synchronization>> followers;
    for (const auto& round : parcel.work.rounds) {
        for (const auto& one : round.deliveries) {
            auto key = keys.try_emplace(one.signer);
            if (key.second) key.first->second = find_key(db, one.signer);
            Letter letter{one, round.host, bodies[one.activity], nullptr, key.first->second, round.knock};
            if (one.synchronized) {
                auto told = followers.try_emplace(one.signer);
                if (told.second)
                    if (auto found = federation::synchronization(db, one.signer))
                        told.first->second = std::make_shared<const federation::Synchronization>(*found);
                letter.followers = told.first->second;
            }
            parcel.letters.push_back(std::move(letter));
        }
    }
}

void Courier::take_parcel() {
    std::shared_ptr<Parcel> parcel;
    {
        std::lock_guard lock(mutex_);
        parcel = std::exchange(deposited_, nullptr);
    }
    if (!parcel) return;
    exchanging_ = false;
    const auto now = Steady::now();
    if (parcel->failed) {
        auto& outcomes = parcel->report.outcomes;
        auto& finished = parcel->report.finished;
        report_.outcomes.insert(report_.outcomes.begin(), outcomes.begin(), outcomes.end());
        report_.finished.insert(report_.finished.begin(), finished.begin(), finished.end());
        exchanged_at_ = look_at_ = now + pause_after_trouble;
        return;
    }
    look_at_ = now + seconds(options_.poll_seconds);
    if (parcel->work.next_at) {
        auto due = milliseconds(parcel->work.next_at->ms - clock_now().ms);
        // What was due already found no room. Where there is some by now, more is asked for at once, as long as more
        // comes; otherwise when something has ended.
        bool found_no_room = *parcel->work.next_at <= parcel->work.now;
        if (!found_no_room || !parcel->letters.empty())
            look_at_ = std::min(look_at_, now + std::max(due, milliseconds(0)));
    }
    // Rounds that could not be read stay leased until they run out.
    if (parcel->letters.empty()) return;
    for (auto& round : parcel->work.rounds) {
        auto& at = hosts_[round.host];
        at.knock = round.knock;
        at.sick = round.sick;
        at.begun = now;
    }
    for (auto& letter : parcel->letters) {
        hosts_[letter.host].waiting.push_back(std::move(letter));
        ++waiting_;
    }
}

// ---- the network ----

bool Courier::may_begin(const AtHost& at) const {
    if (at.waiting.empty() || at.under_way >= (at.sick ? 1 : per_host)) return false;
    auto healthy = static_cast<int>(under_way_.size()) - sick_under_way_;
    return at.sick ? sick_under_way_ < most_sick_under_way : healthy < most_under_way;
}

void Courier::begin_some() {
    if (waiting_ == 0) return;
    const auto oldest = Steady::now() - seconds(federation::round_seconds);
    std::vector<std::string> over;
    for (auto& [host, at] : hosts_) {
        if (at.begun < oldest && !at.waiting.empty()) {
            waiting_ -= static_cast<int>(at.waiting.size());
            at.waiting.clear();
            over.push_back(host);
        }
        while (may_begin(at)) {
            auto letter = std::move(at.waiting.front());
            at.waiting.pop_front();
            --waiting_;
            ++at.under_way;
            sick_under_way_ += at.sick;
            letter.knock = at.knock;
            send(std::move(letter));
        }
    }
    for (const auto& host : over) leave(host);
}

std::shared_ptr<const ap::PrivateKey> Courier::parsed(const federation::SigningKey& key) {
    constexpr std::size_t most_keys = 1024;
    if (auto found = keys_.find(key.private_pem); found != keys_.end()) return found->second;
    auto parsed = ap::PrivateKey::from_pem(key.private_pem);
    if (!parsed) return nullptr;
    if (keys_.size() >= most_keys) keys_.clear();
    auto kept = std::make_shared<const ap::PrivateKey>(*std::move(parsed));
    keys_.emplace(key.private_pem, kept);
    return kept;
}

base::Fetch Courier::request(
    const Letter& letter, const ap::PrivateKey& key, const std::optional<ap::SignatureWish>& wish
) {
    base::Fetch out;
    const auto& inbox = letter.delivery.inbox;
    auto scheme = inbox.find("://");
    if (scheme == inbox.npos) return out;
    auto path = std::min(inbox.find_first_of("/?#", scheme + 3), inbox.size());
    auto origin = inbox.substr(0, scheme + 3) + letter.host;
    auto target = inbox.substr(path, inbox.find('#') - path);
    if (!target.starts_with('/')) target.insert(0, "/");
    ap::Headers headers{{"Content-Type", "application/activity+json"}};
    if (letter.followers)
        headers.emplace_back("Collection-Synchronization", letter.followers->header(origin));
    ap::SignedRequest signing{"POST", target, origin, headers, *letter.body};
    ap::Signer signer{key, letter.key->id};
    auto signed_headers = letter.knock == Knock::draft
                              ? ap::sign_draft(signing, signer, clock_now())
                              : ap::sign_rfc9421(signing, signer, clock_now(), wish ? &*wish : nullptr);
    for (auto& [name, value] : signed_headers) out.headers.push_back({name, value});
    out.url = origin + target;
    out.post = true;
    out.body = *letter.body;
    out.most_bytes = 64 << 10;
    out.cut = true;
    out.redirects = 0;
    return out;
}

void Courier::send(Letter letter, std::optional<ap::SignatureWish> wish) {
    auto tag = ++last_tag_;
    auto key = letter.body && letter.key ? parsed(*letter.key) : nullptr;
    if (key)
        signers_.sign(tag, [letter, key, wish = std::move(wish)] { return request(letter, *key, wish); });
    else sender_.start(tag, {});  // which has no address, so that it fails
    under_way_.emplace(tag, std::move(letter));
}

void Courier::finish(net::Sender::Ended ended) {
    auto found = under_way_.find(ended.tag);
    auto letter = std::move(found->second);
    under_way_.erase(found);
    if (letter.body && !letter.key) ended.answer.failure = base::FetchFailure::busy;
    if (knock_again(letter, ended.answer)) return;
    settle(std::move(letter), ended.answer);
}

bool Courier::knock_again(Letter& letter, const base::Fetched& answer) {
    bool refused =
        answer.failure == base::FetchFailure::none && (answer.status == 400 || answer.status == 401);
    if (!refused || letter.second || stopping_) return false;
    auto wish = ap::read_accept_signature(answer.header("accept-signature"));
    bool told = wish.has_value();
    letter.knock = told || letter.knock == Knock::draft ? Knock::rfc9421 : Knock::draft;
    letter.second = true;
    send(std::move(letter), std::move(wish));
    return true;
}

void Courier::settle(Letter letter, const base::Fetched& answer) {
    federation::Outcome outcome;
    outcome.verdict = federation::verdict(answer.failure, answer.status);
    outcome.knock = letter.knock;
    outcome.gone = answer.status == 410;
    if (outcome.verdict == Verdict::failed)
        outcome.wait_seconds =
            std::clamp<std::int64_t>(answer.retry_after, 0, federation::longest_wish_seconds);
    outcome.error = answer.failure == base::FetchFailure::none ? "answered " + std::to_string(answer.status)
                                                               : std::string(base::word(answer.failure));
    ++(outcome.verdict == Verdict::delivered ? delivered_
       : outcome.verdict == Verdict::refused ? refused_
                                             : failed_);
    auto& at = hosts_[letter.host];
    --at.under_way;
    sick_under_way_ -= at.sick;
    if (outcome.verdict == Verdict::delivered) at.knock = outcome.knock;
    if (outcome.verdict == Verdict::failed && !at.waiting.empty()) {
        // Who begins to fail is asked more slowly: the rest waits for the next round.
        waiting_ -= static_cast<int>(at.waiting.size());
        at.waiting.clear();
    }
    auto host = letter.host;
    outcome.host = host;
    outcome.delivery = std::move(letter.delivery);
    report_.outcomes.push_back(std::move(outcome));
    leave(host);
}

// Of a host where nothing is left to do.
void Courier::leave(const std::string& host) {
    auto found = hosts_.find(host);
    if (found == hosts_.end() || found->second.under_way > 0 || !found->second.waiting.empty()) return;
    report_.finished.push_back(host);
    hosts_.erase(found);
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// The thread that sends messages to push services: it leases rows of social/push/queue.hpp; a reader finds
// their texts, and other threads encrypt them. A service that does not respond delays no other.
#pragma once
#include "federating/sending_thread.hpp"
#include "social/push/request.hpp"

#include <deque>
#include <unordered_map>

namespace server {

struct PushExchange {
    push::Report report;
    int capacity = 0;
    push::Work work;
    push::Identity identity;
    std::vector<push::Message> messages;
};

class Pusher final : public SendingThread<PushExchange> {
public:
    Pusher(db::Engine&, net::HttpClientOptions, std::int64_t retry_ms);
    ~Pusher() override { stop(); }

    struct Counters {
        std::int64_t sent = 0, failed = 0, gone = 0, under_way = 0;
    };
    Counters counters() const;

private:
    // The reliability of an origin. One that has responded is proven, until it fails many times in a row; all
    // unproven ones together share a few slots.
    struct Standing {
        bool proven = false;
        int failures = 0;  // consecutive
        Steady::time_point rests_until;
    };
    struct AtOrigin {
        Standing standing;
        std::deque<push::Message> waiting;
        int under_way = 0;
    };
    struct UnderWay {
        std::string origin;
        push::MessageId id;
        push::PushId subscription;
        std::int64_t attempts = 0;
        bool proven = false;  // which slots it uses
    };
    std::size_t outcomes() const override { return report_.outcomes.size(); }
    bool has_report() const override { return !report_.empty(); }
    void take_report(PushExchange&) override;
    void report_again(PushExchange&) override;
    void take_in(PushExchange&) override;
    void begin_some() override;
    void finish(net::Sender::Ended) override;
    bool is_under_way() const override { return !under_way_.empty(); }
    void give_back() override;
    void give_up() override;
    void turned() override { busy_ = static_cast<std::int64_t>(under_way_.size()); }
    void exchange(db::Write&, PushExchange&) override;
    bool has_leased(const PushExchange& one) const override { return !one.work.leased.empty(); }
    void load(db::Read&, PushExchange&) const override;
    void drop_leased(PushExchange& one) const override { one.work.leased.clear(); }

    int capacity() const;
    bool know(const push::Identity&);
    bool may_begin(const AtOrigin&) const;
    void begin(const std::string& origin, AtOrigin&);
    void judge(AtOrigin&, bool answered);
    void remember(const std::string& origin, const Standing&);

    const std::int64_t retry_ms_;
    std::optional<push::VapidTokens> vapid_tokens_;
    std::unordered_map<std::string, AtOrigin> origins_;  // those with messages
    std::unordered_map<std::string, Standing> known_;    // all others
    std::unordered_map<std::uint64_t, UnderWay> under_way_;
    push::Report report_;
    std::uint64_t last_tag_ = 0;
    int waiting_ = 0, unproven_waiting_ = 0, unproven_under_way_ = 0;
    std::atomic<std::int64_t> sent_ = 0, failed_ = 0, gone_ = 0, busy_ = 0;
};

}  // namespace server

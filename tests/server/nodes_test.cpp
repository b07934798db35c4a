// SPDX-License-Identifier: AGPL-3.0-or-later
// What nodes tell each other, over a way that is a loop in memory.
#include "server/nodes/nodes.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

namespace {

using base::Broadcast;
using server::Nodes;
using testing::ElementsAre;
using testing::IsEmpty;

// A way on which everybody hears everything at once, unless it is cut.
struct Loop {
    struct End : Broadcast {
        explicit End(Loop& its_loop) : loop(its_loop) {}
        void start(Ears its_ears) override {
            ears = std::move(its_ears);
            {
                std::lock_guard lock(loop.mutex);
                loop.ends.push_back(this);
            }
            ears.joined();
        }
        // Whoever talks meanwhile may talk to this one.
        void stop() override {
            {
                std::lock_guard lock(loop.mutex);
                std::erase(loop.ends, this);
            }
            while (loop.talking > 0) std::this_thread::yield();
        }
        void say(std::string text) override {
            EXPECT_LE(text.size(), longest);
            ++loop.said;
            ++loop.talking;
            if (!loop.cut)
                for (auto* end : loop.all()) end->ears.heard(text);
            --loop.talking;
        }
        bool connected() const override { return !loop.cut; }
        Loop& loop;
        Ears ears;
    };
    std::vector<End*> all() {
        std::lock_guard lock(mutex);
        return ends;
    }
    std::mutex mutex;
    std::vector<End*> ends;
    std::atomic<int> said = 0, talking = 0;
    std::atomic<bool> cut = false;
};

struct Heard {
    std::mutex mutex;
    std::vector<std::string> news;
    int missed = 0;
    std::atomic<int> beats = 0;

    std::vector<std::string> take() {
        std::lock_guard lock(mutex);
        return std::exchange(news, {});
    }
    Nodes::Here here() {
        Nodes::Here out;
        out.announced = [this](std::vector<db::Announcement> all) {
            std::lock_guard lock(mutex);
            for (const auto& one : all) news.push_back(one.channel + " " + one.event + " " + one.payload);
        };
        out.missed = [this] { ++missed; };
        out.beat = [this] { ++beats; };
        return out;
    }
};

struct NodesTest : testing::Test {
    Loop loop;
    http::Limiter limits_here, limits_there;
    Heard here, there;
    Nodes one{"one", std::make_unique<Loop::End>(loop), limits_here, here.here()};
    Nodes other{"other", std::make_unique<Loop::End>(loop), limits_there, there.here()};

    void start() {
        one.start();
        other.start();
    }
};

TEST_F(NodesTest, say_nothing_to_nobody) {
    one.start();
    const int said = loop.said;
    one.tell({{"statuses", "update", "5"}});
    EXPECT_EQ(loop.said, said);
    other.start();
    one.tell({{"statuses", "update", "5"}});
    EXPECT_THAT(there.take(), ElementsAre("statuses update 5"));
    EXPECT_THAT(here.take(), IsEmpty());
}

TEST_F(NodesTest, say_what_is_too_long_in_parts_or_that_there_was_something) {
    start();
    std::vector<db::Announcement> many;
    for (int i = 0; i < 1000; ++i) many.push_back({"statuses", "update", std::to_string(i)});
    one.tell(many);
    const auto heard = there.take();
    ASSERT_EQ(heard.size(), 1000U);
    EXPECT_EQ(heard.front(), "statuses update 0");
    EXPECT_EQ(heard.back(), "statuses update 999");
    const int missed = there.missed;
    one.tell({{"tokens", "revoked", std::string(9000, '1')}});
    EXPECT_THAT(there.take(), IsEmpty());
    EXPECT_EQ(there.missed, missed + 1);
}

TEST_F(NodesTest, notice_what_they_missed) {
    start();
    const int missed = there.missed;
    loop.cut = true;
    one.tell({{"statuses", "update", "5"}});
    loop.cut = false;
    one.tell({{"statuses", "update", "6"}});
    EXPECT_THAT(there.take(), ElementsAre("statuses update 6"));
    EXPECT_EQ(there.missed, missed + 1);
    one.tell({{"statuses", "update", "7"}});
    EXPECT_EQ(there.missed, missed + 1);
}

TEST_F(NodesTest, bear_nonsense) {
    start();
    for (auto* end : loop.ends)
        for (const char* text : {"", "{", "[]", R"({"node":5})", R"({"news":[{"channel":7}]})", "null"})
            end->ears.heard(text);
    one.tell({{"statuses", "update", "8"}});
    EXPECT_THAT(there.take(), ElementsAre("statuses update 8"));
}

void nothing(db::Read&) {}

TEST_F(NodesTest, count_together_as_soon_as_they_are_two) {
    constexpr http::Route api = http::get<nothing>("/api/v1/x");
    const base::Time now{1'767'225'600'000};
    const http::RateLimitKey stranger{.address = "192.0.2.1"};
    limits_here.use_secret("ours");
    limits_there.use_secret("ours");
    one.start();
    while (here.beats == 0) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until it waits, alone
    other.start();
    std::int64_t remaining = 300;
    // What is counted before anybody asks is kept to oneself. A busy machine is late for each step, so there are few.
    for (int n = 0; remaining > 100 && here.beats == 1; ++n) {
        for (int i = 0; n < 50 && i < 5; ++i) limits_here.request(api, stranger, now);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (n % 10 == 0) remaining = limits_there.request(api, stranger, now).remaining;
    }
    EXPECT_LE(remaining, 100);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/limits.hpp"

#include <gtest/gtest.h>

namespace {

using http::RateLimitKey, http::Limiter, http::Throttle;

void nothing(db::Read&) {}

constexpr http::Route api = http::get<nothing>("/api/v1/x"), page = http::get<nothing>("/about");
constexpr std::int64_t minute = 60'000;

struct Limits : testing::Test {
    Limiter limiter;
    base::Time now{1'767'225'600'000};  // a multiple of all windows but the day-long ones

    int allowed(const http::Route& route, const RateLimitKey& subject, int tries = 4000) {
        for (int i = 0; i < tries; ++i)
            if (limiter.request(route, subject, now).refused) return i;
        return tries;
    }
};

TEST_F(Limits, count_strangers_by_address) {
    RateLimitKey stranger{.address = "192.0.2.1"};
    auto first = limiter.request(api, stranger, now);
    EXPECT_EQ(first.limit, 300);
    EXPECT_EQ(first.remaining, 299);
    EXPECT_EQ(first.reset.ms, now.ms + 5 * minute);
    EXPECT_EQ(allowed(api, stranger), 299);
    auto refused = limiter.request(api, stranger, now);
    EXPECT_TRUE(refused.refused);
    EXPECT_EQ(refused.remaining, 0);
    RateLimitKey other{.address = "192.0.2.2"};
    EXPECT_FALSE(limiter.request(api, other, now).refused);
    now.ms += 5 * minute - 1;
    EXPECT_TRUE(limiter.request(api, stranger, now).refused);
    now.ms += 1;
    EXPECT_FALSE(limiter.request(api, stranger, now).refused);
}

TEST_F(Limits, count_tokens_and_users_apart) {
    RateLimitKey phone{.user = 1, .token = 1, .address = "192.0.2.1"};
    EXPECT_EQ(allowed(api, phone), 300);
    RateLimitKey laptop{.user = 1, .token = 2, .address = "192.0.2.1"};
    EXPECT_FALSE(limiter.request(api, laptop, now).refused);
    int all = 301;
    for (std::int64_t token = 2; token < 20; ++token) {
        RateLimitKey subject{.user = 1, .token = token, .address = "192.0.2.1"};
        all += allowed(api, subject, 250);
    }
    EXPECT_LE(all, 1501);  // the user's own limit
}

TEST_F(Limits, count_an_ipv6_network_as_one) {
    EXPECT_EQ(http::counted_address("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    EXPECT_EQ(http::counted_address("192.0.2.1"), "192.0.2.1");
    EXPECT_EQ(allowed(api, {.address = "2001:db8:1:2::1"}), 300);
    EXPECT_TRUE(limiter.request(api, {.address = "2001:db8:1:2:ffff::2"}, now).refused);
    EXPECT_FALSE(limiter.request(api, {.address = "2001:db8:1:3::1"}, now).refused);
}

struct Own {
    Throttle throttle;
    int limit;
    std::int64_t minutes;
};

TEST_F(Limits, of_single_routes_are_those_of_the_table) {
    for (auto [throttle, limit, minutes] :
         {Own{Throttle::sign_up, 5, 30},
          {Throttle::app_registration, 5, 10},
          {Throttle::deletion, 30, 30},
          {Throttle::media, 30, 30},
          {Throttle::login, 25, 5},
          {Throttle::password_reset, 25, 5}}) {
        auto route = page.throttled(throttle);
        RateLimitKey subject{.address = "198.51.100.1"};
        EXPECT_EQ(allowed(route, subject), limit) << static_cast<int>(throttle);
        auto refused = limiter.request(route, subject, now);
        EXPECT_EQ(refused.limit, limit);
        EXPECT_EQ(refused.reset.ms % (minutes * minute), 0);
        EXPECT_LE(refused.reset.ms - now.ms, minutes * minute);
    }
}

TEST_F(Limits, by_name_follow_the_name_from_address_to_address) {
    auto route = page.throttled(Throttle::password_reset, "email");
    int asked = 0;
    for (; asked < 50; ++asked) {
        auto address = "198.51.100." + std::to_string(asked);
        if (limiter.request(route, {.address = address, .name = asked % 2 ? "a@b.c" : " A@B.C "}, now)
                .refused)
            break;
    }
    EXPECT_EQ(asked, 5);
    EXPECT_FALSE(limiter.request(route, {.address = "203.0.113.1", .name = "d@b.c"}, now).refused);
}

TEST_F(Limits, by_name_count_who_is_signed_in_beside_the_name) {
    auto login = page.throttled(Throttle::login), mails = page.throttled(Throttle::confirmation, "email");
    auto tries = [&](const http::Route& route, std::int64_t user) {
        for (int i = 0; i < 50; ++i) {
            auto n = std::to_string(i), address = "198.51.100." + n, name = "a" + n + "@b.c";
            RateLimitKey subject{.address = address, .name = name, .signed_in = user};
            if (route.throttle == Throttle::login) subject.name = {};
            if (limiter.request(route, subject, now).refused) return i;
        }
        return 50;
    };
    EXPECT_EQ(tries(login, 7), 25);
    EXPECT_EQ(tries(mails, 7), 5);
    EXPECT_FALSE(limiter.request(login, {.address = "203.0.113.1", .signed_in = 8}, now).refused);
    EXPECT_TRUE(limiter.request(login, {.address = "203.0.113.1", .signed_in = 7}, now).refused);
}

TEST_F(Limits, by_name_are_counted_apart_when_the_name_comes_later) {
    auto route = page.throttled(Throttle::password_reset, "email");
    using Part = RateLimitKey::Part;
    for (int i = 0; i < 24; ++i) {
        RateLimitKey head{.address = "198.51.100.1", .part = Part::head};
        EXPECT_FALSE(limiter.request(route, head, now).refused);
    }
    for (int i = 0; i < 5; ++i) {
        RateLimitKey body{.address = "198.51.100.1", .name = "a@b.c", .part = Part::name};
        EXPECT_FALSE(limiter.request(route, body, now).refused);
    }
    EXPECT_TRUE(
        limiter.request(route, {.address = "198.51.100.1", .name = "a@b.c", .part = Part::name}, now).refused
    );
    // The 25th of the address, whose names are counted by themselves.
    EXPECT_FALSE(limiter.request(route, {.address = "198.51.100.1", .name = "d@b.c"}, now).refused);
    EXPECT_TRUE(limiter.request(route, {.address = "198.51.100.1", .part = Part::head}, now).refused);
}

TEST_F(Limits, of_paging_are_their_own) {
    RateLimitKey subject{.user = 1, .token = 1, .address = "192.0.2.1", .paging = true};
    int all = 0;
    for (int i = 0; i < 3; ++i, now.ms += 5 * minute) all += allowed(api, subject, 250);
    EXPECT_EQ(all, 300);  // in 15 minutes
}

TEST_F(Limits, of_a_family_count_only_what_is_added) {
    for (int i = 0; i < 1000; ++i)
        EXPECT_FALSE(limiter.family(Throttle::statuses_family, 1, now, false).refused);
    for (int i = 0; i < 300; ++i) limiter.family(Throttle::statuses_family, 1, now, true);
    auto full = limiter.family(Throttle::statuses_family, 1, now, false);
    EXPECT_TRUE(full.refused);
    EXPECT_EQ(full.limit, 300);
    EXPECT_EQ(full.remaining, 0);
    EXPECT_FALSE(limiter.family(Throttle::statuses_family, 2, now, false).refused);
    EXPECT_FALSE(limiter.family(Throttle::follows_family, 1, now, false).refused);
    EXPECT_EQ(limiter.family(Throttle::follows_family, 1, now, false).limit, 400);
    now.ms += 180 * minute;
    EXPECT_FALSE(limiter.family(Throttle::statuses_family, 1, now, false).refused);
}

TEST_F(Limits, count_what_is_refused_nowhere_else) {
    auto route = page.throttled(Throttle::login, "name");
    RateLimitKey stranger{.address = "192.0.2.1", .name = "other"};
    EXPECT_EQ(allowed(route, stranger), 25);
    stranger.name = "victim";
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(limiter.request(route, stranger, now).refused);
    for (int i = 0; i < 25; ++i) {
        auto address = "198.51.100." + std::to_string(i);
        EXPECT_FALSE(limiter.request(route, {.address = address, .name = "victim"}, now).refused) << i;
    }
}

TEST_F(Limits, of_passwords_are_not_washed_away_by_others) {
    auto route = page.throttled(Throttle::login, "name");
    RateLimitKey stranger{.address = "192.0.2.1", .name = "victim"};
    EXPECT_EQ(allowed(route, stranger), 25);
    for (int i = 0; i < 400'000; ++i) {
        auto number = std::to_string(i);
        auto address = "10." + std::to_string(i >> 16) + "." + std::to_string(i >> 8 & 255) + "." +
                       std::to_string(i & 255);
        limiter.request(i % 2 ? api : route, {.address = address, .name = number}, now);
    }
    EXPECT_TRUE(limiter.request(route, stranger, now).refused);
    EXPECT_TRUE(limiter.request(route, {.address = "192.0.2.2", .name = "victim"}, now).refused);
}

TEST_F(Limits, do_not_lock_out_a_browser_that_is_known) {
    auto route = page.throttled(Throttle::login, "name");
    for (int i = 0; i < 40; ++i) {
        auto address = "198.51.100." + std::to_string(i);
        limiter.request(route, {.address = address, .name = "owner"}, now);
    }
    EXPECT_TRUE(limiter.request(route, {.address = "192.0.2.1", .name = "owner"}, now).refused);
    RateLimitKey known{.address = "192.0.2.2", .name = "owner", .known = "a"};
    EXPECT_EQ(allowed(route, known), 25);  // it has a limit, too
    EXPECT_TRUE(limiter.request(route, {.address = "192.0.2.3", .name = "owner", .known = "a"}, now).refused);
    EXPECT_FALSE(limiter.request(route, {.address = "192.0.2.4", .name = "owner", .known = "b"}, now).refused
    );
}

TEST_F(Limits, of_secrets_count_an_ipv6_site_as_one) {
    auto route = page.throttled(Throttle::login, "name");
    int tried = 0;
    for (; tried < 1000; ++tried) {
        auto address = "2001:db8:1:" + std::to_string(tried % 500 + 1) + "::1";
        if (limiter.request(route, {.address = address, .name = std::to_string(tried)}, now).refused) break;
    }
    EXPECT_EQ(tried, 300);
    EXPECT_FALSE(limiter.request(route, {.address = "2001:db8:2:1::1", .name = "x"}, now).refused);
}

TEST_F(Limits, stand_outside_the_api_too) {
    constexpr http::Route token = http::get<nothing>("/oauth/token"), inbox = http::get<nothing>("/inbox");
    RateLimitKey stranger{.address = "192.0.2.1"};
    EXPECT_EQ(allowed(token, stranger), 300);
    EXPECT_EQ(allowed(inbox, stranger, 40'000), 30'000);
    EXPECT_EQ(allowed(page, stranger), 2700);  // of 3000, with those of /oauth
    EXPECT_FALSE(limiter.request(api, stranger, now).refused);
    EXPECT_FALSE(limiter.request(page, {.address = "192.0.2.2"}, now).refused);
}

TEST_F(Limits, switched_off_still_tell_a_standing) {
    Limiter off(false);
    for (int i = 0; i < 1000; ++i) {
        auto rate_limit = off.request(api, {.address = "192.0.2.1"}, now);
        EXPECT_FALSE(rate_limit.refused);
        EXPECT_EQ(rate_limit.remaining, 300);
        EXPECT_GT(rate_limit.reset.ms, now.ms);
    }
}

TEST_F(Limits, tell_whom_they_refused_how_often_and_by_which) {
    const http::Route posting = http::get<nothing>("/api/v1/statuses");
    EXPECT_TRUE(limiter.refused().empty());
    allowed(api, {.address = "2001:db8:1:2:3:4:5:6"});
    for (int i = 0; i < 4; ++i) limiter.request(api, {.address = "2001:db8:1:2::9"}, now);
    now.ms += 1000;
    allowed(posting, {.user = 7, .token = 8, .address = "192.0.2.1"});
    for (int i = 0; i < 300; ++i) limiter.family(Throttle::statuses_family, 5, now, true);
    limiter.family(Throttle::statuses_family, 5, now, false);
    limiter.family(Throttle::statuses_family, 5, now, false);
    const auto all = limiter.refused();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].limit, "API, by address");
    EXPECT_EQ(all[0].address, "2001:db8:1:2::");
    EXPECT_EQ(all[0].times, 5);
    EXPECT_EQ(all[0].last.ms, now.ms - 1000);
    EXPECT_EQ(all[1].limit, "posts");
    EXPECT_EQ(all[1].who, http::Refused::account);
    EXPECT_EQ(all[1].id, 5);
    EXPECT_EQ(all[1].times, 2);
    EXPECT_EQ(all[2].limit, "API, by token");
    EXPECT_EQ(all[2].who, http::Refused::token);
    EXPECT_EQ(all[2].id, 8);
}

TEST_F(Limits, remember_a_bounded_number_of_those_they_refused_the_latest) {
    http::Refusals table;
    for (std::int64_t i = 0; i < 300; ++i)
        table.note({.limit = "posts", .who = http::Refused::account, .id = i}, {now.ms + i});
    table.note({.limit = "posts", .who = http::Refused::account, .id = 44}, {now.ms + 300});
    const auto all = table.all();
    ASSERT_EQ(all.size(), http::Refusals::most);
    EXPECT_EQ(all[0].id, 44);
    EXPECT_EQ(all[0].times, 2);
    EXPECT_EQ(all.back().id, 45) << "0 to 43 made room";
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/retry.hpp"

#include <gtest/gtest.h>

namespace {

using base::FetchFailure;
using federation::Pace, federation::retry_delay, federation::Verdict, federation::verdict;

TEST(Retries, are_given_up_only_by_answers_that_will_not_change) {
    for (int status : {200, 201, 202, 204})
        EXPECT_EQ(verdict(FetchFailure::none, status), Verdict::delivered);
    for (int status : {400, 403, 404, 405, 406, 410, 413, 415, 422, 501})
        EXPECT_EQ(verdict(FetchFailure::none, status), Verdict::refused) << status;
    for (int status : {301, 302, 307, 308, 401, 408, 429, 500, 502, 503, 504})
        EXPECT_EQ(verdict(FetchFailure::none, status), Verdict::failed) << status;
    using enum FetchFailure;
    for (auto failure : {unresolvable, unreachable, tls, timeout, too_large, bad_answer, busy})
        EXPECT_EQ(verdict(failure, 0), Verdict::failed) << base::word(failure);
    for (auto failure : {bad_url, forbidden_address}) EXPECT_EQ(verdict(failure, 0), Verdict::refused);
}

TEST(Retries, come_after_the_fourth_power_of_their_number) {
    struct Row {
        std::int64_t failures, least, most;  // seconds
    };
    const Row rows[] = {
        {1, 15, 25},
        {2, 16, 37},
        {3, 31, 69},
        {4, 96, 177},
        {5, 271, 449},
        {10, 6576, 9957},
        {15, 38'431, 57'789}
    };
    for (const auto& row : rows) {
        EXPECT_EQ(retry_delay(row.failures, false, 0, 0, {}), row.least * 1000) << row.failures;
        auto most = *retry_delay(row.failures, false, 0.999999, 0.999999, {});
        EXPECT_LE(most, row.most * 1000) << row.failures;
        EXPECT_GT(most, row.least * 1000) << row.failures;
    }
}

TEST(Retries, end_after_sixteen_and_of_what_is_less_important_after_eight) {
    EXPECT_TRUE(retry_delay(16, false, 0, 0, {}));
    EXPECT_FALSE(retry_delay(17, false, 0, 0, {}));
    EXPECT_TRUE(retry_delay(8, true, 0, 0, {}));
    EXPECT_FALSE(retry_delay(9, true, 0, 0, {}));
    EXPECT_FALSE(retry_delay(0, false, 0, 0, {}));
    std::int64_t days = 0;
    for (int n = 1; n <= 16; ++n) days += *retry_delay(n, false, 0.5, 0.5, {});
    EXPECT_GT(days, 2 * 86'400'000);
    EXPECT_LT(days, 3 * 86'400'000);
}

TEST(Retries, go_faster_in_tests) {
    Pace pace;
    pace.retry_ms = 15;
    EXPECT_EQ(retry_delay(1, false, 0, 0, pace), 15);
    EXPECT_EQ(retry_delay(3, false, 0, 0, pace), 31);
    EXPECT_EQ(pause_ms(pace), 60);
}

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// What counting a request costs while somebody makes as many windows as they can.
#include "http/limits.hpp"

#include <benchmark/benchmark.h>

namespace {

void nothing(db::Read&) {}

constexpr http::Route api = http::get<nothing>("/api/v1/x");
constexpr http::Route sign_in = http::get<nothing>("/auth/sign_in").throttled(http::Throttle::login, "name");
constexpr base::Time now{1'767'225'600'000};

std::string address(std::int64_t n) {
    return "10." + std::to_string(n >> 16 & 255) + "." + std::to_string(n >> 8 & 255) + "." +
           std::to_string(n & 255);
}

// One address that tries a new name each time.
void names_from_one_address(benchmark::State& state) {
    http::Limiter limiter;
    for (std::int64_t n = 0; n < state.range(0); ++n) {
        auto name = "name" + std::to_string(n);
        limiter.request(sign_in, {.address = "192.0.2.1", .name = name}, now);
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(limiter.request(sign_in, {.address = "192.0.2.1", .name = "somebody"}, now));
}
BENCHMARK(names_from_one_address)->Arg(10)->Arg(70'000)->Iterations(10'000);

// Many addresses that come once.
void strangers(benchmark::State& state) {
    http::Limiter limiter;
    std::vector<std::string> addresses;
    for (std::int64_t n = 0; n < 1 << 20; ++n) addresses.push_back(address(n));
    for (std::size_t n = 0; n < static_cast<std::size_t>(state.range(0)); ++n)
        limiter.request(api, {.address = addresses[n]}, now);
    auto next = static_cast<std::size_t>(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(limiter.request(api, {.address = addresses[next++ % addresses.size()]}, now)
        );
}
BENCHMARK(strangers)->Arg(10)->Arg(70'000)->Iterations(10'000);

}  // namespace

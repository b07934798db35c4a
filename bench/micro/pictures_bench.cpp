// SPDX-License-Identifier: AGPL-3.0-or-later
// Budgets: what hashing adds to an upload of 12 megapixels, less than 15 ms; one picture among a million hashes, less than 10 ms.
#include <benchmark/benchmark.h>

#include <random>

#include "sandbox/pdq.hpp"
#include "social/media/hashes/hash_list.hpp"

namespace {

// The size that a picture of 4000 x 3000 is scaled down to for its preview, of which the hash is taken.
void pdq_of_a_preview(benchmark::State& state) {
    constexpr std::size_t width = 554, height = 415;
    std::vector<std::uint8_t> rgb(width * height * 3);
    for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = static_cast<std::uint8_t>(i * i / 977);
    for (auto _ : state) benchmark::DoNotOptimize(sandbox::pdq(rgb, width, height));
}
BENCHMARK(pdq_of_a_preview)->Unit(benchmark::kMillisecond);

void one_among_a_million(benchmark::State& state) {
    std::mt19937_64 random(1);
    std::vector<sandbox::PdqBits> all(1'000'000);
    for (auto& bits : all)
        for (auto& word : bits) word = random();
    sandbox::Pdq picture;
    for (auto& bits : picture.bits)
        for (auto& word : bits) word = random();
    for (auto _ : state) benchmark::DoNotOptimize(media::nearest(all, picture, 31));
}
BENCHMARK(one_among_a_million)->Unit(benchmark::kMillisecond);

}  // namespace

// SPDX-License-Identifier: AGPL-3.0-or-later
// Budget: a 300-character post scanned, counted and rendered in less than 15 µs.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/text/count.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/html/html.hpp"
#include "base/text/scan.hpp"
#include "base/text/utf8.hpp"

namespace {

using namespace base::text;

const std::string english =
    "Hello @alice@social.example, the release is out at last: it is smaller, it starts faster & it no longer "
    "loses "
    "drafts when the network goes away.\n\nNotes are at "
    "https://blog.example.org/2025/11/release-notes-for-everyone "
    "and questions are welcome here. Thanks to everybody who tried the previews! #fediverse #release";
const std::string japanese =
    "こんにちは @alice@social.example "
    "さん、新しい版が出ました。起動が速くなり、下書きも消えません。\n\n詳しくは "
    "https://blog.example.org/2025/11/release-notes-for-everyone をご覧ください。試してくださった皆さん、"
    "ありがとうございました。👩‍💻🎉 #フェディバース #release";
const std::vector<Mention> people = {
    {"alice@social.example", "https://social.example/@alice", "alice", "social.example"}
};
const Resolve resolve{.mentions = people, .tags_url = "https://here.example/tags/"};

void post(benchmark::State& state, const std::string& text) {
    for (auto _ : state) {
        auto entities = scan(text);
        benchmark::DoNotOptimize(status_length(text, entities));
        benchmark::DoNotOptimize(to_html(text, entities, resolve));
    }
}
BENCHMARK_CAPTURE(post, english, english);
BENCHMARK_CAPTURE(post, japanese, japanese);

template <class F>
void one(benchmark::State& state, F f, const std::string& text) {
    for (auto _ : state) benchmark::DoNotOptimize(f(text));
}
const std::string remote = to_html(english, resolve);
BENCHMARK_CAPTURE(one, clean, clean_utf8, english);
BENCHMARK_CAPTURE(one, scan, scan, english);
BENCHMARK_CAPTURE(one, graphemes_english, graphemes, english);
BENCHMARK_CAPTURE(one, graphemes_japanese, graphemes, japanese);
BENCHMARK_CAPTURE(one, hashtag_ascii, normalise_hashtag, "Fediverse");
BENCHMARK_CAPTURE(one, hashtag_wide, normalise_hashtag, "フェディバース");
BENCHMARK_CAPTURE(one, sanitize, sanitize, remote);
BENCHMARK_CAPTURE(one, plain_text, plain_text, remote);

void markdown(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(markdown_html(english, resolve));
}
BENCHMARK(markdown);

}  // namespace

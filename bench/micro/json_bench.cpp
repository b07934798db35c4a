// SPDX-License-Identifier: AGPL-3.0-or-later
// Writing described structs as JSON: forty objects of the size of a status.
#include "base/json.hpp"

#include <benchmark/benchmark.h>

namespace {

struct Tag {
    std::string name, url;
};
DESCRIBE(Tag, name, url)

struct Status {
    base::StatusId id;
    base::Time created_at;
    std::optional<base::StatusId> in_reply_to_id;
    bool sensitive = false;
    std::string spoiler_text, language, uri, url, content;
    std::int64_t replies_count = 3, reblogs_count = 14, favourites_count = 159;
    std::vector<Tag> tags;
};
DESCRIBE(
    Status, id, created_at, in_reply_to_id, sensitive, spoiler_text, language, uri, url, content,
    replies_count, reblogs_count, favourites_count, tags
)

void forty_statuses(benchmark::State& state) {
    Status one;
    one.id.value = 114'098'765'432'109'876;
    one.created_at.ms = 1'767'225'600'000;
    one.language = "en";
    one.uri = "https://social.example/ap/users/114098765432109876/statuses/114098765432109876";
    one.url = "https://social.example/@somebody/114098765432109876";
    for (int n = 0; n < 30; ++n) one.content += "<p>Words that a person \"wrote\"</p>";
    one.tags = {
        {"water", "https://social.example/tags/water"}, {"light", "https://social.example/tags/light"}
    };
    std::vector<Status> page(40, one);
    std::size_t bytes = 0;
    for (auto _ : state) {
        auto text = base::json::to_string(page);
        bytes = text.size();
        benchmark::DoNotOptimize(text);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}
BENCHMARK(forty_statuses);

}  // namespace

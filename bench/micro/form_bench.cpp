// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/read_params.hpp"
#include "http/form.hpp"

#include <benchmark/benchmark.h>

namespace {

struct Timeline {
    http::Limit<20, 40> limit;
    std::optional<base::StatusId> max_id, since_id, min_id;
    bool local = false, remote = false, only_media = false;
};
DESCRIBE(Timeline, limit, max_id, since_id, min_id, local, remote, only_media)

BOOST_DEFINE_ENUM_CLASS(Visibility, public_, unlisted, private_, direct)

struct Post {
    std::string status;
    std::optional<base::StatusId> in_reply_to_id;
    std::vector<base::MediaId> media_ids;
    bool sensitive = false;
    std::string spoiler_text;
    std::optional<Visibility> visibility;
    std::optional<std::string> language;
    std::optional<base::Time> scheduled_at;
};
DESCRIBE(Post, status, in_reply_to_id, media_ids, sensitive, spoiler_text, visibility, language, scheduled_at)

http::Params params_of(const http::Request& request) {
    auto out = http::read_query(request);
    http::read_body(http::body_kind(request.header("Content-Type")), request.body, out);
    return out;
}

void get_with_two_parameters(benchmark::State& state) {
    http::Request request;
    request.target = "/api/v1/timelines/home?limit=40&max_id=114098765432109876";
    for (auto _ : state) benchmark::DoNotOptimize(http::read_form<Timeline>(params_of(request)));
}
BENCHMARK(get_with_two_parameters);

void post_of_json(benchmark::State& state) {
    http::Request request;
    request.method = http::Method::post;
    request.target = "/api/v1/statuses";
    request.headers = {{"Host", "a.example"}, {"Content-Type", "application/json"}};
    request.body = R"({"status":"A day at the lake, with geese","visibility":"public","sensitive":false,)"
                   R"("media_ids":["114098765432109876"],"language":"en"})";
    for (auto _ : state) benchmark::DoNotOptimize(http::read_form<Post>(params_of(request)));
}
BENCHMARK(post_of_json);

void hostile_list_of_objects(benchmark::State& state) {
    http::Request request;
    request.target = "/?";
    for (int i = 0; i < 10'000; ++i) request.target += "media_ids[][" + std::to_string(i) + "]=1&";
    for (auto _ : state) {
        auto params = params_of(request);
        benchmark::DoNotOptimize(params.items("media_ids"));
        benchmark::DoNotOptimize(http::read_form<Post>(params));
    }
}
BENCHMARK(hostile_list_of_objects)->Unit(benchmark::kMillisecond);

}  // namespace

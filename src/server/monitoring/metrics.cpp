// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <sstream>

namespace server {

namespace {

constexpr std::array<const char*, 5> classes{"1xx", "2xx", "3xx", "4xx", "5xx"};
const prometheus::Histogram::BucketBoundaries seconds_buckets{
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1,
    2.5,
    10,
};

struct OfRoute {
    std::array<prometheus::Counter*, classes.size()> answers{};
    prometheus::Histogram* latency = nullptr;
    std::uint64_t requests = 0, failed = 0;
    double seconds = 0;
};

}  // namespace

// A route has no figures until it is first asked for: most of three hundred never are.
struct Meter::Impl {
    OfRoute& of(const http::Route&, std::size_t status_class);

    prometheus::Registry registry;
    prometheus::Family<prometheus::Counter>& answers =
        prometheus::BuildCounter()
            .Name("dunlin_requests_total")
            .Help("Answered requests, by route and class of status.")
            .Register(registry);
    prometheus::Family<prometheus::Histogram>& latency = prometheus::BuildHistogram()
                                                             .Name("dunlin_request_seconds")
                                                             .Help("Time from request to answer, by route.")
                                                             .Register(registry);
    std::mutex mutex;
    std::unordered_map<const http::Route*, OfRoute> routes;
};

OfRoute& Meter::Impl::of(const http::Route& route, std::size_t status_class) {
    auto& figures = routes[&route];
    auto& counter = figures.answers[status_class];
    prometheus::Labels labels{
        {"method", std::string(http::to_string(route.method))}, {"route", std::string(route.path)}
    };
    if (!figures.latency) figures.latency = &latency.Add(labels, seconds_buckets);
    if (!counter) {
        labels["status"] = classes[status_class];
        counter = &answers.Add(labels);
    }
    return figures;
}

Meter::Meter(const http::Router& router) : impl_(std::make_unique<Impl>()) {
    impl_->routes.reserve(router.routes().size());
}

Meter::~Meter() = default;

void Meter::finished(const http::Route& route, int status, double took) {
    auto status_class = static_cast<std::size_t>(std::clamp(status / 100, 1, 5) - 1);
    ++answered_;
    if (status >= 500) ++failed_;
    std::lock_guard lock(impl_->mutex);
    auto& figures = impl_->of(route, status_class);
    figures.answers[status_class]->Increment();
    figures.latency->Observe(took);
    ++figures.requests;
    figures.failed += status >= 500;
    figures.seconds += took;
}

std::vector<Meter::Cost> Meter::costs() const {
    std::vector<Cost> out;
    std::lock_guard lock(impl_->mutex);
    for (const auto& [route, figures] : impl_->routes)
        out.push_back({route, figures.requests, figures.failed, figures.seconds});
    return out;
}

std::string Meter::page(const Sample& sample) const {
    auto page = impl_->registry.Collect();
    add_families(page, sample);
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, page);
    return out.str();
}

}  // namespace server

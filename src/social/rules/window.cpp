// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/window.hpp"

#include "social/rules/reading.hpp"

#include <algorithm>

namespace rules {

namespace {

constexpr std::size_t most_of_a_kind = 4;  // links, their domains, and hashtags of one post

std::uint32_t folded(std::uint64_t hash) {
    return std::max(static_cast<std::uint32_t>(hash ^ hash >> 32), 1U);
}

// Of the address of a post: its server, as far as that is told without a question.
std::string_view host_of(std::string_view uri) {
    auto begin = uri.find("://");
    return begin == uri.npos ? uri : uri.substr(begin + 3).substr(0, uri.substr(begin + 3).find('/'));
}

std::size_t bucket_of(std::uint32_t key, std::size_t buckets) {
    return (key * 0x9e3779b1U) >> 15 & (buckets - 1);
}

}  // namespace

Window::Traces Window::traces(const statuses::Candidate& post, const NormalizedText& reading) const {
    Traces out;
    std::string name;
    auto key = [&](char kind, std::string_view value) {
        name.assign(1, kind).append(value);
        return folded(hash_(name));
    };
    auto put = [&](std::size_t first, char kind, const auto& values) {
        std::size_t n = 0;
        for (const auto& value : values)
            if (n < most_of_a_kind) out.keys[first + n++] = key(kind, value);
    };
    if (!post.key.empty()) out.keys[Traces::post] = key('p', std::string(post.key) + std::string(post.html));
    out.keys[Traces::author] = key('a', std::to_string(post.author.value));
    out.keys[Traces::server] = key('s', post.key.empty() ? post.domain : host_of(post.key));
    out.by = post.author;
    put(Traces::links, 'l', reading.addresses);
    put(Traces::domains, 'd', reading.links);
    put(Traces::tags, 't', post.tags);
    std::ranges::copy(sketch(reading.said).parts, out.keys.begin() + Traces::parts);
    out.at = post.seen.ms;
    out.timely = post.seen.ms - post.at.ms <= latest_ms;
    return out;
}

Sketch Window::sketch_of(const Traces& traces) {
    Sketch out;
    std::copy_n(traces.keys.begin() + Traces::parts, out.parts.size(), out.parts.begin());
    return out;
}

// The sightings that have the key, the last one first, as long as `each` wants more; those of other keys in the same bucket
// cost steps as well.
template <class Each>
void Window::walk(std::uint32_t key, int steps, Each&& each) const {
    if (key == 0 || heads_.empty()) return;
    const auto bucket = bucket_of(key, buckets);
    auto number = heads_[bucket];
    for (; steps > 0 && number != 0; --steps) {
        const auto age = next_ - number;
        if (age == 0 || age > ring_.size()) return;
        const auto& one = ring_[number % most];
        std::size_t slot = 0;
        while (slot < Traces::all &&
               (one.traces.keys[slot] == 0 || bucket_of(one.traces.keys[slot], buckets) != bucket))
            ++slot;
        if (slot == Traces::all) return;
        if (std::ranges::find(one.traces.keys, key) != one.traces.keys.end() && !each(one)) return;
        number = one.before[slot];
    }
}

// That of the last post that says nearly the same.
std::uint32_t Window::group_of(const Traces& traces) const {
    constexpr int looked_at = 24;
    const auto own = sketch_of(traces);
    std::uint32_t group = 0;
    for (std::size_t i = Traces::parts; i < Traces::all && group == 0; ++i)
        walk(traces.keys[i], looked_at, [&](const Sighting& one) {
            if (near(own, sketch_of(one.traces))) group = one.traces.keys[Traces::group];
            return group == 0;
        });
    return group;
}

void Window::compare(Traces& traces) const {
    if (sketch_of(traces).empty()) return;
    const base::Hold hold(lock_);
    traces.keys[Traces::group] = group_of(traces);
}

void Window::note(Traces& traces) {
    const base::Hold hold(lock_);
    bool known = false;
    walk(traces.keys[Traces::post], most_counted, [&](const Sighting& one) {
        traces.keys[Traces::group] = one.traces.keys[Traces::group];
        known = true;
        return false;
    });
    if (known) return;
    if (!sketch_of(traces).empty()) traces.keys[Traces::group] = group_of(traces);
    if (!traces.timely) return;
    if (heads_.empty()) heads_.resize(buckets);
    const auto number = next_;
    if (traces.keys[Traces::group] == 0 && !sketch_of(traces).empty())
        traces.keys[Traces::group] = folded(hash_("g" + std::to_string(number)));
    if (ring_.size() < most) ring_.resize(std::max<std::size_t>(number % most + 1, ring_.size()));
    auto& place = ring_[number % most];
    place = {traces, {}};
    for (std::size_t i = 0; i < Traces::all; ++i) {
        if (traces.keys[i] == 0) continue;
        auto& head = heads_[bucket_of(traces.keys[i], buckets)];
        // A second key in the same bucket leads to where the first one does.
        if (head == number) continue;
        place.before[i] = head;
        head = number;
    }
    if (++next_ == 0) next_ = most;
}

// What is told by its address comes again at other times.
bool Window::is_same(const Traces& a, const Traces& b) {
    if (a.keys[Traces::post] != 0) return a.keys[Traces::post] == b.keys[Traces::post];
    return a.at == b.at && a.keys == b.keys;
}

Seen Window::count(std::uint32_t key, std::int64_t since, const Traces& own) const {
    Seen out;
    if (key == 0) return out;
    std::vector<std::uint32_t> authors{own.keys[Traces::author]}, servers{own.keys[Traces::server]};
    bool itself = false;
    walk(key, 4 * most_counted, [&](const Sighting& one) {
        if (one.traces.at < since || one.traces.at > own.at) return one.traces.at >= since;
        ++out.posts;
        itself = itself || is_same(one.traces, own);
        authors.push_back(one.traces.keys[Traces::author]);
        servers.push_back(one.traces.keys[Traces::server]);
        return out.posts < most_counted;
    });
    if (!itself && out.posts < most_counted) ++out.posts;
    auto different = [](std::vector<std::uint32_t>& all) {
        std::ranges::sort(all);
        return std::unique(all.begin(), all.end()) - all.begin();
    };
    out.authors = different(authors);
    out.servers = different(servers);
    return out;
}

std::vector<base::AccountId> Window::authors(const Traces& own, std::int64_t minutes) const {
    const base::Hold hold(lock_);
    const auto since = own.at - minutes * 60'000;
    constexpr std::size_t enough = 100;
    std::vector<base::AccountId> out;
    walk(own.keys[Traces::group], 4 * most_counted, [&](const Sighting& one) {
        if (one.traces.at < since) return false;
        if (std::ranges::find(out, one.traces.by) == out.end()) out.push_back(one.traces.by);
        return out.size() < enough;
    });
    return out;
}

Seen Window::seen(const Traces& own, Trace trace, std::int64_t minutes) const {
    const base::Hold hold(lock_);
    const auto since = own.at - minutes * 60'000;
    auto most_seen = [&](std::size_t first) {
        Seen out;
        for (std::size_t i = first; i < first + most_of_a_kind; ++i)
            if (auto one = count(own.keys[i], since, own); one.posts > out.posts) out = one;
        return out;
    };
    switch (trace) {
        case Trace::copies: {
            // A post like no other is one of itself.
            auto key = own.keys[Traces::group];
            return key != 0 ? count(key, since, own) : Seen{1, 1, 1};
        }
        case Trace::link: return most_seen(Traces::links);
        case Trace::link_domain: return most_seen(Traces::domains);
        case Trace::hashtag: return most_seen(Traces::tags);
        case Trace::author: return count(own.keys[Traces::author], since, own);
        case Trace::server: return count(own.keys[Traces::server], since, own);
    }
    return {};
}

}  // namespace rules

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/media/bucket_files.hpp"

#include "base/errors.hpp"
#include "base/log.hpp"
#include "server/files.hpp"

#include <ctime>

namespace server {

namespace fs = std::filesystem;

net::s3::Facts facts_of(const std::string& name) {
    const bool hidden = name.starts_with('.');
    return {std::string(content_type_of(name)), hidden ? "" : "public, max-age=31536000, immutable"};
}

BucketFiles::BucketFiles(net::s3::Options options, fs::path cache, std::uint64_t cache_bytes)
    : client_(std::move(options)), cache_(std::move(cache), cache_bytes) {}

// The client is told to try again; the operator gets the reason, but not for each of thousands of requests.
template <class F>
auto BucketFiles::told(F&& f) {
    try {
        return f();
    } catch (const net::s3::Failure& e) {
        constexpr std::int64_t pause = 5;
        const std::int64_t now = std::time(nullptr);
        if (auto last = last_word_.load();
            now - last >= pause && last_word_.compare_exchange_strong(last, now))
            base::log_error("the bucket of media cannot be used", {{"cause", e.what()}});
        throw base::Unavailable();
    }
}

void BucketFiles::put(const std::vector<media::Placed>& files) {
    told([&] {
        for (const auto& one : files) client_.put(one.name, one.made, facts_of(one.name));
    });
}

std::optional<fs::path> BucketFiles::at_hand(const std::string& name) const {
    auto hit = cache_.find(name);
    if (!hit || !hit->sure) return std::nullopt;
    return std::move(hit->path);
}

std::optional<fs::path> BucketFiles::find(const std::string& name) {
    const auto hit = cache_.find(name);
    if (!hit) return fetch(name);
    if (hit->sure) return hit->path;
    try {
        if (!client_.head(name)) {
            cache_.drop(name);
            return std::nullopt;
        }
        cache_.confirm(name);
    } catch (const net::s3::Failure&) {}  // a copy that was valid recently is better than nothing
    return hit->path;
}

std::optional<fs::path> BucketFiles::fetch(const std::string& name) {
    const auto coming = cache_.scratch();
    try {
        const auto object = told([&] { return client_.get(name, coming); });
        if (object) return cache_.keep(name, coming, object->changed);
    } catch (...) {
        std::error_code none;
        fs::remove(coming, none);
        throw;
    }
    fs::remove(coming);
    return std::nullopt;
}

bool BucketFiles::remove(const std::string& name) {
    told([&] { client_.remove(name); });
    cache_.drop(name);
    return true;
}

bool BucketFiles::move(const std::string& from, const std::string& to) {
    const bool there = told([&] { return client_.copy(from, to); });
    if (there) told([&] { client_.remove(from); });
    cache_.drop(from);
    return there;
}

bool BucketFiles::copy(const std::string& from, const std::string& to) {
    return told([&] { return client_.copy(from, to); });
}

void BucketFiles::list(const std::string& folder, const Each& each) {
    std::string after;
    for (;;) {
        const auto some = told([&] { return client_.list(folder + "/", after); });
        if (some.empty()) return;
        for (const auto& one : some) each({one.key, one.bytes, one.changed});
        after = some.back().key;
    }
}

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// Media in an S3 bucket: put() returns once a file is stored; reads go through a cache.
#pragma once
#include "net/s3/client.hpp"
#include "server/media/cache.hpp"
#include "social/media/files.hpp"

namespace server {

// An object's metadata: its type by name, and that it never changes.
net::s3::Facts facts_of(const std::string& name);

class BucketFiles final : public media::Files {
public:
    BucketFiles(net::s3::Options, std::filesystem::path cache, std::uint64_t cache_bytes);

    void put(const std::vector<media::Placed>&) override;
    std::optional<std::filesystem::path> find(const std::string& name) override;
    bool remove(const std::string& name) override;  // always true, even if it did not exist
    bool move(const std::string& from, const std::string& to) override;
    bool copy(const std::string& from, const std::string& to) override;
    void list(const std::string& folder, const Each&) override;

    // Called when another node has removed it from the bucket.
    void forget(const std::string& name) { cache_.drop(name); }
    // Does not wait; nullopt: use find().
    std::optional<std::filesystem::path> at_hand(const std::string& name) const;
    const net::s3::Client& client() const { return client_; }
    std::uint64_t cached_bytes() const { return cache_.bytes(); }

private:
    template <class F>
    auto told(F&&);
    std::optional<std::filesystem::path> fetch(const std::string& name);

    net::s3::Client client_;
    FileCache cache_;
    std::atomic<std::int64_t> last_word_{0};
};

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// A bucket that speaks S3, for media and for whatever else keeps files there. The operator names it, so it may be on a private
// address. Blocks, with an end to everything: for threads that may wait, never inside a transaction.
#pragma once
#include "net/s3/signing.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>

namespace net::s3 {

struct Options {
    std::string endpoint;  // https://host:port
    std::string bucket;
    Keys keys;
    std::string prefix;      // of all keys
    bool path_style = true;  // the bucket stands in the path; otherwise before the host
    std::string extra_ca_file;
    std::function<base::Time()> clock;
    int tries = 4;
    std::chrono::milliseconds first_pause{200};  // doubled and more each time
    std::chrono::milliseconds connect{5000};
    std::chrono::seconds silence{15};
    std::uint64_t part_bytes = 16 << 20;  // larger files go in parts
    std::stop_token stop;
};

enum class Trouble { away, busy, key, secret, bucket, region, clock, denied, damaged, other };

// The text is a sentence's part that says what is wrong: "the secret key does not fit the access key".
struct Failure : std::runtime_error {
    Failure(Trouble kind, const std::string& text) : runtime_error(text), trouble(kind) {}
    Trouble trouble;
};

struct Object {
    std::string key;
    std::uint64_t bytes = 0;
    base::Time changed;
    std::string sha256;  // as it was told when it was put; empty: it was not, or this comes of a list
};

struct Facts {
    std::string content_type, cache_control;
};

struct Figures {
    std::uint64_t requests = 0, failures = 0, retries = 0, sent = 0, received = 0;
    std::chrono::microseconds took{};
};

// All may throw Failure, base::TimedOut after the deadline of the work, and base::Stopping. Keys are without the prefix.
class Client {
public:
    explicit Client(Options);
    ~Client();

    void put(const std::string& key, const std::filesystem::path&, const Facts&);
    void put_bytes(const std::string& key, std::string bytes, const Facts&);
    // Into a file that is written anew. Nothing: there is no such object.
    std::optional<Object> get(const std::string& key, const std::filesystem::path& to);
    std::optional<std::string> get_bytes(const std::string& key);
    std::optional<Object> head(const std::string& key);
    void remove(const std::string& key);                        // fine when it is gone
    bool copy(const std::string& from, const std::string& to);  // false: there is none
    // Some of those that begin so, in order; `after` goes on behind a key.
    std::vector<Object> list(const std::string& begin, const std::string& after);

    // An address that anybody may read for some seconds.
    std::string presigned(const std::string& key, base::Time at, int seconds) const;
    Figures figures() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace net::s3

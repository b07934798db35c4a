// SPDX-License-Identifier: AGPL-3.0-or-later
// A bucket with the S3 protocol, for media and other files. The operator configures it, so it may be at a
// private address. Blocks for a limited time: for threads that may wait, never inside a transaction.
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
    bool path_style = true;  // the bucket is in the path; otherwise in the host name
    std::string extra_ca_file;
    std::function<base::Time()> clock;
    int tries = 4;
    std::chrono::milliseconds first_pause{200};  // at least doubled each time
    std::chrono::milliseconds connect{5000};
    std::chrono::seconds silence{15};
    std::uint64_t part_bytes = 16 << 20;  // larger files are uploaded in parts
    std::stop_token stop;
};

enum class Trouble { away, busy, key, secret, bucket, region, clock, denied, damaged, other };

// The text is a phrase that says what is wrong: "the secret key does not fit the access key".
struct Failure : std::runtime_error {
    Failure(Trouble kind, const std::string& text) : runtime_error(text), trouble(kind) {}
    Trouble trouble;
};

struct Object {
    std::string key;
    std::uint64_t bytes = 0;
    base::Time changed;
    std::string sha256;  // as given when it was put; empty: it was not given, or this comes from a listing
};

struct Facts {
    std::string content_type, cache_control;
};

struct Figures {
    std::uint64_t requests = 0, failures = 0, retries = 0, sent = 0, received = 0;
    std::chrono::microseconds took{};
};

// All functions may throw Failure, base::TimedOut after the current work's deadline, and base::Stopping. Keys
// are without the prefix.
class Client {
public:
    explicit Client(Options);
    ~Client();

    void put(const std::string& key, const std::filesystem::path&, const Facts&);
    void put_bytes(const std::string& key, std::string bytes, const Facts&);
    // Writes to a new file. nullopt: there is no such object.
    std::optional<Object> get(const std::string& key, const std::filesystem::path& to);
    std::optional<std::string> get_bytes(const std::string& key);
    std::optional<Object> head(const std::string& key);
    void remove(const std::string& key);                        // no error if it does not exist
    bool copy(const std::string& from, const std::string& to);  // false: there is no such object
    // Some of the objects with this prefix, in order; pass a key as `after` to continue behind it.
    std::vector<Object> list(const std::string& begin, const std::string& after);

    // A URL by which anybody may read it for some seconds.
    std::string presigned(const std::string& key, base::Time at, int seconds) const;
    Figures figures() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace net::s3

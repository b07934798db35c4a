// SPDX-License-Identifier: AGPL-3.0-or-later
// Compression of responses (RFC 9110, 8.4) with gzip and brotli. Compressing a page of 46 kB takes four times
// as long as producing it, so compressed forms of frequent responses are cached.
#pragma once
#include "http/message.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace http {

enum class Encoding : std::uint8_t { gzip, br };

// For a response seen once, one seen again, and one seen often.
enum class Effort : std::uint8_t { quick, lasting, utmost };

// Empty on failure.
std::string compressed(std::string_view body, Encoding, Effort);

// Most responses are sent only once, so one is cached when it comes a second time, and compressed as far as
// possible once it has come often enough. Thread-safe.
class CompressedAnswers {
public:
    // Empty on failure.
    std::string compress(std::string_view body, Encoding);

    static constexpr std::size_t most_bytes = 8 << 20;  // of the whole cache
    static constexpr std::size_t largest = 256 << 10;   // body that is cached
    static constexpr int often = 16;  // requests until it is compressed with the utmost effort
    std::size_t bytes() const;

private:
    struct Kept {
        std::string body, small;
        Encoding encoding;
        mutable std::atomic<int> asked;
    };
    using Generation = std::unordered_map<std::uint64_t, std::shared_ptr<const Kept>>;

    std::shared_ptr<const Kept> find(std::uint64_t key);
    void keep(std::uint64_t key, std::shared_ptr<const Kept>);

    // Hashes of recent bodies, to tell (with high probability) whether one came before.
    std::array<std::atomic<std::uint64_t>, 4096> seen_{};
    mutable std::mutex mutex_;
    // A hit in the older generation moves to the newer one; when the newer is full, it becomes the older.
    Generation newer_, older_;
    std::size_t newer_bytes_ = 0, older_bytes_ = 0;
};

// Whether the client accepts this encoding: "gzip", "br".
bool accepts_encoding(const Request&, std::string_view encoding);

// Whether compressing is worthwhile and safe: text of at least a kilobyte that does not mix a secret with
// input from the request.
bool is_compressible(const Response&);
void vary_on_encoding(Response&);
// Compresses the response if the client accepts it.
void compress(Response&, const Request&, CompressedAnswers&);

}  // namespace http

// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers made smaller on the way (RFC 9110, 8.4): gzip and brotli. To compress a page of 46 kB takes four times as long as to
// find out what is in it, so the form of what is asked for again and again is kept.
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

// For an answer that is sent once, one that came again, and one that comes again and again.
enum class Effort : std::uint8_t { quick, lasting, utmost };

// Empty if it failed.
std::string compressed(std::string_view body, Encoding, Effort);

// Most answers are asked for once, so only one that comes a second time is kept, and the smallest form is found once it
// has come so often that this is worth it. From any thread.
class CompressedAnswers {
public:
    // Empty if it failed.
    std::string compress(std::string_view body, Encoding);

    static constexpr std::size_t most_bytes = 8 << 20;  // of all that is kept
    static constexpr std::size_t largest = 256 << 10;   // of a body that is kept
    static constexpr int often = 16;                    // and then it is compressed with the utmost effort
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

    // Whether a body came before, most likely.
    std::array<std::atomic<std::uint64_t>, 4096> seen_{};
    mutable std::mutex mutex_;
    // What is found in the older one goes over to the newer; once the newer is full, it becomes the older.
    Generation newer_, older_;
    std::size_t newer_bytes_ = 0, older_bytes_ = 0;
};

// Whether the client takes an answer in this form: "gzip", "br".
bool accepts_encoding(const Request&, std::string_view encoding);

// Whether an answer is worth it and may be: text, of a kilobyte or more, that holds no secret beside what was sent to us.
bool is_compressible(const Response&);
void vary_on_encoding(Response&);
// In the form that the client takes, if any.
void compress(Response&, const Request&, CompressedAnswers&);

}  // namespace http

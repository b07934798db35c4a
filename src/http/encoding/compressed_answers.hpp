// SPDX-License-Identifier: AGPL-3.0-or-later
// The compressed forms of answers that are asked for again and again: to compress a page of 46 kB takes four times as long as to find
// out what is in it. Most answers are asked for once, so only one that comes a second time is kept, and then it is worth
// the effort of the smallest form.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace http {

enum class Encoding : std::uint8_t { gzip, br };

// `thorough`: three times the time for some eight hundredths less. Empty if it failed.
std::string compressed(std::string_view body, Encoding, bool thorough);

// From any thread.
class CompressedAnswers {
public:
    // Empty if it failed.
    std::string compress(std::string_view body, Encoding);

    static constexpr std::size_t most_bytes = 8 << 20;  // of all that is kept
    static constexpr std::size_t largest = 256 << 10;   // of a body that is kept
    std::size_t bytes() const;

private:
    struct Kept {
        std::string body, small;
        Encoding encoding;
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

}  // namespace http

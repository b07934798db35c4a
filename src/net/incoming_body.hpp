// SPDX-License-Identifier: AGPL-3.0-or-later
// The body of the request that is being read: its remaining allowance, and where its bytes go.
#pragma once
#include "http/application.hpp"
#include "net/request_parser.hpp"
#include "net/shares.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace net {

class IncomingBody {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr Refusal too_large{413, "The request body is too large"};

    enum class Goes { nowhere, into_memory, in_pieces };

    IncomingBody() = default;
    // It may have at most `most` bytes; those kept in memory are charged to the share.
    IncomingBody(Goes, std::uint64_t most, Share);

    std::optional<Refusal> keep(std::string_view part);
    // For bodies in pieces: whether enough has arrived to pass on.
    bool has_piece() const { return goes_ == Goes::in_pieces && piece_.size() >= piece_size; }
    bool has_rest() const { return goes_ == Goes::in_pieces && !piece_.empty(); }

    std::string take_piece() { return std::exchange(piece_, {}); }
    std::string take_whole();  // for bodies in memory
    Share take_share() { return std::move(share_); }
    std::uint64_t size() const { return size_; }
    Clock::time_point begun() const { return begun_; }

private:
    static constexpr std::size_t piece_size = 64 << 10, block_size = 4 << 10;
    using Block = std::unique_ptr<char[]>;

    std::optional<Refusal> pay(std::uint64_t bytes);
    std::optional<Refusal> into_memory(std::string_view part);

    Goes goes_ = Goes::nowhere;
    std::uint64_t most_ = 0, size_ = 0;
    Share share_;
    std::string piece_;
    std::vector<Block> blocks_;
    std::size_t filled_ = block_size;  // of the last block
    Clock::time_point begun_;
};

}  // namespace net

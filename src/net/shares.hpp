// SPDX-License-Identifier: AGPL-3.0-or-later
// Limits how much of something (connections, bytes of bodies, bytes of responses) all clients hold together,
// and each address alone, so that none can take what others need. Thread-safe.
#pragma once
#include "net/forwarded.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace net {

class Shares {
public:
    Shares(std::uint64_t most, std::uint64_t most_of_one) : most_(most), most_of_one_(most_of_one) {}

    enum class Outcome { taken, none_left, own_used_up };

    // Without a holder, only the total counts: a proxy that did not name its client.
    Outcome take(const std::optional<Address>& holder, std::uint64_t amount);
    void give_back(const std::optional<Address>& holder, std::uint64_t amount);
    std::uint64_t held() const;

private:
    mutable std::mutex lock_;
    const std::uint64_t most_, most_of_one_;
    std::uint64_t held_ = 0;
    std::map<Address, std::uint64_t> of_;  // not hashed: collisions could be provoked
};

// What one request or connection holds; returned at its end.
class Share {
public:
    Share() = default;
    // All addresses of an IPv6 /64 are one holder.
    Share(std::shared_ptr<Shares>, const std::optional<Address>& holder);
    Share(Share&& other) noexcept { *this = std::move(other); }
    Share& operator=(Share&&) noexcept;
    ~Share() { give_back(); }

    Shares::Outcome grow(std::uint64_t by);  // unchanged unless it succeeds
    void give_back();

private:
    std::shared_ptr<Shares> all_;
    std::optional<Address> holder_;
    std::uint64_t amount_ = 0;
};

}  // namespace net

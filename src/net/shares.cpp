// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/shares.hpp"

#include <utility>

namespace net {

Shares::Outcome Shares::take(const std::optional<Address>& holder, std::uint64_t amount) {
    std::lock_guard hold(lock_);
    if (amount > most_ - held_) return Outcome::none_left;
    if (holder) {
        const auto found = of_.find(*holder);
        const auto own = found == of_.end() ? 0 : found->second;
        if (amount > most_of_one_ - own) return Outcome::own_used_up;
        if (found == of_.end()) of_.emplace(*holder, amount);
        else found->second += amount;
    }
    held_ += amount;
    return Outcome::taken;
}

void Shares::give_back(const std::optional<Address>& holder, std::uint64_t amount) {
    std::lock_guard hold(lock_);
    held_ -= amount;
    if (!holder) return;
    const auto found = of_.find(*holder);
    found->second -= amount;
    if (found->second == 0) of_.erase(found);
}

std::uint64_t Shares::held() const {
    std::lock_guard hold(lock_);
    return held_;
}

Share::Share(std::shared_ptr<Shares> all, const std::optional<Address>& holder) : all_(std::move(all)) {
    if (holder) holder_ = holder->network();
}

Share& Share::operator=(Share&& other) noexcept {
    give_back();
    all_ = std::move(other.all_);
    holder_ = other.holder_;
    amount_ = std::exchange(other.amount_, 0);
    return *this;
}

Shares::Outcome Share::grow(std::uint64_t by) {
    if (by == 0) return Shares::Outcome::taken;
    const auto outcome = all_->take(holder_, by);
    if (outcome == Shares::Outcome::taken) amount_ += by;
    return outcome;
}

void Share::give_back() {
    if (all_ && amount_ > 0) all_->give_back(holder_, amount_);
    amount_ = 0;
}

}  // namespace net

// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody of this site who is limited writes for everybody stands in no list of everybody's.
#pragma once
#include "social/accounts/account.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

inline Visibility allowed(const accounts::Account& author, Visibility wanted) {
    const bool limited = author.silenced_at && author.local();
    return limited && wanted == Visibility::public_ ? Visibility::unlisted : wanted;
}

}  // namespace statuses

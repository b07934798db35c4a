// SPDX-License-Identifier: AGPL-3.0-or-later
// Resolves mentions in a text to accounts, for statuses and profile notes.
#pragma once
#include "base/text/html/html.hpp"
#include "base/text/scan.hpp"
#include "social/accounts/account.hpp"

#include <functional>
#include <span>

namespace accounts {

struct Mentions {
    std::vector<base::text::Mention> links;  // for base::text::Resolve; views point into the text
    std::vector<AccountId> accounts;         // each once, in order of appearance
};

// Only known accounts that are not suspended and pass `allowed` (if given).
Mentions mentions(
    db::Read&, std::string_view text, std::span<const base::text::Entity>,
    const std::function<bool(AccountId)>& allowed = {}
);

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// The accounts that the mentions in a text mean: statuses and profile notes alike.
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

// Known accounts only, not suspended, and only those that `allowed` (when given) lets pass.
Mentions mentions(
    db::Read&, std::string_view text, std::span<const base::text::Entity>,
    const std::function<bool(AccountId)>& allowed = {}
);

}  // namespace accounts

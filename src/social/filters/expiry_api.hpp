// SPDX-License-Identifier: AGPL-3.0-or-later
// `expires_in` of current and v1 filters: seconds from now; empty or null means never.
#pragma once
#include "http/form.hpp"
#include "social/filters/filter.hpp"

namespace filters {

inline void set_expiry(Changes& changes, const std::optional<http::TextOrNull>& expires_in, Time now) {
    if (!expires_in) return;
    changes.sets_expiry = true;
    constexpr std::int64_t century = 3'155'760'000;
    if (!http::form::is_blank(expires_in->value))
        changes.expires_at =
            now.plus_seconds(std::clamp<std::int64_t>(http::form::integer(expires_in->value), 0, century));
}

}  // namespace filters

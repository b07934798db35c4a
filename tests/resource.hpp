// SPDX-License-Identifier: AGPL-3.0-or-later
// Checks common to all API resources.
#pragma once
#include "world.hpp"

// Expects the created resource at its own path, and alone in its collection. Returns its path.
inline std::string expect_shown_alone(const Person& owner, const std::string& all, const Answer& made) {
    auto path = all + "/" + made.id();
    EXPECT_EQ(owner.get(path).body, made.body);
    EXPECT_EQ(owner.get(all).body, "[" + made.body + "]");
    return path;
}

// SPDX-License-Identifier: AGPL-3.0-or-later
// What every resource of the API has in common.
#pragma once
#include "world.hpp"

// What was made is shown at its own path, and is all that its collection lists. Its path.
inline std::string expect_shown_alone(const Person& owner, const std::string& all, const Answer& made) {
    auto path = all + "/" + made.id();
    EXPECT_EQ(owner.get(path).body, made.body);
    EXPECT_EQ(owner.get(all).body, "[" + made.body + "]");
    return path;
}

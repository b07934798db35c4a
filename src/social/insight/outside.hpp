// SPDX-License-Identifier: AGPL-3.0-or-later
// What this server sees of another one that asks it to look, as a stranger would (`dunlin doctor --from-outside`).
#pragma once
#include "social/insight/vitals.hpp"

namespace insight {

struct OutsideLook {
    int status = 200;
    std::string refusal;  // why it was not looked at, where the status is another one
    std::vector<Finding> found;
};

// The question to the program that can look (server/doctor/stranger.hpp). The origin is that of who asked, proven by a
// signature: nobody has anybody else looked at.
struct LookFromOutside {
    std::string origin;  // https://host
    using Answer = OutsideLook;
};
DESCRIBE(LookFromOutside, origin)

}  // namespace insight

// SPDX-License-Identifier: AGPL-3.0-or-later
// What this server sees of another one that asks for a check from outside (`dunlin doctor --from-outside`).
#pragma once
#include "social/insight/vitals.hpp"

namespace insight {

struct OutsideLook {
    int status = 200;
    std::string refusal;  // why it was not checked, if the status is not 200
    std::vector<Finding> found;
};

// The question to the program that can check (server/doctor/stranger.hpp). The origin is that of the
// requester, proven by a signature, so that nobody can have other servers checked.
struct LookFromOutside {
    std::string origin;  // https://host
    using Answer = OutsideLook;
};
DESCRIBE(LookFromOutside, origin)

}  // namespace insight

// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace worker {

// Waits for the one job that sandbox/ready.hpp sends over fd 0: its words. Its input is fd 0 and its directory the current
// one from then on. Ends the process when nobody is there any more who could send one.
std::vector<std::string> wait_for_job();

}  // namespace worker

// SPDX-License-Identifier: AGPL-3.0-or-later
// Pauses set by an operator, stored as files in the data folder, so that they survive a restart. Running
// servers check them when asked through their control socket (docs/decisions/0050-read-only.md).
#pragma once
#include "base/describe.hpp"
#include "config/config.hpp"

#include <optional>
#include <string>

namespace server {

enum class Pause { read_only, maintenance };

// `sentence` is shown to users; it may be empty.
void begin_pause(const Config&, Pause, const std::string& sentence);
void end_pause(const Config&, Pause);
std::optional<std::string> paused(const Config&, Pause);

// Tells a running server to check the files; it answers with a PauseState as JSON.
constexpr std::string_view pauses_question = "pauses";

struct PauseState {
    bool read_only = false;    // nothing is written
    bool still = true;         // and no earlier change is still running
    bool full = false;         // the disk is full: only changes that free space are made
    bool maintenance = false;  // only staff can use the site
};
DESCRIBE(PauseState, read_only, still, full, maintenance)

}  // namespace server

// SPDX-License-Identifier: AGPL-3.0-or-later
// What an operator has paused, as files in the data folder, so that a restart changes nothing about it. The running servers
// look at them when their control socket is asked (docs/decisions/0050-read-only.md).
#pragma once
#include "base/describe.hpp"
#include "config/config.hpp"

#include <optional>
#include <string>

namespace server {

enum class Pause { read_only, maintenance };

// With the sentence that people are told; it may be empty.
void begin_pause(const Config&, Pause, const std::string& sentence);
void end_pause(const Config&, Pause);
std::optional<std::string> paused(const Config&, Pause);

// Asked of a running server: it looks at the files, and answers with this as JSON.
constexpr std::string_view pauses_question = "pauses";

struct PauseState {
    bool read_only = false;    // nothing is written
    bool still = true;         // nor is a change under way that began before
    bool full = false;         // the disk is: only what makes room is written
    bool maintenance = false;  // only the team is let in
};
DESCRIBE(PauseState, read_only, still, full, maintenance)

}  // namespace server

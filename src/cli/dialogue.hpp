// SPDX-License-Identifier: AGPL-3.0-or-later
// Questions at the terminal.
#pragma once
#include <string>
#include <vector>

namespace server {

// Whether there is an interactive terminal.
bool somebody_answers();

// All throw Refused at the end of input.

// `usual`: the meaning of an empty line.
std::string ask(const std::string& question, const std::string& usual);
// Does not echo the answer.
std::string ask_secret(const std::string& question);
bool asks_for(const std::string& question);  // yes or no; an empty line means no
// Asks before an action. Without a terminal, or after a no, prints that nothing was changed.
bool agreed(const std::string& question);
std::string choose(
    const std::string& question, const std::vector<std::string>& words, const std::string& usual
);

}  // namespace server

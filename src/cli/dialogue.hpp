// SPDX-License-Identifier: AGPL-3.0-or-later
// Questions to whoever sits at the terminal.
#pragma once
#include <string>
#include <vector>

namespace server {

// Whether somebody does.
bool somebody_answers();

// Each throws Refused when the terminal has nothing more to say.

// `usual`: what an empty line means.
std::string ask(const std::string& question, const std::string& usual);
// The answer is not shown while it is typed.
std::string ask_secret(const std::string& question);
bool asks_for(const std::string& question);  // yes or no; an empty line is a no
// The same before something is done: where there is no terminal, and after a no, that nothing was changed is said.
bool agreed(const std::string& question);
std::string choose(
    const std::string& question, const std::vector<std::string>& words, const std::string& usual
);

}  // namespace server

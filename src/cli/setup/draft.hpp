// SPDX-License-Identifier: AGPL-3.0-or-later
// A configuration being edited: the file's contents, the flags, and the answers so far.
#pragma once
#include "cli/commands.hpp"

#include <filesystem>
#include <map>

namespace server {

class Draft {
public:
    // The file may not exist yet.
    Draft(const Settings&, std::filesystem::path file);

    void answer(const std::string& option, Words words) { answers_[option] = std::move(words); }
    bool is_given(const std::string& option) const;  // by a flag
    Loaded loaded() const;                           // throws Mistakes
    // An option's current value as text; empty if it is not set.
    std::string said_of(const std::string& option) const;

    const std::filesystem::path& file() const { return file_; }
    // Writes the file, with all other options commented out. Returns where the previous file is kept; empty
    // if there was none.
    std::filesystem::path write() const;

private:
    const std::vector<Setting> flags_;
    const std::filesystem::path file_;
    std::vector<Setting> before_;  // from the file
    std::map<std::string, Words> answers_;
};

}  // namespace server

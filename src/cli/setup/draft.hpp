// SPDX-License-Identifier: AGPL-3.0-or-later
// A configuration in the making: what a file says already, what flags say, and what was answered.
#pragma once
#include "cli/commands.hpp"

#include <filesystem>
#include <map>

namespace server {

class Draft {
public:
    // The file need not be there.
    Draft(const Settings&, std::filesystem::path file);

    void answer(const std::string& option, Words words) { answers_[option] = std::move(words); }
    bool is_given(const std::string& option) const;  // by a flag
    Loaded loaded() const;                           // throws Mistakes
    // What an option is now, as one text; empty where nothing says so.
    std::string said_of(const std::string& option) const;

    const std::filesystem::path& file() const { return file_; }
    // Into the file, all other options commented out. Answers where the one of before is kept now, or nothing.
    std::filesystem::path write() const;

private:
    const std::vector<Setting> flags_;
    const std::filesystem::path file_;
    std::vector<Setting> before_;  // of the file
    std::map<std::string, Words> answers_;
};

}  // namespace server

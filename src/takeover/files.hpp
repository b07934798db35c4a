// SPDX-License-Identifier: AGPL-3.0-or-later
// Files of the server of before: they stay as they are, byte for byte, since others know their hashes, under "former/" of ours.
#pragma once
#include "social/media/files.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace takeover {

// Whether a name from outside stays below the folder that it is looked for in.
bool stays_inside(std::string_view name);

class Files {
public:
    // From a folder into where our media are. Without a folder no file is copied: they are where they shall be already.
    Files(std::filesystem::path from, media::Files* to, std::filesystem::path scratch)
        : from_(std::move(from)), to_(to), scratch_(std::move(scratch)) {}

    enum class Found { copied, missing, outside, unreadable };
    // `name` in the source becomes `wanted` of ours. What is there already is not copied again.
    Found take(const std::string& name, const std::string& wanted) const;
    bool is_there(const std::string& name) const;

private:
    std::filesystem::path from_;
    media::Files* to_;
    std::filesystem::path scratch_;
};

}  // namespace takeover

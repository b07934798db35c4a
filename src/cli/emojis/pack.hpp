// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures to import as emojis: a folder, zip or tar.gz, with the shortcodes as file names, or with the index
// of Pleroma (pack.json) or Misskey (meta.json).
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace server {

struct PackPicture {
    std::string shortcode, category;
    std::string name;  // of its file in the pack
    std::filesystem::path file;
    std::string problem;  // why it cannot be imported
};

struct Pack {
    std::vector<PackPicture> pictures;
    std::int64_t passed_over = 0;  // files that are not pictures
};

// Unpacks an archive into `work`, which the caller must remove. Throws Refused.
Pack read_pack(const std::filesystem::path& given, const std::filesystem::path& work);

}  // namespace server

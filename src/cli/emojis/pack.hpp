// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures that are to become emojis: a folder, a zip or a tar.gz of them, each called as it shall be called, or with the list
// that Pleroma (pack.json) or Misskey (meta.json) puts beside them.
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
    std::string problem;  // why it cannot be taken
};

struct Pack {
    std::vector<PackPicture> pictures;
    std::int64_t passed_over = 0;  // files that are no pictures
};

// What an archive holds is unpacked into `work`, which is the caller's to remove. Throws Refused.
Pack read_pack(const std::filesystem::path& given, const std::filesystem::path& work);

}  // namespace server

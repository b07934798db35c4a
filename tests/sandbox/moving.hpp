// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// Tiny sounds and moving pictures, made by ffmpeg on the spot.

#include "sandbox/fixtures.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fixtures {

inline const std::string picture_input = "-f lavfi -i testsrc=size=64x48:rate=10:duration=1 ";
inline const std::string sound_input = "-f lavfi -i sine=duration=1 ";
inline const std::string h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p ";

// What `ffmpeg <arguments> x.<extension>` makes. Other pieces are at hand as `picture.png` and `words.txt`.
inline std::string moving(const std::string& arguments, const std::string& extension) {
    std::string pattern = (std::filesystem::temp_directory_path() / "dunlin-moving-XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(pattern.data());
    std::ofstream(folder / "picture.png", std::ios::binary) << png(64, 48);
    auto command =
        "cd '" + folder.string() + "' && ffmpeg -nostdin -v error " + arguments + " x." + extension;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(folder / ("x." + extension), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove_all(folder);
    return bytes;
}

inline const std::string& video() {
    static const std::string made =
        moving(picture_input + sound_input + h264 + "-c:a aac -metadata title=S3CR3T-PLACE1", "mp4");
    return made;
}
inline const std::string& silent_video() {
    static const std::string made = moving(picture_input + h264, "mp4");
    return made;
}
inline const std::string& sound() {
    static const std::string made = moving(sound_input + "-c:a libmp3lame", "mp3");
    return made;
}
inline const std::string& moving_gif() {
    static const std::string made = moving(picture_input, "gif");
    return made;
}

}  // namespace fixtures

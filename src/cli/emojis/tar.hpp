// SPDX-License-Identifier: AGPL-3.0-or-later
// A tar archive of a stranger's, gzipped or not. Nothing is written by the names in it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace server {

// Whether the first bytes are those of one.
bool is_tar(std::string_view beginning);

class Tar {
public:
    explicit Tar(const std::filesystem::path&);  // throws Refused

    struct Member {
        std::string name;
        std::string_view bytes;
    };
    std::vector<Member> files() const;  // throws Refused

private:
    std::string bytes_;
};

}  // namespace server

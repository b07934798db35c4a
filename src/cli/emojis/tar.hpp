// SPDX-License-Identifier: AGPL-3.0-or-later
// An untrusted tar archive, optionally gzipped. The names in it are never used as paths.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace server {

// Whether these are the first bytes of such an archive.
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

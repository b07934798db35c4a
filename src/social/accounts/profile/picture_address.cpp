// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/profile/picture.hpp"

#include "social/instance/remote_file.hpp"

namespace accounts {

std::string picture_address(const base::Site& site, const Account& a, PictureOf which) {
    struct Place {
        const std::string& file;
        const char *missing, *folder, *part;
    };
    auto place = [&]() -> Place {
        switch (which) {
            case PictureOf::avatar: return {a.avatar, "avatars/missing.png", "avatars/", ""};
            case PictureOf::avatar_static:
                return {a.avatar_static, "avatars/missing.png", "avatars/", "/still"};
            case PictureOf::header: return {a.header, "headers/missing.png", "headers/", ""};
            case PictureOf::header_static: break;
        }
        return {a.header_static, "headers/missing.png", "headers/", "/still"};
    }();
    if (place.file.empty()) return site.asset(place.missing);
    return instance::file_address(site, place.file, place.folder + std::to_string(a.id.value) + place.part);
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// The avatar or header that came with a change of a profile.
#pragma once
#include "social/accounts/account.hpp"
#include "social/media/store.hpp"

namespace accounts {

// What goes into the columns avatar and avatar_static, or header and header_static.
struct Picture {
    std::string file, static_file;
};

// For a function that prepares: asks to have the upload processed. `upload` is null when none was given, as in
//   picture(ask, me.account, media::Kind::avatar, form.avatar ? form.avatar->file.get() : nullptr)
// Throws Invalid with the field's name: too large, or not a picture we take. The files of the picture it replaces
// are left by emitting media::FilesReleased (replaced()).
std::optional<Picture> picture(
    const base::Ask&, base::AccountId owner, media::Kind avatar_or_header, const std::filesystem::path* upload
);

// The files that nothing shows once `old` is replaced or removed; empty when there was none of ours.
std::vector<std::string> replaced(const Picture& old);

// Where clients find the pictures of an account.
enum class PictureOf { avatar, avatar_static, header, header_static };
std::string picture_address(const base::Site&, const Account&, PictureOf);

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
// The avatar or header uploaded with a change of a profile.
#pragma once
#include "social/accounts/account.hpp"
#include "social/media/store.hpp"

namespace accounts {

// The values of the columns avatar and avatar_static, or header and header_static.
struct Picture {
    std::string file, static_file;
};

// For a preparing function: asks to have the upload processed. `upload` is null if none was given, as in
//
//   picture(ask, me.account, media::Kind::avatar, form.avatar ? form.avatar->file.get() : nullptr)
//
// Throws Invalid with the field's name: too large, or an unsupported format. The caller releases the files of
// the replaced picture by emitting media::FilesReleased (replaced()).
std::optional<Picture> picture(
    const base::Ask&, base::AccountId owner, media::Kind avatar_or_header, const std::filesystem::path* upload
);

// The files that are unused once `old` is replaced or removed; empty if none are stored here.
std::vector<std::string> replaced(const Picture& old);

// The URLs of an account's pictures.
enum class PictureOf { avatar, avatar_static, header, header_static };
std::string picture_address(const base::Site&, const Account&, PictureOf);

}  // namespace accounts

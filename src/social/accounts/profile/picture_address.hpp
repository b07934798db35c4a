// SPDX-License-Identifier: AGPL-3.0-or-later
// Where clients find the pictures of an account.
#pragma once
#include "social/accounts/account.hpp"

namespace accounts {

enum class PictureOf { avatar, avatar_static, header, header_static };
std::string picture_address(const base::Site&, const Account&, PictureOf);

}  // namespace accounts

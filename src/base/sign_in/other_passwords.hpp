// SPDX-License-Identifier: AGPL-3.0-or-later
// Passwords that another server hashed, as they come along when its place is taken:
//
//   $2a$10$… $2b$ $2y$             bcrypt: Mastodon, GoToSocial
//   $pbkdf2-sha512$160000$…$…      Pleroma, in an alphabet of its own
//   $argon2id$v=19$m=…,t=…,p=…$…   Argon2 with other costs or lanes than ours, or Argon2i: Hollo, Mitra, Akkoma
//
// A hash says itself what it costs, so one that costs more than a second or so fits nothing, however it came here.
#pragma once
#include <string_view>

namespace base {

// Whether a hash is of another form than hash_password makes: whoever shows that they know the password may replace it.
bool is_other_hash(std::string_view hash);

// Of hashes in those forms and of ours. CPU: a thread's, for up to a second.
bool any_password_matches(std::string_view hash, std::string_view password);

}  // namespace base

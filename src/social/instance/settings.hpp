// SPDX-License-Identifier: AGPL-3.0-or-later
// What the server has to remember about itself: named texts. What an operator configures is base::Site.
#pragma once
#include "db/session.hpp"

namespace instance {

std::optional<std::string> setting(db::Read&, std::string_view name);
void expect_setting(db::Read&, std::string_view name);  // db::Read::expect
void set_setting(db::Write&, std::string_view name, std::string_view value);
void remove_setting(db::Write&, std::string_view name);

std::int64_t number_setting(db::Read&, std::string_view name, std::int64_t otherwise = 0);
// Another number than ever before: who keeps something made of a table makes it anew when its version is another.
void move_version(db::Write&, std::string_view name);

// Makes, once and for all, the keys that a server needs for itself. Called at every start.
void ensure_keys(db::Write&);

// The key that Web Push sends are signed with (VAPID): the point in URL-safe base64, with its padding as clients
// know it; the private key in PEM.
std::string vapid_public_key(db::Read&);
std::string vapid_private_key(db::Read&);

// With which the addresses are signed that end a push subscription.
std::string unsubscribe_key(db::Read&);

}  // namespace instance

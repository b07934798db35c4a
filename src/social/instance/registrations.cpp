// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/registrations.hpp"

#include "social/instance/settings.hpp"

namespace instance {

namespace {

constexpr std::string_view name = "sign_ups_need_approval";

}  // namespace

bool approval_required(db::Read& db) { return db.site().approval_required || setting(db, name).has_value(); }

void require_approval(db::Write& db, bool required) {
    if (required) set_setting(db, name, "true");
    else remove_setting(db, name);
}

}  // namespace instance

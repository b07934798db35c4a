// SPDX-License-Identifier: AGPL-3.0-or-later
// The letters about a login.
#pragma once
#include "social/accounts/users/confirmation.hpp"
#include "social/accounts/users/mail.hpp"

namespace accounts {

void mail_confirmation(const base::Ask&, db::Read&, const ConfirmationWanted&);
void mail_password_reset(const base::Ask&, db::Read&, const PasswordResetWanted&);
void mail_password_changed(const base::Ask&, db::Read&, const PasswordChanged&);
void mail_welcome(const base::Ask&, db::Read&, const Activated&);  // to those who signed up themselves

}  // namespace accounts

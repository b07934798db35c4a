// SPDX-License-Identifier: AGPL-3.0-or-later
// Which texts are e-mail addresses. Narrower than RFC 5322 on purpose: no quotes, comments or spaces, so that an
// address means the same to every program that meets it.
#pragma once
#include "base/errors.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace accounts {

std::vector<base::FieldError> email_form_errors(std::string_view email);

}  // namespace accounts

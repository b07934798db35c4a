// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/utf8.hpp"
#include "social/accounts/users/mail.hpp"

#include "social/accounts/users/user.hpp"

#include <algorithm>

namespace accounts {

namespace {

bool local_character(char c) {
    constexpr std::string_view marks = "!#$%&'*+-/=?^_`{|}~.";
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || marks.find(c) != marks.npos || (c & 0x80);
}

bool domain_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || (c & 0x80);
}

bool well_formed_local(std::string_view local) {
    return !local.empty() && local.size() <= 64 && std::ranges::all_of(local, local_character) &&
           local.front() != '.' && local.back() != '.' && local.find("..") == local.npos;
}

bool well_formed_domain(std::string_view domain) {
    if (domain.empty() || domain.size() > 253) return false;
    while (true) {
        auto label = domain.substr(0, domain.find('.'));
        if (label.empty() || label.size() > 63 || !std::ranges::all_of(label, domain_character)) return false;
        if (label.front() == '-' || label.back() == '-') return false;
        if (label.size() == domain.size()) return true;
        domain.remove_prefix(label.size() + 1);
    }
}

}  // namespace

std::string normal_email(std::string_view email) {
    while (!email.empty() && email.front() == ' ') email.remove_prefix(1);
    while (!email.empty() && email.back() == ' ') email.remove_suffix(1);
    return base::text::ascii_lowered(email);
}

std::vector<base::FieldError> email_form_errors(std::string_view given) {
    auto email = normal_email(given);
    if (email.empty()) return {{"email", "ERR_BLANK", "can't be blank"}};
    if (email.size() > 320) return {{"email", "ERR_TOO_LONG", "is too long (maximum is 320 characters)"}};
    auto at = email.find('@');
    auto whole = std::string_view(email);
    if (at == email.npos || !well_formed_local(whole.substr(0, at)) ||
        !well_formed_domain(whole.substr(at + 1)))
        return {{"email", "ERR_INVALID", "is invalid"}};
    return {};
}

}  // namespace accounts

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/sign_up.hpp"

#include "base/text/count.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/canonical_block.hpp"
#include "social/accounts/users/invite.hpp"
#include "social/accounts/users/password.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"
#include "social/instance/registrations.hpp"

#include <algorithm>
#include <chrono>

namespace accounts {

namespace {

constexpr std::size_t longest_reason = 420;

void append(std::vector<base::FieldError>& to, std::vector<base::FieldError> more) {
    for (auto& error : more) to.push_back(std::move(error));
}

std::chrono::year_month_day day_of(Time time) {
    return std::chrono::floor<std::chrono::days>(
        std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(time.ms))
    );
}

// Somebody born on 29 February comes of age on 1 March.
bool is_old_enough(Time born, Time now, int min_age) {
    return day_of(born) + std::chrono::years(min_age) <= day_of(now);
}

std::vector<base::FieldError> age_errors(db::Read& db, const std::string& date_of_birth) {
    if (db.site().min_age <= 0) return {};
    auto refuse = [](const char* code, const char* text) {
        return std::vector<base::FieldError>{{"date_of_birth", code, text}};
    };
    if (date_of_birth.empty()) return refuse("ERR_BLANK", "can't be blank");
    auto born = base::parse_time(date_of_birth);
    if (!born) return refuse("ERR_INVALID", "is invalid");
    if (!is_old_enough(*born, db.now(), db.site().min_age))
        return refuse("ERR_BELOW_LIMIT", "is below the age limit");
    return {};
}

// A language tag by its form: "de", "pt-BR", "zh-Hans-CN"; apps write "pt_BR", too. Empty when it is none.
std::string locale_of(std::string text) {
    constexpr std::size_t longest = 12;
    std::ranges::replace(text, '_', '-');
    auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    auto rest = std::string_view(text);
    auto language = rest.substr(0, rest.find('-'));
    bool fine = text.size() <= longest && language.size() >= 2 && language.size() <= 3;
    while (fine && !rest.empty()) {
        auto part = rest.substr(0, rest.find('-'));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        fine = part.size() >= 2 && part.size() <= 4 && std::ranges::all_of(part, letter);
    }
    return fine && !text.ends_with('-') ? text : "";
}

}  // namespace

bool is_time_zone(std::string_view text) {
    constexpr std::string_view areas[] = {
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Etc",
        "Europe",
        "Indian",
        "Pacific",
    };
    if (text == "UTC" || text == "GMT") return true;
    auto slash = text.find('/');
    if (slash == text.npos || text.size() > 64 || text.ends_with('/')) return false;
    return std::ranges::find(areas, text.substr(0, slash)) != std::end(areas) &&
           std::ranges::all_of(
               text,
               [](char c) {
                   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '/' || c == '_' || c == '-' || c == '+';
               }
           ) &&
           base::knows_time_zone(text);
}

bool may_sign_up(db::Read& db, std::string_view invite_code) {
    return (db.site().registrations_open || is_valid_invite(db, invite_code)) && has_owner(db);
}

void require_way_in(db::Read& db, std::string_view invite_code) {
    if (!may_sign_up(db, invite_code)) throw base::Forbidden();
}

std::vector<base::FieldError> sign_up_errors(db::Read& db, const SignUp& form) {
    auto errors = username_errors(db, form.username);
    auto name = block_of_username(db, form.username);
    bool reserved = reserved_username(form.username) || (name && !name->allow_with_approval);
    if (errors.empty() && reserved) errors.push_back({"username", "ERR_RESERVED", "is reserved"});
    auto of_email = email_errors(db, form.email);
    if (of_email.empty() && !is_valid_invite(db, form.invite_code) && canonical_block_of(db, form.email))
        of_email.push_back({"email", "ERR_TAKEN", "has already been taken"});
    append(errors, std::move(of_email));
    append(errors, password_errors(form.password));
    if (!form.agreement) errors.push_back({"agreement", "ERR_ACCEPTED", "must be accepted"});
    if (base::text::code_points(form.reason) > longest_reason)
        errors.push_back({"reason", "ERR_TOO_LONG", "is too long (maximum is 420 characters)"});
    append(errors, age_errors(db, form.date_of_birth));
    return errors;
}

void require_open_network(db::Read& db, std::string_view address) {
    if (severity_for(db, address).value_or(IpSeverity::sign_up_requires_approval) >=
        IpSeverity::sign_up_block)
        throw base::Forbidden();
}

void require_mail_hosts(const MailHosts& hosts) {
    if (hosts.known && hosts.names.empty())
        throw base::Invalid(
            std::vector<base::FieldError>{{"email", "ERR_UNREACHABLE", "does not seem to exist"}}
        );
}

std::optional<base::Invalid> refused_provider(db::Write& db, const SignUp& form, const MailHosts& hosts) {
    if (is_valid_invite(db, form.invite_code)) return std::nullopt;
    auto block = block_of_email(db, form.email, hosts.names);
    if (!block) return std::nullopt;
    note_attempt(db, block->id, normal_email(form.email));
    if (block->allow_with_approval) return std::nullopt;
    return base::Invalid(
        std::vector<base::FieldError>{{"email", "ERR_BLOCKED", "uses a disallowed e-mail provider"}}
    );
}

namespace {

// By its provider, its network or its name.
bool waits_for_staff(db::Read& db, const SignUp& form, std::string_view address, const MailHosts& hosts) {
    if (severity_for(db, address) == IpSeverity::sign_up_requires_approval) return true;
    if (auto name = block_of_username(db, form.username); name && name->allow_with_approval) return true;
    auto provider = block_of_email(db, form.email, hosts.names);
    return provider && provider->allow_with_approval && !is_valid_invite(db, form.invite_code);
}

}  // namespace

UserId sign_up(
    db::Write& db, const SignUp& form, const std::string& password_hash, AppId app, std::string_view address,
    const MailHosts& hosts
) {
    require_way_in(db, form.invite_code);
    require_open_network(db, address);
    bool needs_approval = waits_for_staff(db, form, address, hosts);
    bool invited = redeem(db, form.invite_code);
    if (!invited) require_way_in(db, {});
    if (auto errors = sign_up_errors(db, form); !errors.empty()) throw base::Invalid(std::move(errors));
    NewUser user;
    user.username = form.username;
    user.email = form.email;
    user.password_hash = password_hash;
    user.confirmed = !db.site().confirmation_required;
    user.approved = !needs_approval && (invited || !instance::approval_required(db));
    if (invited) user.invite_code = form.invite_code;
    user.locale = locale_of(form.locale);
    if (is_time_zone(form.time_zone)) user.time_zone = form.time_zone;
    user.reason = form.reason;
    user.age_verified = db.site().min_age > 0;
    user.app = app;
    user.address = address;
    return create_user(db, user);
}

}  // namespace accounts

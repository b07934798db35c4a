// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may not sign up: mail providers, addresses, networks and names.
#include "http/route.hpp"
#include "social/moderation/site/blocks_admin.hpp"
#include "social/tags/tag_entity.hpp"

#include <algorithm>

namespace moderation {
namespace {

using http::Viewer;

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<100, 200> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

// ---- mail providers ----

struct EmailBlockEntity {
    static constexpr std::string_view entity = "Admin::EmailDomainBlock";
    accounts::EmailDomainBlockId id;
    std::string domain;
    base::Time created_at;
    std::vector<tags::HistoryDay> history;
    bool allow_with_approval = false;
};
DESCRIBE(EmailBlockEntity, id, domain, created_at, history, allow_with_approval)

std::vector<EmailBlockEntity> shown(db::Read& db, const std::vector<accounts::EmailDomainBlock>& rows) {
    constexpr std::int64_t day_seconds = 86'400;
    std::vector<accounts::EmailDomainBlockId> ids;
    for (const auto& row : rows) ids.push_back(row.id);
    auto today = db.now().midnight();
    auto tried = accounts::attempts(db, ids, today.plus_seconds(-6 * day_seconds));
    std::vector<EmailBlockEntity> out;
    for (const auto& row : rows) {
        EmailBlockEntity one{row.id, row.domain, row.created_at, {}, row.allow_with_approval};
        for (int ago = 0; ago < 7; ++ago) {
            auto day = today.plus_seconds(-ago * day_seconds);
            auto found = std::ranges::find_if(tried, [&](const accounts::DayOfAttempts& a) {
                return a.block_id == row.id && a.day == day;
            });
            auto used = found == tried.end() ? accounts::DayOfAttempts{} : *found;
            one.history.push_back(
                {std::to_string(day.ms / 1000), std::to_string(used.accounts), std::to_string(used.uses)}
            );
        }
        out.push_back(std::move(one));
    }
    return out;
}

struct ByEmailDomain {
    accounts::EmailDomainBlockId id;
};
DESCRIBE(ByEmailDomain, id)

http::Page<EmailBlockEntity> list_email_domains(db::Read& db, const Viewer&, const PageForm& form) {
    return http::page_by_id(shown(db, accounts::email_domain_blocks(db, http::range_of(form))), form);
}
EmailBlockEntity show_email_domain(db::Read& db, const Viewer&, const ByEmailDomain& path) {
    return std::move(shown(db, {accounts::email_domain_block(db, path.id)})[0]);
}

struct EmailDomainForm {
    std::string domain;
    bool allow_with_approval = false;
};
DESCRIBE(EmailDomainForm, domain, allow_with_approval)

accounts::EmailDomainBlockId add_email_domain(db::Write& db, const Viewer& me, const EmailDomainForm& form) {
    return block_email_domain(db, accounts::actor(db, me.account), form.domain, form.allow_with_approval);
}
void end_email_domain(db::Write& db, const Viewer& me, const ByEmailDomain& path) {
    unblock_email_domain(db, accounts::actor(db, me.account), path.id);
}

// ---- addresses ----

struct ByCanonical {
    accounts::CanonicalBlockId id;
};
DESCRIBE(ByCanonical, id)

http::Page<accounts::CanonicalEmailBlock> list_canonical(db::Read& db, const Viewer&, const PageForm& form) {
    return http::page_by_id(accounts::canonical_blocks(db, http::range_of(form)), form);
}
accounts::CanonicalEmailBlock show_canonical(db::Read& db, const Viewer&, const ByCanonical& path) {
    return accounts::canonical_block(db, path.id);
}

struct CanonicalForm {
    std::string email, canonical_email_hash;
};
DESCRIBE(CanonicalForm, email, canonical_email_hash)

accounts::CanonicalBlockId add_canonical(db::Write& db, const Viewer& me, const CanonicalForm& form) {
    return block_email(db, accounts::actor(db, me.account), form.email, form.canonical_email_hash);
}
void end_canonical(db::Write& db, const Viewer& me, const ByCanonical& path) {
    unblock_email(db, accounts::actor(db, me.account), path.id);
}

struct TestForm {
    http::Param<std::string> email;
};
DESCRIBE(TestForm, email)

std::vector<accounts::CanonicalEmailBlock> test_canonical(db::Read& db, const Viewer&, const TestForm& form) {
    auto found = accounts::canonical_block_of(db, *form.email);
    return found ? std::vector{*found} : std::vector<accounts::CanonicalEmailBlock>{};
}

// ---- networks ----

struct ByIp {
    accounts::IpBlockId id;
};
DESCRIBE(ByIp, id)

http::Page<accounts::IpBlock> list_ips(db::Read& db, const Viewer&, const PageForm& form) {
    return http::page_by_id(accounts::ip_blocks(db, http::range_of(form)), form);
}
accounts::IpBlock show_ip(db::Read& db, const Viewer&, const ByIp& path) {
    return accounts::ip_block(db, path.id);
}

struct IpForm {
    std::optional<std::string> ip, comment, severity, expires_in;
};
DESCRIBE(IpForm, ip, comment, severity, expires_in)

accounts::IpBlockForm form_of(const IpForm& given) {
    accounts::IpBlockForm out{given.ip, given.comment, {}, {}};
    if (given.severity && !given.severity->empty())
        out.severity = http::form::parsed<accounts::IpSeverity>("severity", *given.severity);
    if (given.expires_in && given.expires_in->empty()) out.expires_in.emplace(std::nullopt);
    else if (given.expires_in) out.expires_in.emplace(http::form::integer(*given.expires_in));
    return out;
}

accounts::IpBlockId add_ip(
    db::Write& db, const Viewer& me, const http::Request& request, const IpForm& form
) {
    return block_ip(db, accounts::actor(db, me.account), form_of(form), request.remote_address);
}
void change_ip(
    db::Write& db, const Viewer& me, const http::Request& request, const ByIp& path, const IpForm& form
) {
    change_ip_block(db, accounts::actor(db, me.account), path.id, form_of(form), request.remote_address);
}
void end_ip(db::Write& db, const Viewer& me, const ByIp& path) {
    unblock_ip(db, accounts::actor(db, me.account), path.id);
}

// ---- names ----

struct ByUsername {
    accounts::UsernameBlockId id;
};
DESCRIBE(ByUsername, id)

std::vector<accounts::UsernameBlock> list_usernames(db::Read& db, const Viewer&) {
    return accounts::username_blocks(db);
}
accounts::UsernameBlock show_username(db::Read& db, const Viewer&, const ByUsername& path) {
    return accounts::username_block(db, path.id);
}

struct UsernameForm {
    std::string username;
    bool exact = true, allow_with_approval = false;
};
DESCRIBE(UsernameForm, username, exact, allow_with_approval)

accounts::UsernameBlockId add_username(db::Write& db, const Viewer& me, const UsernameForm& form) {
    return block_username(
        db, accounts::actor(db, me.account), form.username, form.exact, form.allow_with_approval
    );
}
void end_username(db::Write& db, const Viewer& me, const ByUsername& path) {
    unblock_username(db, accounts::actor(db, me.account), path.id);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list_email_domains>                  ("/api/v1/admin/email_domain_blocks",         "admin:read:email_domain_blocks"),
    http::post<add_email_domain, show_email_domain>("/api/v1/admin/email_domain_blocks",         "admin:write:email_domain_blocks"),
    http::get<show_email_domain>                   ("/api/v1/admin/email_domain_blocks/:id",     "admin:read:email_domain_blocks"),
    http::del<end_email_domain>                    ("/api/v1/admin/email_domain_blocks/:id",     "admin:write:email_domain_blocks"),
    http::get<list_canonical>                      ("/api/v1/admin/canonical_email_blocks",      "admin:read:canonical_email_blocks"),
    http::post<add_canonical, show_canonical>      ("/api/v1/admin/canonical_email_blocks",      "admin:write:canonical_email_blocks"),
    http::post<test_canonical>                     ("/api/v1/admin/canonical_email_blocks/test", "admin:read:canonical_email_blocks"),
    http::get<show_canonical>                      ("/api/v1/admin/canonical_email_blocks/:id",  "admin:read:canonical_email_blocks"),
    http::del<end_canonical>                       ("/api/v1/admin/canonical_email_blocks/:id",  "admin:write:canonical_email_blocks"),
    http::get<list_ips>                            ("/api/v1/admin/ip_blocks",                   "admin:read:ip_blocks"),
    http::post<add_ip, show_ip>                    ("/api/v1/admin/ip_blocks",                   "admin:write:ip_blocks"),
    http::get<show_ip>                             ("/api/v1/admin/ip_blocks/:id",               "admin:read:ip_blocks"),
    http::put<change_ip, show_ip>                  ("/api/v1/admin/ip_blocks/:id",               "admin:write:ip_blocks"),
    http::patch<change_ip, show_ip>                ("/api/v1/admin/ip_blocks/:id",               "admin:write:ip_blocks"),
    http::del<end_ip>                              ("/api/v1/admin/ip_blocks/:id",               "admin:write:ip_blocks"),
    http::get<list_usernames>                      ("/api/dunlin/v1/moderation/username_blocks",     "admin:read"),
    http::post<add_username, show_username>        ("/api/dunlin/v1/moderation/username_blocks",     "admin:write"),
    http::get<show_username>                       ("/api/dunlin/v1/moderation/username_blocks/:id", "admin:read"),
    http::del<end_username>                        ("/api/dunlin/v1/moderation/username_blocks/:id", "admin:write"),
};
// clang-format on

}  // namespace

std::span<const http::Route> block_routes() { return table; }

}  // namespace moderation

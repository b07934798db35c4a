// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/moderation/domains_admin.hpp"

namespace moderation {
namespace {

using http::Viewer, instance::AdminDomainBlock, instance::DomainAllow;

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<100, 500> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

// ---- blocks ----

struct ByBlock {
    DomainBlockId id;
};
DESCRIBE(ByBlock, id)

http::Page<AdminDomainBlock> list_blocks(db::Read& db, const Viewer&, const PageForm& form) {
    return http::page_by_id(instance::domain_block_page(db, http::range_of(form)), form);
}

AdminDomainBlock show_block(db::Read& db, const Viewer&, const ByBlock& path) {
    return instance::domain_block(db, path.id);
}

struct BlockForm {
    std::string domain;
    std::optional<std::string> severity;
    std::optional<bool> reject_media, reject_reports, obfuscate;
    std::optional<std::string> private_comment, public_comment;
};
DESCRIBE(
    BlockForm, domain, severity, reject_media, reject_reports, obfuscate, private_comment, public_comment
)

std::optional<instance::Severity> severity_of(const BlockForm& form) {
    if (!form.severity) return std::nullopt;
    for (auto one : {instance::Severity::silence, instance::Severity::suspend, instance::Severity::noop})
        if (*form.severity == base::word(one)) return one;
    throw base::Invalid("Validation failed: Severity is not included in the list");
}

DomainBlockId add_block(db::Write& db, const Viewer& me, const BlockForm& form) {
    instance::ServerRule rule;
    rule.domain = form.domain;
    rule.severity = severity_of(form).value_or(rule.severity);
    rule.reject_media = form.reject_media.value_or(false);
    rule.reject_reports = form.reject_reports.value_or(false);
    rule.obfuscate = form.obfuscate.value_or(false);
    rule.private_comment = form.private_comment;
    rule.public_comment = form.public_comment;
    return add_domain_block(db, accounts::actor(db, me.account), rule);
}

void change_block(db::Write& db, const Viewer& me, const ByBlock& path, const BlockForm& form) {
    DomainBlockEdit edit{severity_of(form), form.reject_media, form.reject_reports, form.obfuscate};
    edit.private_comment = form.private_comment;
    edit.public_comment = form.public_comment;
    edit_domain_block(db, accounts::actor(db, me.account), path.id, edit);
}

void end_block(db::Write& db, const Viewer& me, const ByBlock& path) {
    remove_domain_block(db, accounts::actor(db, me.account), path.id);
}

// ---- allows ----

struct ByAllow {
    DomainAllowId id;
};
DESCRIBE(ByAllow, id)

http::Page<DomainAllow> list_allows(db::Read& db, const Viewer&, const PageForm& form) {
    return http::page_by_id(instance::domain_allows(db, http::range_of(form)), form);
}

DomainAllow show_allow(db::Read& db, const Viewer&, const ByAllow& path) {
    return instance::domain_allow(db, path.id);
}

struct AllowForm {
    std::string domain;
};
DESCRIBE(AllowForm, domain)

DomainAllowId add_allow(db::Write& db, const Viewer& me, const AllowForm& form) {
    return allow_domain(db, accounts::actor(db, me.account), form.domain);
}

void end_allow(db::Write& db, const Viewer& me, const ByAllow& path) {
    disallow_domain(db, accounts::actor(db, me.account), path.id);
}

void restore(db::Write& db, const Viewer& me, const AllowForm& form) {
    restore_follows(db, accounts::actor(db, me.account), form.domain);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list_blocks>               ("/api/v1/admin/domain_blocks",     "admin:read:domain_blocks"),
    http::post<add_block, show_block>    ("/api/v1/admin/domain_blocks",     "admin:write:domain_blocks"),
    http::get<show_block>                ("/api/v1/admin/domain_blocks/:id", "admin:read:domain_blocks"),
    http::put<change_block, show_block>  ("/api/v1/admin/domain_blocks/:id", "admin:write:domain_blocks"),
    http::patch<change_block, show_block>("/api/v1/admin/domain_blocks/:id", "admin:write:domain_blocks"),
    http::del<end_block>                 ("/api/v1/admin/domain_blocks/:id", "admin:write:domain_blocks"),
    http::get<list_allows>               ("/api/v1/admin/domain_allows",     "admin:read:domain_allows"),
    http::post<add_allow, show_allow>    ("/api/v1/admin/domain_allows",     "admin:write:domain_allows"),
    http::get<show_allow>                ("/api/v1/admin/domain_allows/:id", "admin:read:domain_allows"),
    http::del<end_allow>                 ("/api/v1/admin/domain_allows/:id", "admin:write:domain_allows"),
    http::post<restore>                  ("/api/dunlin/v1/moderation/severed/restore", "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> domain_routes() { return table; }

}  // namespace moderation

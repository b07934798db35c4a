// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/domain_block.hpp"

#include "base/crypto.hpp"
#include "base/text/host.hpp"
#include "social/instance/list_rule.hpp"
#include "social/instance/public_rule.hpp"
#include "social/instance/settings.hpp"

#include <algorithm>

namespace instance {

namespace {

struct Row {
    std::string domain;
    Severity severity = Severity::silence;
    bool obfuscate = false;
    std::optional<std::string> public_comment;
};
DESCRIBE(Row, domain, severity, obfuscate, public_comment)

bool allows(const std::string& setting, bool to_user) {
    return setting == "all" || (setting == "users" && to_user);
}

// Hides the middle of a name: people who know it recognise it by its ends and dots.
std::string obfuscated(const std::string& domain) {
    auto out = domain;
    auto shown = domain.size() / 4;
    for (std::size_t i = shown + 1; i + shown < domain.size(); ++i)
        if (out[i] != '.') out[i] = '*';
    return out;
}

}  // namespace

const db::Query<Row> told_domain_blocks{
    "told_domain_blocks",
    R"(SELECT domain, severity, obfuscate, public_comment FROM domain_blocks WHERE severity <> 'noop'
       ORDER BY severity, domain)"
};
const db::Query<std::string> all_blocked_domains{"all_blocked_domains", "SELECT domain FROM domain_blocks"};
#define ADMIN_DOMAIN_BLOCKS                                                                                  \
    "SELECT id, domain, '' AS digest, created_at, severity, reject_media, reject_reports, private_comment, " \
    "public_comment, obfuscate FROM domain_blocks "
const db::Query<AdminDomainBlock> listed_domain_blocks{
    "listed_domain_blocks", ADMIN_DOMAIN_BLOCKS "ORDER BY domain"
};
const db::Query<AdminDomainBlock> domain_blocks_down{
    "domain_blocks_down", ADMIN_DOMAIN_BLOCKS "WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<AdminDomainBlock> domain_blocks_up{
    "domain_blocks_up", ADMIN_DOMAIN_BLOCKS "WHERE id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<AdminDomainBlock> domain_block_by_id{
    "domain_block_by_id", ADMIN_DOMAIN_BLOCKS "WHERE id = $1"
};
const db::Query<AdminDomainBlock> domain_blocks_among{
    "domain_blocks_among", ADMIN_DOMAIN_BLOCKS "WHERE domain IN LIST($1) ORDER BY length(domain) DESC LIMIT 1"
};
const db::Command upsert_domain_block{
    "upsert_domain_block",
    R"(INSERT INTO domain_blocks (id, domain, severity, obfuscate, public_comment, private_comment, reject_media,
           reject_reports, created_at, purge_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (domain) DO UPDATE SET severity = excluded.severity, obfuscate = excluded.obfuscate,
           public_comment = excluded.public_comment, private_comment = excluded.private_comment,
           reject_media = excluded.reject_media, reject_reports = excluded.reject_reports, origin = 'hand',
           purge_at = CASE WHEN domain_blocks.severity = 'suspend' AND excluded.severity = 'suspend'
                           THEN domain_blocks.purge_at ELSE excluded.purge_at END)"
};

bool shows_domain_blocks(db::Read& db, bool to_user) {
    return allows(setting(db, "show_domain_blocks").value_or("disabled"), to_user);
}

bool shows_domain_block_reasons(db::Read& db, bool to_user) {
    return allows(setting(db, "show_domain_blocks_rationale").value_or("disabled"), to_user);
}

bool shown_to_users_only(db::Read& db) { return setting(db, "show_domain_blocks") == "users"; }

std::vector<DomainBlock> domain_blocks(db::Read& db, bool to_user) {
    const bool reasons = shows_domain_block_reasons(db, to_user);
    std::vector<DomainBlock> out;
    for (auto& row : db.all(told_domain_blocks)) {
        auto comment = reasons ? std::optional(row.public_comment.value_or("")) : std::nullopt;
        auto shown = row.obfuscate ? obfuscated(row.domain) : row.domain;
        out.push_back({shown, base::sha256_hex(row.domain), row.severity, comment});
    }
    return out;
}

std::set<std::string> blocked_domains(db::Read& db) {
    auto all = db.all(all_blocked_domains);
    return {all.begin(), all.end()};
}

bool is_within(std::string_view host, std::string_view domain) {
    host = host.substr(0, host.find(':'));
    if (!host.ends_with(domain)) return false;
    host.remove_suffix(domain.size());
    return host.empty() || host.ends_with('.');
}

std::string put_domain_block(db::Write& db, const ServerRule& rule) {
    auto domain = base::text::normalized_domain(rule.domain);
    if (!domain) throw base::Invalid("Validation failed: Domain is not a valid domain name");
    if (is_within(db.site().domain, *domain))
        throw base::Invalid("Validation failed: Domain is that of this server");
    std::optional<base::Time> purge_at;
    if (rule.severity == Severity::suspend) purge_at = db.now().plus_seconds(suspended_servers_kept_seconds);
    db.run(
        upsert_domain_block,
        db.new_id<DomainBlockId>(),
        *domain,
        rule.severity,
        rule.obfuscate,
        rule.public_comment,
        rule.private_comment,
        rule.reject_media,
        rule.reject_reports,
        db.now(),
        purge_at
    );
    db.emit(ServerLimited{*domain});
    return *std::move(domain);
}

bool remove_domain_block(db::Write& db, std::string_view given) {
    const auto domain = base::text::normalized_domain(given);
    return domain && remove_domain_blocks(db, {*domain}) > 0;
}

namespace {

std::vector<AdminDomainBlock> with_digests(std::vector<AdminDomainBlock> all) {
    for (auto& one : all) one.digest = base::sha256_hex(one.domain);
    return all;
}

std::optional<AdminDomainBlock> first_of(db::Read& db, const std::vector<std::string>& domains) {
    auto found = with_digests(db.all(domain_blocks_among, domains));
    return found.empty() ? std::nullopt : std::optional(found[0]);
}

}  // namespace

std::vector<AdminDomainBlock> all_domain_blocks(db::Read& db) {
    return with_digests(db.all(listed_domain_blocks));
}

std::vector<AdminDomainBlock> domain_block_page(db::Read& db, const base::Range& r) {
    auto found =
        with_digests(db.all(r.ascending ? domain_blocks_up : domain_blocks_down, r.below, r.above, r.limit));
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

AdminDomainBlock domain_block(db::Read& db, DomainBlockId id) {
    return with_digests({db.one(domain_block_by_id, id)})[0];
}

std::optional<AdminDomainBlock> domain_block_of(db::Read& db, std::string_view domain) {
    return first_of(db, {std::string(domain)});
}

std::optional<AdminDomainBlock> nearest_domain_block(db::Read& db, std::string_view domain) {
    return first_of(db, domains_upwards(domain));
}

}  // namespace instance

// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/domain_block.hpp"

#include "base/crypto.hpp"
#include "social/instance/settings.hpp"

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

// Enough is left to recognise it by who knows it: the ends, and the dots.
std::string obfuscated(const std::string& domain) {
    auto out = domain;
    auto shown = domain.size() / 4;
    for (std::size_t i = shown; i + shown < domain.size(); ++i)
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
const db::Command upsert_domain_block{
    "upsert_domain_block",
    R"(INSERT INTO domain_blocks (id, domain, severity, obfuscate, public_comment, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (domain) DO UPDATE SET severity = excluded.severity, obfuscate = excluded.obfuscate,
           public_comment = excluded.public_comment)"
};

bool shows_domain_blocks(db::Read& db, bool to_user) {
    return allows(setting(db, "show_domain_blocks").value_or("disabled"), to_user);
}

bool shown_to_users_only(db::Read& db) { return setting(db, "show_domain_blocks") == "users"; }

std::vector<DomainBlock> domain_blocks(db::Read& db, bool to_user) {
    bool reasons = allows(setting(db, "show_domain_blocks_rationale").value_or("disabled"), to_user);
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

void put_domain_block(
    db::Write& db, const std::string& domain, Severity severity, bool obfuscate,
    const std::optional<std::string>& public_comment
) {
    db.run(
        upsert_domain_block, db.new_id<DomainBlockId>(), domain, severity, obfuscate, public_comment, db.now()
    );
}

}  // namespace instance
